# Fresh water through the program: what it says of a bake, its meshes under the Khronos validator, warm and cold, and
# the real network of Andorra at 1:8 and at 8 m, where ../shared is.
. tests/cli/lib.sh
validate() { # NAME DIR: as many files as there are, none with an error or a warning
    local files
    files=$(find "$2" -name '*.water.glb' | wc -l)
    if [ "$files" -eq 0 ]; then
        not_ok "$1: there are no meshes"
        return
    fi
    if ! command -v node >/dev/null; then
        skip "$1: node is not here, nothing was validated"
        return
    fi
    find "$2" -name '*.water.glb' -exec node tests/gltf_validate.mjs {} + >"$work/validated"
    if grep -q '^skip' "$work/validated"; then
        skip "$1: the npm package gltf-validator is not here"
    elif [ "$(grep -c '^ok' "$work/validated")" -eq "$files" ]; then
        ok "$1: $files files"
    else
        not_ok "$1"
        grep '^not ok' "$work/validated" | head -n 3
    fi
}

four_maps "$work/w"
add_water "$work/w"
exits 0 "a world with water bakes" "$terrane" bake "$work/w" --out "$work/out" --no-store
validate "meshes of a world with water" "$work/out"
exits 0 "and verifies" "$terrane" verify "$work/out" --quiet
"$terrane" bake "$work/w" --out "$work/one" --no-store --quiet --threads 1
same "$work/out" "$work/one" "the same on one thread"

# streams that nobody drew: more water, the same whichever map is baked first, and none of them in a world without flow
cp -r "$work/w" "$work/found"
echo 'freshwater: {auto_streams: {min_area_ha: 0.5}}' >>"$work/found/world.yaml"
exits 0 "streams along the flow bake" "$terrane" bake "$work/found" --out "$work/found.out" --no-store
"$terrane" layer "$work/w" water --out "$work/drawn.r32" --quiet
"$terrane" layer "$work/found" water --out "$work/found.r32" --quiet
drawn=$(od -An -v -tx4 -w4 "$work/drawn.r32" | grep -cv ' 00000000')
found=$(od -An -v -tx4 -w4 "$work/found.r32" | grep -cv ' 00000000')
[ "$found" -gt $((drawn + 500)) ]
verdict $? "streams along the flow are water: $found cells, $drawn drawn"
"$terrane" bake "$work/found" --out "$work/sector" --no-store --quiet --sector=-1,0
f=maps/x-1_y0/sectors/s-1_0.water.glb
cmp -s "$work/sector/$f" "$work/found.out/$f"
verdict $? "a sector alone has the world's streams"
sed -i '/^splines:/d' "$work/found/world.yaml"
exits 0 "streams without any drawn line" "$terrane" bake "$work/found" --out "$work/found.only" --no-store
validate "meshes of found streams" "$work/found.only"

# lakes are smooth where they ask for it
wet() { # WORLD: cells of water
    "$terrane" layer "$1" water --out "$work/wet.r32" --quiet && od -An -v -tx4 -w4 "$work/wet.r32" | grep -cv ' 00000000'
}
cp -r "$work/w" "$work/round"
sed -i 's/"kind": "lake"/"kind": "lake", "curve": "catmull-rom"/' "$work/round/water.geojson"
straight=$(wet "$work/w") round=$(wet "$work/round")
[ "$round" -gt $((straight + 100)) ]
verdict $? "a lake with curve: catmull-rom bulges between its points: $round cells, $straight without"

