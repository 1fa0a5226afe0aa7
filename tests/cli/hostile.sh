# What the surroundings do to a bake: a store that cannot be written, is full, damaged or taken away, other bakes in
# the same folder, long paths, small limits. The bytes stay the same, or the exit code and a message say why not.
. tests/cli/lib.sh
"$terrane" new "$work/w" --quiet
"$terrane" bake "$work/w" --out "$work/good" --store "$work/s" --quiet

# ---- stores that keep nothing ----
touch "$work/file"
exits 0 "a store that is a file" "$terrane" bake "$work/w" --out "$work/a" --store "$work/file"
says "$work/stderr" "warning: results could not be kept for the next bake: $work/file" "a store that is a file is told"
same "$work/good" "$work/a" "a store that is a file changes nothing"
if mkdir "$work/ro" && mount -t tmpfs tmpfs "$work/ro" 2>/dev/null; then
    cp -r "$work/w" "$work/ro/w"
    mount -o remount,ro "$work/ro"
    exits 0 "a read-only world" "$terrane" bake "$work/ro/w" --out "$work/b"
    says "$work/stderr" "warning: results could not be kept" "a read-only world: told"
    same "$work/good" "$work/b" "a read-only world: the same bytes"
    exits 0 "check of a read-only world" "$terrane" check "$work/ro/w"
    exits 0 "a layer of a read-only world" "$terrane" layer "$work/ro/w" slope --out "$work/slope.png"
    exits 4 "out beside a read-only world" "$terrane" bake "$work/ro/w"
    says "$work/stderr" "cannot make the folder: Read-only file system" "out beside a read-only world: told"
    umount "$work/ro"
    for size in 200k 2m; do
        mount -t tmpfs -o size=$size tmpfs "$work/ro"
        exits 0 "a full store, $size" "$terrane" bake "$work/w" --out "$work/c$size" --store "$work/ro/s"
        says "$work/stderr" "No space left on device" "a full store, $size: told"
        same "$work/good" "$work/c$size" "a full store, $size: the same bytes"
        umount "$work/ro"
    done
else
    skip "read-only and full stores: cannot mount a tmpfs here"
fi

# ---- damaged and vanishing stores ----
bad=0 again=0
for share in 2 3 10; do
    n=0
    rm -rf "$work/t" "$work/d"
    cp -r "$work/s" "$work/t"
    for f in $(find "$work/t" -type f ! -name size ! -name lock | sort); do
        n=$((n + 1))
        if [ $((n % share)) -eq 0 ]; then rm "$f"; elif [ $((n % share)) -eq 1 ]; then truncate -s 300 "$f"; fi
    done
    "$terrane" bake "$work/w" --out "$work/d" --store "$work/t" --json 2>/dev/null >"$work/report.json" || bad=$((bad + 1))
    runs=$(grep -o '"runs": [0-9]*' "$work/report.json" | awk '{n += $2} END {print n + 0}')
    [ "$runs" -gt "$again" ] && again=$runs
    diff -rq -x timings.json -x '.*' "$work/good" "$work/d" >/dev/null || bad=$((bad + 1))
done
verdict $bad "damaged stores: the same bytes"
entries=$(find "$work/s" -type f | wc -l)
[ "$again" -gt 0 ] && [ "$again" -lt $((2 * entries)) ]
verdict $? "damaged stores: nothing is made again and again ($again runs, $entries entries)"
"$terrane" bake "$work/w" --out "$work/e" --store "$work/u" --quiet 2>/dev/null &
pid=$!
n=0
while kill -0 $pid 2>/dev/null; do
    rm -rf "$work/u" 2>/dev/null
    n=$((n + 1))
done
wait $pid
verdict $? "a store that is removed $n times while baking"
same "$work/good" "$work/e" "a store that is removed while baking: the same bytes"

# ---- limits ----
exits 0 "little memory, many threads" "$terrane" bake "$work/w" --out "$work/f" --no-store --memory 16 --threads 64
same "$work/good" "$work/f" "little memory, many threads: the same bytes"
if (ulimit -v 1500000 && "$terrane" --version) >/dev/null 2>&1; then
    (ulimit -v 1500000 && exec "$terrane" bake "$work/w" --out "$work/i" --no-store --quiet --threads 16)
    verdict $? "1.5 GB of address space for 16 threads"
    same "$work/good" "$work/i" "1.5 GB of address space: the same bytes"
