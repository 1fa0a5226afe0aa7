# Each bad input: its exact message, no crash, nothing half-written.
. tests/cli/lib.sh
need_tools
here=$PWD
mkdir -p "$work/run"
image() { "$image_tool" "$@"; }
# A world of 64 x 64 m in w: what stands under `height`, and more lines.
world() { # HEIGHT LINES...
    printf 'terrane: 1\nworld: {name: bad, size_m: [64, 64]}\nheight: {%s}\n' "$1" >w/world.yaml
    shift
    [ $# -eq 0 ] || printf '%s\n' "$@" >>w/world.yaml
}
good='files: good.png, z_min_m: 0, z_max_m: 100'
# A bake of w that must fail: whatever stands in out afterwards is listed.
bake() {
    local status
    rm -rf out
    "$terrane" bake w --out out --no-store "$@"
    status=$?
    [ $status -eq 0 ] || find out -type f 2>/dev/null
    find w -name '*.tmp'
    return $status
}
explain() { "$terrane" explain w --at 1,1 --no-store; }
# 1088 x 64 m: two maps
two_maps() { # HEIGHT
    printf 'terrane: 1\nworld: {name: bad, size_m: [1088, 64]}\nheight: {%s}\n' "$1" >w/world.yaml
}
legend() { # YAML: for the colours of m.png
    world "$good" "masks: {paint: {files: m.png, legend: $1}}"
    check
}
yaml() { printf '%s\n' "$@" >w/world.yaml; } # LINES...
good_with() { world "$good" "$@"; }           # LINES...
# Ten aliases of ten aliases of ... : ten lines that stand for a thousand million values
bomb() {
    yaml 'terrane: 1' 'a0: &a0 [x, x, x, x, x, x, x, x, x, x]'
    for i in 1 2 3 4 5 6 7 8; do
        b="*a$((i - 1))"
        echo "a$i: &a$i [$b, $b, $b, $b, $b, $b, $b, $b, $b, $b]" >>w/world.yaml
    done
}
feature() { # GEOMETRY COORDINATES PROPERTIES
    printf '{"type": "FeatureCollection", "features": [\n' >w/a.json
    printf '{"type": "Feature", "properties": {%s}, "geometry": {"type": "%s", "coordinates": [%s]}}\n]}\n' \
        "$3" "$1" "$2" >>w/a.json
}
line() { # POINTS [PROPERTIES]
    good_with 'splines: a.json'
    feature LineString "$1" "${2-"\"kind\": \"river\""}"
}
two_lines() { # ID ID: what stands in front of the properties
    good_with 'splines: a.json'
    local rest='"properties": {"kind": "river"}, "geometry": {"type": "LineString", "coordinates": [[1, 1], [60'
    printf '{"type": "FeatureCollection", "features": [\n{"type": "Feature", %s %s, 60]]}},\n' "$1" "$rest" >w/a.json
    printf '{"type": "Feature", %s %s, 50]]}}\n]}\n' "$2" "$rest" >>w/a.json
}
area() { # POINTS
    good_with 'placed: a.json'
    feature Polygon "[$1]" '"kind": "footprint"'
}
biomes() { # NAMES: a recipe with these biomes
    world "$good" 'biomes:' '  recipe: 1' '  biomes:'
    printf '    %s: {}\n' "$@" >>w/world.yaml
    echo '  species: {a: {biomes: all, priority: 1, viability: [{value: 1}], density_per_ha: 1,' >>w/world.yaml
    echo '    viability_radius_m: 2, height_m: [1, 2]}}' >>w/world.yaml
}
poke() { # FILE OFFSET BYTES
    printf "$3" | dd of="$1" bs=1 seek="$2" conv=notrunc status=none
}
check() { # what a good world is does not matter here
    "$terrane" check w --quiet "$@" >"$work/check" && echo good
}
cd "$work/run" || exit 1
mkdir w
image png16 64 64 w/good.png
cd "$here" || exit 1
for transcript in bad_heights bad_masks bad_lines bad_yaml; do
    transcript $transcript
done
