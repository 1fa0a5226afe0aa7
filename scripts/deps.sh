#!/bin/sh
# Installs the Debian packages that are missing: those to build, or (deps.sh test, deps.sh lint) also those.
set -eu
build="gcc make libc6-dev libpng-dev zlib1g-dev libstb-dev libyaml-dev libjansson-dev libxxhash-dev libdeflate-dev libmeshoptimizer-dev"
test="clang clang-format libclang-rt-14-dev llvm libcmocka-dev gdal-bin"
lint="clang-format clang-tidy cppcheck"
want=$build
[ "${1-}" = test ] && want="$build $test"
[ "${1-}" = lint ] && want="$build $lint"
# the Khronos validator is no Debian package; without npm the test of meshes is skipped, and says so
if [ "${1-}" = test ] && command -v npm >/dev/null 2>&1 && [ ! -d build/npm/node_modules/gltf-validator ]; then
    npm install --prefix build/npm --no-audit --no-fund --silent gltf-validator >/dev/null 2>&1 ||
        echo "deps: gltf-validator could not be installed; meshes will not be validated" >&2
fi
if ! command -v dpkg-query >/dev/null 2>&1; then
    echo "deps: not a Debian system; needed are: $want" >&2
    exit 0
fi
missing=
for package in $want; do
    case $(dpkg-query -W -f '${Status}' "$package" 2>/dev/null || true) in
    *"ok installed") ;;
    *) missing="$missing $package" ;;
    esac
done
[ -n "$missing" ] || exit 0
if [ "$(id -u)" -eq 0 ]; then
    sudo=
elif command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
    sudo=sudo
else
    echo "deps: missing packages; as root run: apt-get install$missing" >&2
    exit 1
fi
echo "deps: installing$missing"
$sudo apt-get update -qq
DEBIAN_FRONTEND=noninteractive $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null
