# The same bytes: any thread count, any subset, any order, warm or cold, any compiler.
. tests/cli/lib.sh
four_maps "$work/w"
add_water "$work/w"
add_cliffs "$work/w"
echo 'freshwater: {auto_streams: {min_area_ha: 0.5}}' >>"$work/w/world.yaml"
bake() { # OUT ARGUMENTS...
    local out=$1
    shift
    "$terrane" bake "$work/w" --out "$out" --quiet "$@" || echo "not ok bake $*"
}
bake "$work/one" --threads 1 --no-store
for n in 2 3 7; do
    bake "$work/t" --threads $n --no-store
    same "$work/one" "$work/t" "threads $n"
    rm -rf "$work/t"
done

for m in -1,-1 0,-1 -1,0 0,0; do bake "$work/maps" --map=$m --no-store; done
same "$work/one" "$work/maps" "each map alone"

for y in -1 0 1; do
    for x in -2 -1 0; do
        bake "$work/sections" --section=$x,$y --no-store
    done
done
"$terrane" verify "$work/sections" --quiet
verdict $? "sections alone verify"
find "$work/one" "$work/sections" -name preview.png -delete # a picture of a map needs the whole map
diff -rq -x timings.json -x state.json -x manifest.json -x '.*' "$work/one" "$work/sections" >"$work/d"
verdict $? "each section alone"

# 200 random sectors in random order, several at a time, warm and cold
seed=12345
next() { seed=$(((seed * 1103515245 + 12345) % 2147483648)); }
i=0
while [ $i -lt 200 ]; do
    args= n=0
    next
    many=$((seed / 65536 % 24 + 1))
    while [ $n -lt $many ] && [ $i -lt 200 ]; do
        next; x=$((seed / 65536 % 8 - 4))
        next; y=$((seed / 65536 % 8 - 3))
        args="$args --sector=$x,$y"
        n=$((n + 1)) i=$((i + 1))
    done
    bake "$work/sectors" $args --store "$work/store"
done
cd "$work/sectors" || exit 1
bad=0 seen=0
for f in $(find maps -name '*.png' -o -name '*.ply' -o -name '*.glb'); do
    seen=$((seen + 1))
    cmp -s "$f" "$work/one/$f" || bad=$((bad + 1))
done
cd - >/dev/null || exit 1
[ $bad -eq 0 ] && [ $seen -gt 50 ]
verdict $? "200 random sectors in random order ($seen files)"
[ "$(find "$work/one" -name '*.cliff.glb' | wc -l)" -gt 20 ]
verdict $? "and there is rock among them"

bake "$work/cold" --store "$work/store2"
bake "$work/warm" --store "$work/store2"
find "$work/cold" "$work/warm" -name preview.png -delete
same "$work/cold" "$work/warm" "warm store"
diff -rq -x timings.json -x state.json -x manifest.json -x '.*' "$work/one" "$work/warm" >"$work/d"
verdict $? "store and no store"

# rock with talus under it and plants on its ledges
rock() { # TERRANE OUT
    "$1" bake fixtures/cliffs --out "$2" --section=0,0 --section=2,1 --no-store --quiet
    find "$2" -name preview.png -delete
}
rock "$terrane" "$work/rock"
[ "$(find "$work/rock" -name '*.points.ply' | wc -l)" -gt 8 ]
verdict $? "rocks and plants on rock"

if [ -z "${TERRANE-}" ]; then
    for build in "gcc debug" "clang release"; do
        set -- $build
        dir=build/same-$1-$2
        if ! command -v "$1" >/dev/null; then
            skip "$build is not here"
            continue
        fi
        make -j2 CC="$1" config="$2" BUILD="$dir" "$dir/terrane" >"$work/make.log" 2>&1 || tail -n 5 "$work/make.log"
        rm -rf "$work/other"
        "$dir/terrane" bake "$work/w" --out "$work/other" --no-store --quiet
        find "$work/other" -name preview.png -delete
        diff -rq -x timings.json -x state.json -x manifest.json -x '.*' "$work/one" "$work/other" >"$work/d"
        verdict $? "$build build"
        head -n 3 "$work/d"
        rock "$dir/terrane" "$work/other_rock"
        same "$work/rock" "$work/other_rock" "$build build: rock, talus and ledges"
        rm -rf "$work/other_rock"
    done
fi
