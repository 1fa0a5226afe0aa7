#!/bin/sh
# clang-tidy (.clang-tidy says what and why) and cppcheck over the library and the program, all processors.
# usage: scripts/lint.sh [FILE.c ...]
set -u
cd "$(dirname "$0")/.."
[ $# -gt 0 ] || set -- $(git ls-files 'terrain/*.c' 'biome/*.c' 'cliff/*.c' 'water/*.c' 'gen/*.c' 'cmd/*.c')
flags="-std=c17 -I. -I/usr/include/stb -I/usr/include/libpng16 -D_POSIX_C_SOURCE=200809L"
jobs=$(nproc 2>/dev/null || echo 2)
bad=0
for tool in clang-tidy cppcheck; do
    command -v $tool >/dev/null || { echo "lint: no $tool: make deps, or apt-get install $tool" >&2; exit 1; }
done
# stb_image is another's header, compiled in gen/stb_image.c
printf '%s\n' "$@" | grep -vx 'gen/stb_image.c' |
    xargs -P "$jobs" -n 8 sh -c 'flags=$1; shift; clang-tidy --quiet "$@" -- $flags 2>&1 |
        grep -v -e "warnings* generated" -e "^Suppressed" -e "^Use -header-filter"' sh "$flags" >build/clang-tidy.log
if grep -q 'error:' build/clang-tidy.log; then
    cat build/clang-tidy.log
    bad=1
fi
# What cppcheck is nearly always right about. Left out, and why:
#   uninitvar, uninitStructMember, ctuuninitvar   out parameters that count when the status says so
#   memleak                  does not see a pointer stored through an out parameter
#   arrayIndexThenCheck      an index and the value at it, compared in one expression
#   incorrectLogicOperator   cannot read 0x1p52
#   invalidFunctionArg       mmap's file -1
#   readdirCalled            asks for the deprecated readdir_r
cppcheck --quiet -j "$jobs" --std=c11 --error-exitcode=1 --enable=warning,performance,portability \
    --suppress=missingIncludeSystem --suppress=uninitvar --suppress=uninitStructMember --suppress=ctuuninitvar \
    --suppress=memleak --suppress=arrayIndexThenCheck --suppress=incorrectLogicOperator \
    --suppress=invalidFunctionArg --suppress=readdirCalled --library=posix -I. -D_POSIX_C_SOURCE=200809L \
    --template='{file}:{line}: {id}: {message}' $(printf '%s\n' "$@" | grep -vx 'gen/stb_image.c') || bad=1
exit $bad
