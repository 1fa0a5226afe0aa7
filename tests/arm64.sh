#!/usr/bin/env bash
# usage: tests/arm64.sh [SCRATCH]         default build/arm64; UNITS="math noise" limits the unit tests, "none" omits them
# The same bytes on arm64 as here: builds the program for arm64, runs the unit tests and bakes worlds under
# qemu-user, and compares every file with this machine's. Simplified meshes (*.cliff.glb) may differ
# (libmeshoptimizer is compiled with fused multiply-add there), and with them their hashes in manifests; nothing else.
# A cross compiler, qemu-user and the arm64 libraries come from Debian's archive through a private apt configuration and
# are unpacked in SCRATCH: nothing is installed. By hand or nightly: a quarter of an hour of processor time and the network.
cd "$(dirname "$0")/.." || exit 2
. tests/cli/lib.sh
scratch=${1:-build/arm64}
mkdir -p "$scratch" || exit 2
scratch=$(cd "$scratch" && pwd)
sysroot=$scratch/sysroot tools=$scratch/tools build=$scratch/build
libraries="libc6-dev libpng-dev zlib1g-dev libstb-dev libyaml-dev libjansson-dev libxxhash-dev libdeflate-dev libmeshoptimizer-dev libcmocka-dev"

give_up() {
    skip "arm64: $*"
    exit 0
}
[ "$(uname -sm)" = "Linux x86_64" ] || give_up "not an x86-64 Linux"
command -v apt-get >/dev/null && command -v dpkg >/dev/null || give_up "no apt-get and dpkg"

