# The tool cliffs: the same bytes for any threads and subset, no rock without a slope, seams of files, bad input.
. tests/cli/lib.sh
need_tools
w=$work/w
mkdir -p "$w"
ln -s "$PWD/fixtures/demo/heights" "$PWD/fixtures/demo/paint" "$w/"
world() { # TOOLS LINES...
    printf '%s\n' 'terrane: 1' 'world: {name: rock, origin_m: [0, 0], size_m: [1024, 1024], seed: 7}' \
        'height: {files: heights/wog_valley.png, z_min_m: 1257.769897, z_max_m: 1708.875244}' "tools: [$1]" >"$w/world.yaml"
    shift
    printf '%s\n' "$@" >>"$w/world.yaml"
}
bake() { # OUT ARGUMENTS...
    local out=$1
    shift
    "$terrane" bake "$w" --out "$out" --quiet "$@" || echo "not ok bake $*"
}
world cliffs
bake "$work/one" --section=0,0 --section=1,0 --threads 1 --no-store
bake "$work/three" --section=0,0 --section=1,0 --threads 3 --no-store
same "$work/one" "$work/three" "rock on 1 and 3 threads"
bake "$work/alone" --section=1,0 --no-store
bake "$work/alone" --sector=2,1 --no-store
bake "$work/alone" --section=0,0 --no-store
diff -rq -x timings.json -x state.json -x manifest.json -x '.*' "$work/one" "$work/alone" >"$work/d"
verdict $? "rock of sections alone"
bake "$work/warm" --section=0,0 --section=1,0
bake "$work/warm2" --section=0,0 --section=1,0
same "$work/one" "$work/warm2" "rock from the store"
"$terrane" verify "$work/one" --quiet
verdict $? "rock verifies"
[ "$(find "$work/one" -name '*.cliff.glb' | wc -l)" -gt 8 ]
verdict $? "rock in sectors that are steep"
[ "$(find "$work/one" -name 's5_2.cliff.glb' | wc -l)" = 0 ]
verdict $? "no file for a sector without rock"
world cliffs 'cliffs: {min_slope_deg: 85}'
bake "$work/flat" --section=0,0 --no-store
[ -z "$(find "$work/flat" -name '*.cliff.glb')" ]
verdict $? "no rock without a slope, and no error"

# exact messages
refused() { # NAME TEXT LINES...: the world with these lines is refused with this text
    local name=$1 text=$2
    shift 2
    world cliffs "$@"
    exits 3 "$name" "$terrane" check "$w"
    says "$work/stderr" "$text" "$name says so"
}
refused "a budget of zero" "'max_triangles' is out of range (100 to 10000000): 0" 'cliffs: {max_triangles: 0}'
refused "a file budget of zero" "'max_kib' is out of range (1 to 1000000): 0" 'cliffs: {max_kib: 0}'
refused "an unknown mask" "cliffs.exclude: there is no mask 'no_rock'" 'cliffs: {exclude: no_rock}'
refused "strata that are no preset" \
    "the mask 'strata' paints 'levl', which is no preset of cliffs.strata: did you mean 'level'?" \
    'masks: {strata: {files: paint/biome.png, legend: {levl: "#000000", tilted: "#ffffff"}}}'
refused "no presets" "cliffs.strata has 1 to 4 presets, not 0" 'cliffs: {strata: {}}'
refused "an unknown key" "unknown key 'min_slope' in cliffs: did you mean 'min_slope_deg'?" 'cliffs: {min_slope: 40}'
refused "a soft border that is too wide" "'softness_m' is out of range (0 to 16 m): 20" 'cliffs: {softness_m: 20}'
refused "weather of too many levels" "'weathering' is out of range (0 to 64): 65" 'cliffs: {ramp: {weathering: 65}}'
refused "a ramp without colours" "cliffs.ramp.shaly has 1 to 8 colours, not 0" 'cliffs: {ramp: {shaly: []}}'
refused "a ramp of words" \
    "cliffs.ramp.massive[1] must be a colour like \"#a8a296\" (in quotes: # begins a comment)" \
    'cliffs: {ramp: {massive: ["#a8a296", grey]}}'
refused "an image without a file" "'file' is missing in cliffs.displacement" 'cliffs: {displacement: [{tile_m: 4}]}'
world cliffs 'cliffs: {displacement: [{file: art/none.png}]}'
exits 4 "an image that is not there" "$terrane" check "$w"
says "$work/stderr" "art/none.png: there is no such file" "an image that is not there says so"
refused "images that are too deep" "the depths of cliffs.displacement add up to 1.8 m, more than 1.5 m" \
    'cliffs: {displacement: [{file: paint/biome.png, depth_m: 0.9}, {file: paint/biome.png, depth_m: 0.9}]}'
