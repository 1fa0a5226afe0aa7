# Many of everything: hundreds of species, dozens of painted masks and layers. It works, or a message says the limit.
. tests/cli/lib.sh
need_tools
small_images "$work/w"
"$image_tool" png8flat 64 64 "$work/w/flat.png"
start() { printf 'terrane: 1\nworld: {name: many, size_m: [64, 64], seed: 3}\nheight: {files: h.png, z_min_m: 0, z_max_m: 100}\n'; }
masks() { # COUNT
    echo 'masks:'
    for i in $(seq "$1"); do echo "  m$i: {files: m.png}"; done
}
recipe() {
    echo 'biomes:'
    echo '  recipe: 1'
    echo '  biomes: {hills: {}}'
    echo '  species:'
}
species() { # COUNT PRIORITIES STEPS...: each in one of so many tiers
    local n=$1 tiers=$2
    shift 2
    for i in $(seq "$n"); do
        echo "    s$i: {biomes: all, priority: $((i % tiers)), viability: [$*], density_per_ha: 300, density_ramp: [0, 0.1],"
        echo "      viability_radius_m: 0.5, sizes: [{from: 0, height_m: 1, asset: a$i}]}"
    done
}
check() { "$terrane" check "$work/w" --no-store; }
bakes() { # NAME
    exits 0 "$1: check" check
    exits 0 "$1: bake" "$terrane" bake "$work/w" --out "$work/out" --no-store
    exits 0 "$1: verify" "$terrane" verify "$work/out"
}

# ---- species ----
{ start && masks 1 && recipe && species 400 4 '{layer: m1}'; } >"$work/w/world.yaml"
bakes "400 species"
kinds=$(grep -c '"asset"' "$work/out/objects.json")
[ "$kinds" -eq 400 ]
verdict $? "400 species: $kinds objects"
exits 0 "400 species: explain" "$terrane" explain "$work/w" --at 30,30 --no-store
rm -rf "$work/out"
{ start && recipe && species 100 31 '{value: 1}'; } >"$work/w/world.yaml"
exits 5 "31 priorities" check
says "$work/stderr" "more than 30 different priorities" "31 priorities: told"
{ start && recipe && species 4097 1 '{value: 1}'; } >"$work/w/world.yaml"
exits 5 "4097 species" check
says "$work/stderr" "more than 4096 species" "4097 species: told"

# ---- masks ----
{
    start && masks 64
    echo "output: {layers: [$(seq -s ', ' -f 'm%g' 64)]}"
    recipe && species 64 16 '{layer: m1}'
} >"$work/w/world.yaml"
bakes "64 masks, written out"
ls "$work/out/maps/x0_y0/sections/c0_0" | grep -c '^m[0-9]*.png' >"$work/count"
[ "$(cat "$work/count")" -eq 64 ]
verdict $? "64 masks: $(cat "$work/count") pictures"
rm -rf "$work/out"
{ start && masks 64 && recipe && species 1 1 "$(seq -s ', ' -f '{layer: m%g}' 48)"; } >"$work/w/world.yaml"
bakes "48 masks in one tier"
rm -rf "$work/out"
{ start && masks 64 && recipe && species 1 1 "$(seq -s ', ' -f '{layer: m%g}' 64)"; } >"$work/w/world.yaml"
bakes "64 masks in one tier"
rm -rf "$work/out"
{ start && masks 200 && recipe && species 1 1 "$(seq -s ', ' -f '{layer: m%g}' 200)"; } >"$work/w/world.yaml"
exits 5 "200 masks in one tier" check
says "$work/stderr" "world.yaml:209: error: the species of priority 0 read 200 different layers: at most 120" "200 masks in one tier: told"
{ start && masks 200 && echo "output: {layers: [$(seq -s ', ' -f 'm%g' 200)]}"; } >"$work/w/world.yaml"
bakes "200 masks, written out"
rm -rf "$work/out"

# ---- what a mask with a legend holds ----
{
    start
    echo 'masks: {soil: {files: flat.png, legend: {clay: {color: "#000000", id: 3}, sand: "#ffffff"}}}'
    echo 'output: {layers: [soil, distance.soil]}'
    recipe
    species 1 1 '{layer: soil, range: [3, 3]}, {layer: distance.soil, under: 0}'
} >"$work/w/world.yaml"
bakes "a mask with a legend"
grep -q '"entities": [1-9]' "$work/out/maps/x0_y0/manifest.json"
verdict $? "a recipe reads ids"
"$terrane" layer "$work/w" soil --no-store --quiet --out "$work/soil.asc"
[ "$(tail -n 1 "$work/soil.asc" | cut -d ' ' -f 1)" = 3 ]
verdict $? "a layer of a mask with a legend holds ids"
grep -A 16 '"layer": "soil"' "$work/out/maps/x0_y0/manifest.json" | grep -q '"scale": 1,'
verdict $? "a picture of ids has a step of 1"
sed -i 's/^tools:.*//; s/^masks: {soil:/tools: [cliffs]\nmasks: {no_cliffs:/; /^output/d; /^biomes/,$d' "$work/w/world.yaml"
exits 3 "ids that keep cliffs away" check
says "$work/stderr" "cliffs.exclude: the mask 'no_cliffs' must be grey, without a legend" "ids that keep cliffs away: told"
