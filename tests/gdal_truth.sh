#!/usr/bin/env bash
# usage: tests/gdal_truth.sh [HEIGHTS.png [CODES_PER_M]]      default: the heights of fixtures/demo, 145
# Truth: slope and aspect on a cells grid within 0.01 degrees of gdaldem's, border included (-compute_edges). Both get the codes of
# a 16-bit image as heights, CODES_PER_M of them a metre: whole numbers, so that gdaldem's sums in float are
# exact (on metres they round, and aspects on nearly flat ground differ by degrees). Exit 0: agreed or skipped.
set -eu
cd "$(dirname "$0")/.."
for tool in gdaldem gdal_translate gdalinfo; do
    command -v "$tool" >/dev/null || { echo "skip gdal_truth: no $tool (Debian package gdal-bin)"; exit 0; }
done
heights=${1:-$(find fixtures/demo -name '*.png' -path '*height*' 2>/dev/null | sort | head -1)}
codes_per_m=${2:-145}
[ -n "$heights" ] || { echo "skip gdal_truth: no heights in fixtures/demo and none given"; exit 0; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
read -r width height < <(gdalinfo "$heights" | sed -n 's/^Size is \([0-9]*\), \([0-9]*\)/\1 \2/p')
gdal_translate -q -of ENVI -ot Float32 -a_ullr 0 "$height" "$width" 0 "$heights" "$work/heights" 2>/dev/null
gdaldem slope -q -compute_edges -s "$codes_per_m" -of ENVI "$work/heights" "$work/slope"
gdaldem aspect -q -compute_edges -of ENVI "$work/heights" "$work/aspect"
${CC:-gcc} -std=c17 -O2 -ffp-contract=off -I. -o "$work/slope_against" tests/truth/slope_against.c terrain/slope.c -lm
"$work/slope_against" "$width" "$height" "$codes_per_m" "$work/heights" "$work/slope" "$work/aspect"
echo "ok slope and aspect against gdaldem"
