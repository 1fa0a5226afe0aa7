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

world cliffs 'cliffs: {max_triangles: 0}'
exits 3 "a budget of zero" "$terrane" check "$w"
says "$work/stderr" "'max_triangles' is out of range (100 to 10000000): 0" "a budget of zero says so"
world cliffs 'cliffs: {exclude: no_rock}'
exits 3 "an unknown mask" "$terrane" check "$w"
says "$work/stderr" "cliffs.exclude: there is no mask 'no_rock'" "an unknown mask says so"
world cliffs 'masks: {strata: {files: paint/biome.png, legend: {levl: "#000000", tilted: "#ffffff"}}}'
exits 3 "strata that are no preset" "$terrane" check "$w"
says "$work/stderr" "the mask 'strata' paints 'levl', which is no preset of cliffs.strata: did you mean 'level'?" \
    "strata that are no preset say so"
world cliffs 'masks: {no_cliffs: {files: heights/wog_valley.png}}'
exits 3 "an exclusion mask of 16 bits" "$terrane" check "$w"
world cliffs 'cliffs: {strata: {}}'
exits 3 "no presets" "$terrane" check "$w"
world cliffs 'cliffs: {min_slope: 40}'
exits 3 "an unknown key" "$terrane" check "$w"

# rocks below the rock, plants on its ledges
"$terrane" bake fixtures/cliffs --out "$work/scatter" --section=0,0 --no-store --quiet --threads 1
verdict $? "a recipe of talus and ledges bakes"
"$terrane" bake fixtures/cliffs --out "$work/scatter2" --section=0,0 --no-store --quiet --threads 2
same "$work/scatter" "$work/scatter2" "talus and ledges on 1 and 2 threads"
[ "$(find "$work/scatter" -name '*.points.ply' | wc -l)" -gt 4 ]
verdict $? "talus and ledges are set"
