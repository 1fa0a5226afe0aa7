#!/usr/bin/env bash
# usage: scripts/check_symbols.sh [BUILD]     default build/release
# Fails when an object of the library or the program uses a function whose results differ between C libraries
# (libm's transcendental functions, fmax and fmin; terrain/math.h has its own), fma, or a stream of randomness; or when one that is not
# gen/os.o asks the operating system itself (files, clocks, processes, signals, terminals; threads are no matter).
set -eu
build=${1:-build/release}
libm='a?(sin|cos|tan)h?|atan2|sincos|exp|exp2|exp10|expm1|log|log2|log10|log1p|pow|pow10|hypot|cbrt|fma|erfc?|[lt]gamma|remquo|fmax|fmin|j[01n]|y[01n]'
randomness='s?rand|rand_r|s?random|[dejlmn]rand48|srand48|getrandom|arc4random.*'
banned="^(($libm)[fl]?|$randomness)$"
files='f?open(at|dir)?(64)?|freopen(64)?|fdopen|fileno|tmpfile(64)?|mkd?s?temp(64)?|close(dir)?|readdir(64)?|p?read(64)?|p?write(64)?|l?f?stat(at|x)?(64)?'
files="$files|fcntl(64)?|ioctl|flock|lockf(64)?|f?truncate(64)?|mkdir(at)?|rmdir|unlink(at)?|remove|rename(at)?|readlink|realpath|(sym)?link|access|chmod"
files="$files|fsync|fdatasync|sync(fs)?|utimensat|futimens|mmap(64)?|munmap|mprotect|madvise|getcwd|chdir|nftw(64)?|glob|dup[23]?|pipe"
system='clock_gettime|gettimeofday|time|clock|times|sysconf|getpid|getppid|getuid|getr(limit|usage)(64)?|setrlimit(64)?|signal|sigaction|raise|kill'
system="$system|fork|exec[lv]p?e?|posix_spawnp?|system|popen|wait(pid)?|(nano|u)?sleep|poll|p?select|isatty|uname|gethostname"
os="^(($files)|($system))$"
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
    [ "${object#"$build"/}" != gen/os.o ] || continue
    found=$(nm -u "$object" | awk '{ print $2 }' | sed -E 's/@.*//' | grep -E "$os" || true)
    if [ -n "$found" ]; then
        echo "check_symbols: ${object#"$build"/} asks the operating system itself (gen/os.h is the place):" $found >&2
        bad=$((bad + 1))
    fi
done < <(find "${folders[@]}" -name '*.o' | sort)
[ "$count" -gt 0 ] || { echo "check_symbols: no objects in $build: build it first" >&2; exit 2; }
[ "$bad" -eq 0 ] || exit 1
echo "check_symbols: $count objects use no banned function, and only gen/os.o the operating system"
