#!/bin/sh
# Validates the meshes that test_glb writes, and those of folders that are named behind it:
# tests/gltf_validate.sh BUILD_DIR [DIR...]
# Says "skip ..." when node or the npm package gltf-validator is not here.
set -eu
build=${1:?usage: tests/gltf_validate.sh BUILD_DIR [DIR...]}
shift
if ! command -v node >/dev/null; then
    echo "skip meshes: node is not here, nothing was validated"
    exit 0
fi
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
GLB_SAMPLES=$dir "$build/tests/unit/test_glb" >"$dir/log" 2>&1 || { cat "$dir/log"; exit 1; }
find "$dir" "$@" -name '*.glb' -exec node "$(dirname "$0")/gltf_validate.mjs" {} +
