# Killed at any moment, on a full disk, in a read-only folder: each file is old or new, the next bake goes on.
. tests/cli/lib.sh
four_maps "$work/w"
"$terrane" bake "$work/w" --out "$work/good" --no-store --quiet
start=$(date +%s%N)
"$terrane" bake "$work/w" --out "$work/out" --store "$work/s" --quiet
ms=$((($(date +%s%N) - start) / 1000000 + 1))

seed=4711 bad=0
for i in $(seq 50); do
    seed=$(((seed * 1103515245 + 12345) % 2147483648))
    wait_ms=$((seed / 65536 % ms))
    rm -rf "$work/s"
    [ $((i % 5)) -eq 0 ] && rm -rf "$work/out"
    "$terrane" bake "$work/w" --out "$work/out" --store "$work/s" --quiet 2>/dev/null &
    pid=$!
    sleep "$(printf '%d.%03d' $((wait_ms / 1000)) $((wait_ms % 1000)))"
    kill -9 $pid 2>/dev/null
    wait $pid 2>/dev/null
    # whatever stands there under its own name is whole
    for f in $(cd "$work/out" 2>/dev/null && find . -type f ! -name '.*' ! -name timings.json ! -name state.json \
        ! -name manifest.json ! -path '*/.*'); do
        cmp -s "$work/out/$f" "$work/good/$f" || bad=$((bad + 1))
    done
done
verdict $bad "50 kills leave whole files"
"$terrane" bake "$work/w" --out "$work/out" --store "$work/s" --quiet
same "$work/good" "$work/out" "the bake after 50 kills"
left=$(find "$work/out" -name '*.tmp' | wc -l)
verdict "$left" "no temporaries are left ($left)"

# other pixels over a good bake: the disk fills up half way
mkdir "$work/small"
if mount -t tmpfs -o size=3m tmpfs "$work/small" 2>/dev/null; then
    "$terrane" bake "$work/w" --out "$work/small/out" --sector=0,0 --no-store --quiet --store "$work/s"
    cp -r "$work/small/out" "$work/before"
    head -c 10m /dev/zero >"$work/small/filler" 2>/dev/null
    exits 4 "a full disk is exit 4" "$terrane" bake "$work/w" --out "$work/small/out" --store "$work/s" \
        --set height.z_max_m=1600
    says "$work/stderr" "No space left on device" "a full disk says so"
    bad=0
    for f in $(cd "$work/before" && find . -name '*.png' -o -name '*.ply'); do
        [ -s "$work/small/out/$f" ] || bad=$((bad + 1))
    done
    verdict $bad "a full disk leaves what was there"
    umount "$work/small"
else
    skip "a full disk: cannot mount a tmpfs here"
fi

mkdir -p "$work/ro/out"
if [ "$(id -u)" -eq 0 ] && mount -t tmpfs tmpfs "$work/ro" 2>/dev/null; then
    mkdir "$work/ro/out"
    mount -o remount,ro "$work/ro"
    exits 4 "a read-only folder is exit 4" "$terrane" bake "$work/w" --out "$work/ro/out" --store "$work/s"
    says "$work/stderr" "Read-only file system" "a read-only folder says so"
    umount "$work/ro"
else
    chmod 555 "$work/ro/out"
    if touch "$work/ro/out/x" 2>/dev/null; then
        skip "a read-only folder: everything can be written here"
    else
        exits 4 "a read-only folder is exit 4" "$terrane" bake "$work/w" --out "$work/ro/out" --store "$work/s"
    fi
fi

# Ctrl-C ends cleanly
rm -rf "$work/int" "$work/s3"
"$terrane" bake "$work/w" --out "$work/int" --store "$work/s3" --quiet 2>"$work/stderr" &
pid=$!
sleep 0.05
kill -INT $pid
wait $pid
got=$?
[ $got -eq 130 ] || [ $got -eq 0 ] # it may have been done already
verdict $? "an interrupt is exit 130 ($got)"
