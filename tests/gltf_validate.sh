#!/bin/sh
# Validates the meshes that test_glb writes: tests/gltf_validate.sh BUILD_DIR
# Exit 77 and a loud line when node or the npm package gltf-validator is missing.
set -eu
build=${1:?usage: tests/gltf_validate.sh BUILD_DIR}
if ! command -v node >/dev/null; then
    echo "SKIPPED: node is missing; no mesh was validated" >&2
    exit 77
fi
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
GLB_SAMPLES=$dir "$build/tests/unit/test_glb" >"$dir/log" 2>&1 || { cat "$dir/log" >&2; exit 1; }
node "$(dirname "$0")/gltf_validate.mjs" "$dir"/*.glb