# download NAME STATUS-FILE PACKAGE...: fetches what STATUS-FILE lacks, unpacks it in $scratch/NAME
export APT_CONFIG=$scratch/apt.conf
download() {
    local into=$scratch/$1 cache=$scratch/$1.cache status=$2 file
    shift 2
    rm -rf "$into" "$cache"
    mkdir -p "$into" "$cache/archives/partial"
    apt-get -q -y --download-only -o Dir::State::status="$status" -o Dir::Cache="$cache" install "$@" >"$scratch/apt.log" 2>&1 ||
        give_up "packages cannot be had: $(tail -n 1 "$scratch/apt.log")"
    for file in "$cache"/archives/*_"${arch}".deb "$cache"/archives/*_all.deb; do
        [ ! -f "$file" ] || dpkg -x "$file" "$into" || give_up "$file does not unpack"
    done
    rm -rf "$cache"
    echo "$libraries" >"$into.done"
}
if ! echo "$libraries" | cmp -s - "$sysroot.done" || [ ! -e "$tools.done" ]; then
    mkdir -p "$scratch/state/lists/partial"
    cat >"$APT_CONFIG" <<END
Dir::State "$scratch/state";
Dir::Cache "$scratch";
APT::Architectures {"amd64"; "arm64";};
APT::Install-Recommends "false";
APT::Sandbox::User "";
END
    apt-get -q update >"$scratch/apt.log" 2>&1 || give_up "apt-get update: $(tail -n 1 "$scratch/apt.log")"
    : >"$scratch/nothing"
    arch=arm64 download sysroot "$scratch/nothing" $(printf '%s:arm64 ' $libraries)
    if command -v aarch64-linux-gnu-gcc >/dev/null && command -v qemu-aarch64 >/dev/null; then
        mkdir -p "$tools" && : >"$tools.done"
    else
        arch=amd64 download tools /var/lib/dpkg/status gcc-aarch64-linux-gnu qemu-user
    fi
fi
PATH=$tools/usr/bin:$PATH
export LD_LIBRARY_PATH=$tools/usr/lib/x86_64-linux-gnu
arm() { nice qemu-aarch64 -L "$sysroot" "$@"; }

make -s all tools >"$scratch/make.log" 2>&1 || { tail -n 20 "$scratch/make.log"; exit 2; }
make -j"$(nproc)" CC=aarch64-linux-gnu-gcc AR=aarch64-linux-gnu-ar BUILD="$build" CFLAGS="--sysroot=$sysroot -Wno-error" LDFLAGS="--sysroot=$sysroot" \
    PKG_CFLAGS="-I$sysroot/usr/include/stb -I$sysroot/usr/include/libpng16" all units >"$scratch/make.log" 2>&1
built=$?
verdict $built "the program builds for arm64"
[ $built -eq 0 ] || { tail -n 20 "$scratch/make.log"; exit 1; }
fused=$(aarch64-linux-gnu-objdump -d "$build/terrane" | grep -cE '\s(fn?m(add|sub)|fml[as])\s')
[ "$fused" -eq 0 ]
verdict $? "no fused multiply-add in the program ($fused)"

for test in "$build"/tests/unit/test_*; do
    name=$(basename "$test")
    case $name in *.[od]) continue ;; esac
    [ -z "${UNITS-}" ] || case " $UNITS " in *" ${name#test_} "*) ;; *) continue ;; esac
    arm "$test" >"$scratch/$name.log" 2>&1
    verdict $? "$name"
done

# Files that need not be the same, and lines of manifests that depend on them
outputs() { (cd "$1" && find . -type f ! -name '.*' ! -name timings.json ! -name state.json | sort); }
without_meshes() { # MANIFEST
    awk -v meshes="$meshes" '
        /^  "/ { mesh = /\.cliff\.glb": {/ }
        mesh && /^   "(hash|bytes)":/ { next }
        mesh && /^   "triangles": {/ { counts = 1 }
        counts { counts = !/^   }/; next }
        meshes > 0 && (/^ "hash":/ || /^  "x-?[0-9]+_y-?[0-9]+":/) { next }
        { print }' "$1"
}
compare() { # NAME HERE THERE
    local f bad=0 meshes differ=0 n=0
    outputs "$2" >"$work/here.list"
    outputs "$3" >"$work/there.list"
    cmp -s "$work/here.list" "$work/there.list"
    verdict $? "$1: the same files"
    meshes=$(grep -c '\.cliff\.glb$' "$work/here.list")
    while IFS= read -r f; do
        n=$((n + 1))
        cmp -s "$2/$f" "$3/$f" && continue
        case $f in
        *.cliff.glb) differ=$((differ + 1)) && continue ;;
        */manifest.json) cmp -s <(without_meshes "$2/$f") <(without_meshes "$3/$f") && continue ;;
        esac
        bad=$((bad + 1))
        echo "differs: $f"
    done <"$work/here.list"
    [ $bad -eq 0 ] && [ $n -gt 10 ]
    verdict $? "$1: the same bytes ($n files; $differ of $meshes simplified meshes differ)"
    "$terrane" verify "$3" --quiet
    verdict $? "$1: what arm64 wrote verifies here"
}
world() { # NAME WORLD ARGUMENTS...
    local name=$1 in=$2
    shift 2
    "$terrane" bake "$in" --out "$work/here" --no-store --quiet "$@" || not_ok "$name: bake here"
    arm "$build/terrane" bake "$in" --out "$work/there" --store "$work/store" --quiet "$@" || not_ok "$name: bake on arm64"
    compare "$name" "$work/here" "$work/there"
    "$terrane" bake "$in" --out "$work/shared" --store "$work/store" --quiet "$@" || not_ok "$name: bake from arm64's store"
    same "$work/here" "$work/shared" "$name: from arm64's store"
    rm -rf "$work/here" "$work/there" "$work/shared" "$work/store"
}
four_maps "$work/w"
add_water "$work/w"
mkdir "$work/a" "$work/b" # a world is named by its folder
arm "$build/terrane" new "$work/a/new" --quiet && "$terrane" new "$work/b/new" --quiet && diff -r "$work/a" "$work/b"
verdict $? "a new world"
world sameness "$work/w"
world demo fixtures/demo --set 'tools=[freshwater, cliffs, biomes]'
world cliffs fixtures/cliffs
