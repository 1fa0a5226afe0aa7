# A bake on three threads, for a program built with ThreadSanitizer (scripts/test.sh).
. tests/cli/lib.sh
exits 0 "a new world" "$terrane" new "$work/w" --quiet
exits 0 "a cold bake on three threads" "$terrane" bake "$work/w" --out "$work/out" --threads 3 --quiet
exits 0 "a warm one with little memory" "$terrane" bake "$work/w" --out "$work/out2" --threads 3 --memory 16 --quiet
same "$work/out" "$work/out2" "both the same"