mkdir -p "$w/art"
"$image_tool" png8 300 200 "$w/art/small.png"
refused "an image in colours" "is a colour image: save it as grey" 'cliffs: {displacement: [{file: paint/biome.png}]}'
refused "an exclusion mask of 16 bits" "16 bits" 'masks: {no_cliffs: {files: heights/wog_valley.png}}'
refused "an exclusion mask of another size" \
    "art/small.png: is 300 x 200 px, but 1024 x 1024 cells take 1024 x 1024 px, or a half, a quarter ... or twice, four times ... of both" \
    'masks: {no_cliffs: {files: art/small.png}}'
image() { # TEXT LINES...: a displacement image with these settings is refused with this text
    local text=$1
    shift
    refused "an image: $text" "$text" "cliffs: {displacement: [$*]}"
}
image "'tile_m' is out of range (1 to 1000 m): 0.5" '{file: art/small.png, tile_m: 0.5}'
image "'tile_m' is out of range (1 to 1000 m): 1001" '{file: art/small.png, tile_m: 1001}'
image "'depth_m' is out of range (0 to 1 m): -0.1" '{file: art/small.png, depth_m: -0.1}'
image "'depth_m' must be a finite number (0 to 1 m), not '.nan'" '{file: art/small.png, depth_m: .nan}'
image "'file' is empty" '{file: ""}'
image "unknown key 'depth' in cliffs.displacement: did you mean 'depth_m'?" '{file: art/small.png, depth: 1}'
image "cliffs.displacement holds maps, as in {file: art/cracks.png, tile_m: 16, depth_m: 0.4}" art/small.png
image "heights/wog_valley.png: has 16 bits a channel" '{file: heights/wog_valley.png}'
image "world.yaml: is not a PNG, TGA, BMP or JPEG image" '{file: world.yaml}'
"$image_tool" png8 2049 2 "$w/art/wide.png"
image "is 2049 x 2 px; displacement images have at most 2048 x 2048" '{file: art/wide.png}'
refused "a dip that is too steep" "'dip_deg' is out of range (0 to 75 degrees): 76" 'cliffs: {strata: {a: {dip_deg: 76}}}'
refused "five presets" "cliffs.strata has 1 to 4 presets, not 5" 'cliffs: {strata: {a: {}, b: {}, c: {}, d: {}, e: {}}}'
refused "a preset that is a number" "'a' must be a map of keys, not '5'" 'cliffs: {strata: {a: 5}}'
refused "a level limit" "'min_slope_deg' is out of range (20 to 85 degrees): 0" 'cliffs: {min_slope_deg: 0}'
refused "an upright limit" "'min_slope_deg' is out of range (20 to 85 degrees): 90" 'cliffs: {min_slope_deg: 90}'
refused "no number" "'error_m' must be a finite number (0 to 4 m), not '.nan'" 'cliffs: {error_m: .nan}'
refused "a patch that is too large" "'min_patch_m2' is out of range (0 to 256 m2): 257" 'cliffs: {min_patch_m2: 257}'
refused "an id that is too large" "'eroded' is out of range (0 to 255): 256" 'cliffs: {textures: {eroded: 256}}'
refused "a list of settings" "'cliffs' must be a map of keys, not a list" 'cliffs: []'
world cliffs 'masks: {strata: {files: paint/biome.png, legend: {level: "#010203", tilted: "#ffffff"}}}'
exits 3 "a strata mask with a colour that is no preset" "$terrane" bake "$w" --out "$work/never" --no-store --quiet
says "$work/stderr" "pixels without a legend colour" "a strata mask with a colour that is no preset says so"

# budgets that are broken are warned about by name, and an error with --strict
world cliffs 'cliffs: {max_triangles: 500, max_kib: 60}'
exits 0 "a budget that borders do not allow" "$terrane" bake "$w" --out "$work/over" --section=0,0 --no-store
says "$work/stderr" "budgets broken; the manifests name all: sectors/s0_0.cliff.glb: " "a broken budget is named"
says "$work/over/maps/x0_y0/manifest.json" "KiB are more than cliffs.max_kib (60)" "and stands in the manifest"
says "$work/over/maps/x0_y0/manifest.json" '"collision": ' "triangles stand in the manifest"
exits 1 "a broken budget with --strict" "$terrane" bake "$w" --out "$work/over" --section=0,0 --no-store --strict

# ground that no memory would do for is refused before the work, by its place
world cliffs
exits 5 "absurd ground" "$terrane" bake "$w" --out "$work/never" --section=0,0 --no-store --quiet --set height.z_max_m=32000
says "$work/stderr" "cliff_surface, section 0,0: cliffs: the rock of sector " "absurd ground is named"
says "$work/stderr" " (map 0,0) would take " "absurd ground has a map"
says "$work/stderr" "million faces, more than 1.0 million: near " "absurd ground is told by how much"
says "$work/stderr" "Keep rock away there with a mask no_cliffs, or mend the heights" "and what to do"

