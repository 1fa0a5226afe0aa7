# Writers at the same time lose nothing.
. tests/cli/lib.sh
four_maps "$work/w"
"$terrane" bake "$work/w" --out "$work/good" --no-store --quiet
for x in -2 -1 0; do
    for y in -1 0 1; do
        "$terrane" bake "$work/w" --out "$work/out" --section=$x,$y --store "$work/s" --quiet &
    done
done
wait
"$terrane" verify "$work/out" --quiet
verdict $? "nine writers of different sections"
find "$work/good" "$work/out" -name preview.png -delete
diff -rq -x timings.json -x state.json -x manifest.json -x '.*' "$work/good" "$work/out" >"$work/d"
verdict $? "nine writers lose nothing"
for i in 1 2 3; do
    "$terrane" bake "$work/w" --out "$work/out" --store "$work/s" --quiet &
done
wait
"$terrane" verify "$work/out" --quiet
verdict $? "three writers of the same"