else
    skip "1.5 GB of address space: this build does not even start in it"
fi
(ulimit -s 512 && exec "$terrane" bake "$work/w" --out "$work/j" --no-store --quiet)
verdict $? "a stack of 512 KiB"
(
    ulimit -f 100
    exits 4 "a limit on file sizes" "$terrane" bake "$work/w" --out "$work/k" --no-store
    says "$work/stderr" "cannot write: File too large" "a limit on file sizes: told"
)
"$terrane" bake "$work/w" --out "$work/l" --store "$work/file" <&- >&- 2>&-
verdict $? "standard streams that are closed"
same "$work/good" "$work/l" "standard streams that are closed: no message lands in an output"
long=$work/$(printf 'x%.0s' $(seq 200))/$(printf 'y%.0s' $(seq 200))
long=$long/$(printf 'z%.0s' $(seq 200))/$(printf 'x%.0s' $(seq 200))/$(printf 'y%.0s' $(seq 200))/z
exits 5 "a store's path of more than 1000 bytes" "$terrane" bake "$work/w" --out "$work/g" --store "$long"
says "$work/stderr" "a path is longer than 1023 bytes" "a long store's path: told"

# ---- what a killed bake leaves ----
"$terrane" bake "$work/w" --out "$work/h" --no-store --quiet &
pid=$!
until [ -e "$work/h/.store-$pid.tmp/lock" ] || ! kill -0 $pid 2>/dev/null; do :; done
kill -STOP $pid
"$terrane" bake "$work/w" --out "$work/h" --store "$work/s" --quiet
[ -d "$work/h/.store-$pid.tmp" ] || ! kill -0 $pid 2>/dev/null
verdict $? "the temporary store of a living bake stays"
kill -9 $pid
wait $pid 2>/dev/null
"$terrane" bake "$work/w" --out "$work/h" --store "$work/s" --quiet
left=$(find "$work/h" -name '.store-*' | wc -l)
verdict "$left" "the temporary store of a killed bake goes ($left)"
same "$work/good" "$work/h" "after a killed bake: the same bytes"

# ---- manifests that somebody altered ----
manifest=$work/h/maps/x0_y0/manifest.json
sed -i '0,/"hash": "..../s//"hash": "0000/; 0,/"entities": [0-9]*/s//"entities": 7/' "$manifest"
sed -i 's|"outputs": {|"outputs": {"sections/c0_0/../../../x.png": {"hash": "1"}, "manifest.json": {}, "x": 5,|' "$manifest"
exits 1 "verify of an altered manifest" "$terrane" verify "$work/h"
"$terrane" bake "$work/w" --out "$work/h" --store "$work/s" --quiet
same "$work/good" "$work/h" "a bake over an altered manifest"
rm "$work/h/maps/x0_y0/preview.png"
mkfifo "$work/h/maps/x0_y0/preview.png"
exits 1 "verify of a pipe in a file's place" timeout 20 "$terrane" verify "$work/h"
says "$work/stdout" "is not a file" "verify of a pipe: told"

# ---- two bakes of different inputs into one folder: never a mixture without a word ----
"$terrane" bake "$work/w" --out "$work/other" --store "$work/s" --quiet --set noise.clump.seed=9
silent=0 told=0
for i in 1 2 3 4 5 6; do
    rm -rf "$work/both"
    "$terrane" bake "$work/w" --out "$work/both" --store "$work/s" --quiet 2>"$work/one" &
    pid=$!
    "$terrane" bake "$work/w" --out "$work/both" --store "$work/s" --quiet --set noise.clump.seed=9 2>"$work/two"
    two=$?
    wait $pid
    one=$?
    grep -q "another bake, of other inputs" "$work/one" "$work/two" && told=$((told + 1))
    "$terrane" verify "$work/both" --quiet >/dev/null 2>&1 || [ $one -eq 4 ] || [ $two -eq 4 ] || silent=$((silent + 1))
done
verdict $silent "two bakes of different inputs: told $told times of 6"
"$terrane" bake "$work/w" --out "$work/both" --store "$work/s" --quiet
same "$work/good" "$work/both" "a bake after two of different inputs"
