#!/bin/bash
# Everything that has to hold: units with gcc and under AddressSanitizer + UBSan, the executor under
# ThreadSanitizer, every fuzz target over its corpus, the program from outside, symbols and format.
# Ends with one line: N passed, N failed, N skipped.
set -u
cd "$(dirname "$0")/.."
passed=0 failed=0 skipped=0
jobs=$(nproc)
logs=build/test-logs
mkdir -p $logs

say() { printf '\n== %s\n' "$*"; }
count() { # NAME LOG STATUS: adds up a cmocka program's or a script's result lines
    local ok bad skip
    ok=$(grep -cE '^\[       OK \]|^ok ' "$2")
    bad=$(grep -cE '^\[  FAILED  \] .*[^:]$|^not ok ' "$2")
    skip=$(grep -cE '^\[  SKIPPED \]|^skip ' "$2")
    # cmocka names a failed test twice: when it fails and in the list at the end
    grep -q '^\[==========\]' "$2" && bad=$(grep -cE '^\[  FAILED  \] [^0-9]' "$2") && bad=$((bad / 2))
    [ "$3" -ne 0 ] && [ "$bad" -eq 0 ] && bad=1
    passed=$((passed + ok)) failed=$((failed + bad)) skipped=$((skipped + skip))
    if [ "$bad" -ne 0 ]; then
        printf 'FAILED %s\n' "$1"
        tail -n 40 "$2"
    fi
    grep -E '^skip ' "$2"
    return 0
}
run() { # NAME COMMAND...
    local name=$1 log="$logs/$(echo "$1" | tr '/ ' '__').log"
    shift
    "$@" >"$log" 2>&1
    count "$name" "$log" $?
}
build() { # NAME MAKE-ARGUMENTS...
    local name=$1 log="$logs/build-$1.log"
    shift
    if make -j"$jobs" "$@" >"$log" 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        printf 'FAILED build %s\n' "$name"
        tail -n 30 "$log"
    fi
}

say "units, gcc -O3"
build release all units tools
for t in build/release/tests/unit/test_*; do
    [ -x "$t" ] && [ "${t##*.}" != o ] && [ "${t##*.}" != d ] && run "release/$(basename "$t")" "$t"
done

say "units, clang, AddressSanitizer + UBSan"
build asan CC=clang config=asan all units fuzzers
export ASAN_OPTIONS=detect_leaks=1:allocator_may_return_null=1 UBSAN_OPTIONS=print_stacktrace=1
for t in build/asan/tests/unit/test_*; do
    [ -x "$t" ] && [ "${t##*.}" != o ] && [ "${t##*.}" != d ] && run "asan/$(basename "$t")" "$t"
done

say "fuzz corpora"
for source in tests/fuzz/fuzz_*.c; do
    name=$(basename "$source" .c)
    corpus=tests/fuzz/corpus/${name#fuzz_}
    [ -d "$corpus" ] || { echo "not ok $name has no corpus"; failed=$((failed + 1)); continue; }
    if build/asan/tests/fuzz/"$name" "$corpus"/* >$logs/"$name".log 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED $name"
        tail -n 30 $logs/"$name".log
    fi
done

say "the executor, clang, ThreadSanitizer"
build tsan CC=clang config=tsan build/tsan/tests/unit/test_exec build/tsan/tests/unit/test_exec_store build/tsan/terrane
for name in test_exec test_exec_store; do
    TSAN_OPTIONS=halt_on_error=1:ignore_noninstrumented_modules=1 run tsan/$name build/tsan/tests/unit/$name
done
TSAN_OPTIONS=halt_on_error=1:ignore_noninstrumented_modules=1 TERRANE=$PWD/build/tsan/terrane run tsan/bake \
    bash tests/tsan_bake.sh

say "the program"
export GLTF_VALIDATOR=$PWD/build/npm
for script in tests/cli/*.sh; do
    [ "$(basename "$script")" = lib.sh ] || run "cli/$(basename "$script" .sh)" bash "$script"
done

say "the program, AddressSanitizer + UBSan"
for name in bad_input commands hostile limits pipes; do
    TERRANE=$PWD/build/asan/terrane run "asan/cli/$name" bash tests/cli/$name.sh
done

say "meshes, the Khronos validator"
rm -rf build/test-demo
run demo build/release/terrane bake fixtures/demo --out build/test-demo --no-store --quiet \
    --set 'tools=[freshwater, cliffs, biomes]'
run meshes sh tests/gltf_validate.sh build/release build/test-demo

say "slope and aspect, gdaldem"
run gdal bash tests/gdal_truth.sh

say "symbols and format"
run symbols bash scripts/check_symbols.sh
if command -v clang-format >/dev/null && clang-format --version | grep -q 'version 14'; then
    if clang-format --dry-run -Werror $(git ls-files '*.c' '*.h') >$logs/format.log 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        head -n 20 $logs/format.log
    fi
else
    echo "skip clang-format 14 is not here"
    skipped=$((skipped + 1))
fi

printf '\n%d passed, %d failed, %d skipped\n' $passed $failed $skipped
[ $failed -eq 0 ]