# a world cut out of a larger one: the same water, to the bit 64 m from the cut
mkdir "$work/large" "$work/part"
"$terrane" layer "$work/w" altitude_in --out "$work/large/h.r32" --quiet
head -c $((512 * 256 * 4)) "$work/large/h.r32" >"$work/part/h.r32" # the north half
cut_world() { # DIR ORIGIN_Y HEIGHT SPLINES
    cat >"$work/$1/world.yaml" <<END
terrane: 1
world: {name: $1, origin_m: [-300, $2], size_m: [512, $3]}
height: {files: h.r32, endian: little, z_min_m: 1250, z_max_m: 1520}
splines: $4
tools: [freshwater]
END
    "$terrane" layer "$work/$1" water_depth --out "$work/$1.r32" --quiet
}
cut_world large -200 512 '[../w/water.geojson]'
cut_world part 56 256 '{files: [../w/water.geojson], outside: clip}'
"$terrane" check "$work/part" >"$work/checked" 2>&1
says "$work/checked" 'of 5 features 0 lie outside the world and 3 reach out of it: cut off (outside: clip)' "what is cut is counted"
wet=$(head -c $((512 * 192 * 4)) "$work/part.r32" | od -An -v -tx4 -w4 | grep -cv ' 00000000')
[ "$wet" -gt 1000 ] && cmp -s -n $((512 * 192 * 4)) "$work/large.r32" "$work/part.r32"
verdict $? "a world cut out of a larger one has its water: $wet cells"
tail -c $((512 * 256 * 4)) "$work/large/h.r32" >"$work/part/h.r32" # the south half: rivers come in over the cut
cut_world part -200 256 '{files: [../w/water.geojson], outside: clip}'
wet=$(tail -c $((512 * 192 * 4)) "$work/part.r32" | od -An -v -tx4 -w4 | grep -cv ' 00000000')
[ "$wet" -gt 1000 ] && cmp -s <(tail -c $((512 * 192 * 4)) "$work/large.r32") <(tail -c $((512 * 192 * 4)) "$work/part.r32")
verdict $? "so has its other half, with water that comes in over the cut: $wet cells"

# a line that is drawn anew
"$terrane" bake "$work/w" --out "$work/warm" --store "$work/store" --quiet
sed -i 's/"id": "outlet"/"id": "outlet2"/' "$work/w/water.geojson"
"$terrane" bake "$work/w" --out "$work/warm" --store "$work/store" --quiet
"$terrane" bake "$work/w" --out "$work/cold" --no-store --quiet
same "$work/warm" "$work/cold" "an edited line: warm is cold"

# a river up the valley is named
sed 's/"direction": "auto"/"direction": "line"/; s/\[30, 310\], \[10, 200\], \[-30, 110\], \[-21, 22\]/[-21, 22], [-30, 110], [10, 200], [30, 310]/' \
    "$work/w/water.geojson" >"$work/turned" && mv "$work/turned" "$work/w/water.geojson"
"$terrane" bake "$work/w" --out "$work/out" --no-store 2>"$work/said" >/dev/null
says "$work/said" 'stream "side": it runs uphill: its end lies' "a line uphill is named"

# a lake higher than everything around it
sed -i 's/"depth_m": 3/"depth_m": 3, "level_m": 1519/' "$work/w/water.geojson"
"$terrane" bake "$work/w" --out "$work/out" --no-store 2>"$work/said" >/dev/null
says "$work/said" 'lake "tarn": its level lies 219.9 m over its lowest shore and 187.9 m over its highest: it is higher than everything around it; it starts at (20, 90)' \
    "a lake higher than everything around it is named"

shared=${TERRANE_SHARED:-../shared}/data/andorra_osm_8m
if [ ! -r "$shared/height.png" ]; then
    skip "andorra: $shared is not here"
    exit 0
fi
case $shared in /*) ;; *) shared=$PWD/$shared ;; esac
andorra() { # NAME SIZE CELL Z_MIN Z_MAX LINES
    mkdir -p "$work/$1"
    cat >"$work/$1/world.yaml" <<END
terrane: 1
world: {name: $1, size_m: [$2, $2], latitude_deg: 42.5}
grid: {cell_m: $3}
height: {files: $shared/height.png, spacing_m: $3, z_min_m: $4, z_max_m: $5}
splines: [$shared/$6]
tools: [freshwater]
freshwater: {fit: thalweg}
END
    exits 0 "$1 bakes" "$terrane" bake "$work/$1" --out "$work/$1/out" --no-store
    says "$work/stderr" "it runs uphill" "$1: streams that were drawn uphill are named"
    validate "meshes of $1" "$work/$1/out"
    rm -rf "${work:?}/$1/out"
}
andorra andorra_toy 2048 1 110.235222 362.216492 splines_toy.geojson
andorra andorra_8m 16384 8 881.881775 2897.731934 splines.geojson
