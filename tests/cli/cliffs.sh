# The tool cliffs: the same bytes for any threads and subset, no rock without a slope, seams of files, bad input.
. tests/cli/lib.sh
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
says "$work/stderr" "million samples, more than 33.6 million: near " "absurd ground is named"
says "$work/stderr" "Keep rock away there with a mask no_cliffs, or mend the heights" "and what to do"

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
    find "$work/one" "$work/pushed" -name '*.cliff.glb' -exec node tests/gltf_validate.mjs {} + >"$work/validated"
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
