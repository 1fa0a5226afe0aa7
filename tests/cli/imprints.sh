# What entities do to the ground goes into the final heights, to the last sample, and moves no abiotic layer and
# nobody.
. tests/cli/lib.sh
"$terrane" new "$work/w" --quiet
layer() { # NAME FILE
    "$terrane" layer "$work/w" "$1" --out "$work/$2.r32" --no-store --quiet
}
survey="altitude slope curvature flow twi illumination wind mask_forest"
for l in $survey height; do layer "$l" "before_$l"; done
sed -i '0,/      - {mask: forest}/s//      - {mask: forest}\n      - {raise_m: 0.5, radius_m: 1, falloff_m: 2, where: [{layer: slope, under: 20, soft: 10}]}/' \
    "$work/w/recipes/biomes.yaml"
grep -q raise_m "$work/w/recipes/biomes.yaml"
verdict $? "the recipe raises the ground"
for l in $survey; do
    layer "$l" "after_$l" && cmp -s "$work/before_$l.r32" "$work/after_$l.r32"
    verdict $? "$l is as without imprints"
done
layer height after_height && layer imprint_height imprint
numbers() { od -An -v -tf4 -w4 "$work/$1.r32"; }
paste -d' ' <(numbers before_height) <(numbers imprint) <(numbers after_height) |
    awk '{ d = $3 - $1 - $2; bad += d > 0.001 || d < -0.001; raised += $2 > 0.2 }
         END { print bad + 0, raised + 0; exit !(bad == 0 && raised > 100) }' >"$work/heights.txt"
verdict $? "heights are the ground's and the imprints' sum: $(cat "$work/heights.txt")"
