#!/usr/bin/env bash
# usage: scripts/check_symbols.sh [BUILD]     default build/release
# Fails when an object of the library or the program uses a function whose results differ between C libraries
# (libm's transcendental functions; terrain/math.h has its own), fma, or a stream of randomness.
set -eu
build=${1:-build/release}
libm='a?(sin|cos|tan)h?|atan2|sincos|exp|exp2|exp10|expm1|log|log2|log10|log1p|pow|pow10|hypot|cbrt|fma|erfc?|[lt]gamma|remquo|j[01n]|y[01n]'
randomness='s?rand|rand_r|s?random|[dejlmn]rand48|srand48|getrandom|arc4random.*'
banned="^(($libm)[fl]?|$randomness)$"
folders=()
for d in terrain biome cliff water gen cmd; do
    [ ! -d "$build/$d" ] || folders+=("$build/$d")
done
[ ${#folders[@]} -gt 0 ] || { echo "check_symbols: no objects in $build: build it first" >&2; exit 2; }
count=0 bad=0
while IFS= read -r object; do
    count=$((count + 1))
    found=$(nm -u "$object" | awk '{ print $2 }' | sed -E 's/@.*//; s/^__(.*)_finite$/\1/' | grep -E "$banned" || true)
    if [ -n "$found" ]; then
        echo "check_symbols: ${object#"$build"/} uses" $found >&2
        bad=$((bad + 1))
    fi
done < <(find "${folders[@]}" -name '*.o' | sort)
[ "$count" -gt 0 ] || { echo "check_symbols: no objects in $build: build it first" >&2; exit 2; }
[ "$bad" -eq 0 ] || exit 1
echo "check_symbols: $count objects use no banned function"