exits 5 "absurd ground, fine" "$terrane" bake "$w" --out "$work/never" --section=0,0 --no-store --quiet --set height.z_max_m=32000 --set cliffs.lattice=fine
says "$work/stderr" "million samples, more than 16.8 million: near " "absurd ground is found before the work"
says "$work/stderr" ", or leave cliffs.lattice: fine" "and a coarser lattice is proposed"
# cells of any size, sectors that are cut by the world's edge, rock at that edge and beside a void: a sector
# alone is what it is among the others
mkdir -p "$work/small"
pairs() { printf "$1%.0s" $(seq "$2"); } # a row's part: a little-endian height, so many times
row=$(pairs '\\000\\020' 90)$(pairs '\\000\\120' 60)$(pairs '\\000\\220' 40)$(pairs '\\000\\000' 30)$(pairs '\\000\\320' 55)$(pairs '\\000\\120' 25)
for y in $(seq 210); do printf "$row"; done >"$work/small/h.r16"
edges() { # CELL_M LATTICE: 300 x 210 cells, walls through all of them
    local name="cells of $1 m, $2" cell=$1
    printf '%s\n' 'terrane: 1' "world: {name: s, size_m: [$(awk "BEGIN {print 300 * $cell, \",\", 210 * $cell}")], seed: 7}" \
        "grid: {cell_m: $cell}" 'height: {files: h.r16, endian: little, samples: cells, z_min_m: 0, z_max_m: 90, nodata: 0}' \
        'tools: [cliffs]' "cliffs: {min_patch_m2: 1, lattice: $2}" >"$work/small/world.yaml"
    rm -rf "$work/whole"
    exits 0 "$name" "$terrane" bake "$work/small" --out "$work/whole" --no-store
    "$terrane" bake "$work/small" --out "$work/part" --no-store --quiet --sector=1,0 --sector=4,3
    cmp -s "$work/whole/maps/x0_y0/sectors/s1_0.cliff.glb" "$work/part/maps/x0_y0/sectors/s1_0.cliff.glb" &&
        cmp -s "$work/whole/maps/x0_y0/sectors/s4_3.cliff.glb" "$work/part/maps/x0_y0/sectors/s4_3.cliff.glb"
    verdict $? "$name: sectors alone"
    "$terrane" verify "$work/whole" --quiet
    verdict $? "$name: verifies"
    mkdir -p "$work/valid"
    cp "$work/whole/maps/x0_y0/sectors/s1_0.cliff.glb" "$work/valid/$cell.cliff.glb"
    rm -rf "$work/part"
}
edges 0.5 default
edges 0.5 fine
edges 1 fine
edges 1.7 default
edges 4 default
sed -i 's/cell_m: 4/cell_m: 8/; s/size_m: .*, seed/size_m: [2400, 1680], seed/' "$work/small/world.yaml"
exits 3 "cells that are too large" "$terrane" check "$work/small"
says "$work/stderr" "world.yaml:3:16: error: tool 'cliffs' needs cells of 4 m or less, not 8 m" "cells that are too large say so"

# images push rock; a mask keeps it away to the cell
world cliffs 'cliffs: {displacement: [{file: art/small.png, tile_m: 12, depth_m: 0.6}, {file: art/small.png, tile_m: 5, depth_m: 0.2}]}'
bake "$work/pushed" --section=0,0 --no-store
[ "$(cat "$work/pushed/maps/x0_y0/sectors/s0_0.cliff.glb" | wc -c)" -gt 1000 ] &&
    ! cmp -s "$work/pushed/maps/x0_y0/sectors/s0_0.cliff.glb" "$work/one/maps/x0_y0/sectors/s0_0.cliff.glb"
verdict $? "displacement images move the rock"

# the Khronos validator and what gltf calls valid
if ! command -v node >/dev/null; then
    skip "cliff meshes: node is not here, nothing was validated"
else
    find "$work/one" "$work/pushed" "$work/valid" -name '*.cliff.glb' -exec node tests/gltf_validate.mjs {} + >"$work/validated"
    if grep -q '^skip' "$work/validated"; then
        skip "cliff meshes: the npm package gltf-validator is not here"
    else
        ! grep '^not ok' "$work/validated" && [ "$(grep -c '^ok' "$work/validated")" -gt 8 ]
        verdict $? "cliff meshes are valid: $(grep -c '^ok' "$work/validated") files"
    fi
fi

# rocks below the rock, plants on its ledges
"$terrane" bake fixtures/cliffs --out "$work/scatter" --section=0,0 --no-store --quiet --threads 1
verdict $? "a recipe of talus and ledges bakes"
"$terrane" bake fixtures/cliffs --out "$work/scatter2" --section=0,0 --no-store --quiet --threads 2
same "$work/scatter" "$work/scatter2" "talus and ledges on 1 and 2 threads"
[ "$(find "$work/scatter" -name '*.points.ply' | wc -l)" -gt 4 ]
verdict $? "talus and ledges are set"
"$terrane" explain fixtures/cliffs --at 213.5,194.5 --why-not talus_rubble --no-store >"$work/why" 2>&1
grep -q "the rock of a cliff lies there, and it is no ledge" "$work/why"
verdict $? "explain says that rock lies there"
