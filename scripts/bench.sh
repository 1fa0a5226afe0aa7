#!/bin/bash
# What things cost on this machine, beside targets and beside gdaldem on the
# same raster. Nothing here passes or fails. `scripts/bench.sh map` leaves the kernels out, `kernels` the rest;
# `rivers` is the world with water alone, `stroke` an edit of the demo's paint.
set -u
cd "$(dirname "$0")/.."
build=${BUILD:-build/release}
terrane=$build/terrane raster_tool=$build/tests/tools/raster_tool
shared=${TERRANE_SHARED:-../shared}
work=$(mktemp -d "${TMPDIR:-/tmp}/terrane-bench.XXXXXX")
trap 'rm -rf "$work"' EXIT

biomes='biome.*|zone.*|patch|age|candidates|compete|stand|mask_written|imprint.*|entities|clearance'

title() { printf '\n== %s\n' "$*"; }
# row NAME VALUE UNIT TARGET [less]: with the ratio to the target, above 1 better
row() {
    awk -v name="$1" -v v="${2:--}" -v unit="$3" -v t="${4:--}" -v less="${5-}" 'BEGIN {
        ratio = "-"
        if (v + 0 > 0 && t + 0 > 0) ratio = sprintf("%.2f", less ? t / v : v / t)
        if (v + 0 > 0) v = sprintf("%.4g", v)
        printf "  %-52s %10s %-14s %10s %8s\n", name, v, unit, t, ratio }'
}
head_row() { printf '  %-52s %10s %-14s %10s %8s\n' "$1" here "" target "ratio"; }
median() { sort -g | awk '{ v[NR] = $1 } END { print NR ? v[int((NR + 1) / 2)] : "-" }'; }
# field FILE KEY: a number at the top of a bake's --json
field() { sed -n "s/^  \"$2\": \([0-9.e+-]*\),*$/\1/p" "$1"; }
# stages FILE: "NAME CPU_S RUNS PAIRS" each
stages() {
    awk '{ gsub(/[",]/, "") } $1 == "stage:" { n = $2 } $1 == "pairs:" { p = $2 } $1 == "runs:" { r = $2 }
        $1 == "cpu_s:" && n { print n, $2, r, p; n = "" }' "$1"
}
# cpu FILE PATTERN: core-seconds of the stages whose whole name the pattern matches
cpu() { stages "$1" | awk -v p="^($2)\$" '$1 ~ p { s += $2 } END { printf "%.3f\n", s }'; }
# entities OUT: how many stand in the bake's first map
entities() { sed -n '/"totals"/,$s/^ *"entities": \([0-9]*\),*$/\1/p' "$1/maps/x0_y0/manifest.json"; }
mib() { awk -v b="$1" 'BEGIN { printf "%.0f\n", b / 1048576 }'; }
bake() { # JSON ARGUMENTS...
    local json=$1
    shift
    "$terrane" bake "$@" --json --quiet >"$json" || echo "  bake $* failed"
}

kernels() {
    local log=$work/kernels.log source name args
    for source in tests/bench/bench_*.c; do
        name=$(basename "$source" .c)
        title "$name"
        args=
        [ "$name" != bench_png ] || args=$(echo fixtures/demo/heights/*.png)
        "$build/tests/bench/$name" $args 2>&1 | tee -a "$log"
    done
    pick() { grep -F -m 1 -- "$1" "$log" | sed -E "s/^.*$2.*\$/\1/"; } # LINE PATTERN
    local rate='[^0-9.]([0-9.]+) +M cells'
    title "kernels against their targets, a core"
    head_row ""
    row "slope and aspect" "$(pick 'slope + aspect, cells' "$rate")" "M cells/s" 300
    row "fill, receivers, accumulation over sections, hills" "$(pick 'hills, all parts' "$rate")" "M cells/s" 10
    row "the same, noise (pits everywhere)" "$(pick 'noise, all parts' "$rate")" "M cells/s" 10
    row "occlusion and illumination, 16 directions, halo in" "$(pick 'occlusion and illumination' "$rate")" "M cells/s" 3
    row "distance field to 64 m" "$(pick 'woods   to  64' "$rate")" "M cells/s" 150
    row "gradient noise, 5 octaves" "$(pick 'gradient noise, 5 octaves' "$rate")" "M cells/s" 70
    row "entities, candidates and competition" "$(pick 'six species, four tiers      all' 'all: ([0-9.]+) million')" "M/s" 1
    row "16-bit PNG, the demo's heights" "$(pick 'png encode fixtures/demo/heights' '[^0-9.]([0-9.]+) MB')" "MB/s" 90
}

copy_demo() {
    mkdir -p "$work/fixtures"
    cp -r fixtures/demo "$work/fixtures/demo"
    cp -r recipes "$work/recipes" # the demo includes ../../recipes
}

# A disc of 10 m of another biome, painted into the warm demo at three places.
stroke() {
    local paint=$work/fixtures/demo/paint/biome.png json=$work/stroke threads scope name at=540 i
    title "a brush stroke of 10 m on the demo map, warm, median of 3"
    head_row ""
    [ -d "$work/fixtures/demo" ] || copy_demo
    bake "$work/fill" "$work/fixtures/demo" --out "$work/warm" --store "$work/store" --threads 2
    for threads in 1 2; do
        for scope in "--sector 8,8" ""; do
            for i in 1 2 3; do
                at=$((at + 4))
                "$raster_tool" stroke "$paint" "$paint" $at 544 5 9ac85a
                bake "$json.$i" "$work/fixtures/demo" --out "$work/warm" --store "$work/store" --threads $threads $scope
            done
            name="the whole map, $threads thread(s)"
            [ -z "$scope" ] || name="its sector, $threads thread(s)"
            row "$name: wall" "$(for i in 1 2 3; do field "$json.$i" wall_s; done | median)" "s" 0.2 less
            row "  core-seconds, all" "$(for i in 1 2 3; do field "$json.$i" cpu_s; done | median)" "core-seconds" -
            row "  core-seconds of the biomes' stages" "$(for i in 1 2 3; do cpu "$json.$i" "$biomes"; done | median)" \
                "core-seconds" 0.2 less
        done
    done
    stages "$json.3" | sort -k 2gr | awk '$2 > 0.002 { printf "    %-18s %8.3f s %7d runs\n", $1, $2, $3 }'
}

# The demo, in a folder of its own whose heights can be edited.
demo() {
    copy_demo
    local heights n i t stands
    heights=$work/fixtures/demo/$(sed -n 's/^ *files: \(heights.*png\).*/\1/p' fixtures/demo/world.yaml | head -n 1)
    for t in 1 2; do
        for i in 1 2 3; do
            bake "$work/cold$t.$i" "$work/fixtures/demo" --out "$work/cold" --no-store --threads $t
            stands=$(entities "$work/cold")
            rm -rf "$work/cold"
            [ $t -eq 1 ] && break
        done
    done
    local one=$work/cold1.1
    local inputs='height_raw|void.*|height_in|mask|placed'
    local survey='altitude.*|latlong|slope|curvature|relief_coarse|.*horizon|wind|fill.*|flow.*|twi|noise|distance'
    local compose='height|height_delta|texture|tint|ground_color'
    local cliffs='cliff.*|strata.*|ledge.*|talus.*' water='water.*|fresh.*|river.*|lake.*'
    title "the demo map, cold, core-seconds on one thread"
    stages "$one" | sort -k 2gr | awk '{ printf "  %-20s %8.3f s %7d runs %7d pairs\n", $1, $2, $3, $4 }'
    title "the demo map against the budget of a map"
    head_row ""
    row "inputs" "$(cpu "$one" "$inputs")" "core-seconds" 0.2 less
    row "survey" "$(cpu "$one" "$survey")" "core-seconds" 0.8 less
    row "cliffs" "$(cpu "$one" "$cliffs")" "core-seconds" 2 less
    row "water" "$(cpu "$one" "$water")" "core-seconds" 0.3 less
    row "biomes" "$(cpu "$one" "$biomes")" "core-seconds" 1.2 less
    row "  of that entities a core-second: candidates, competition" \
        "$(awk -v n="$stands" -v s="$(cpu "$one" 'candidates|compete|stand')" \
            'BEGIN { print n / s / 1e6 }')" "M/s" 1
    row "composition" "$(cpu "$one" "$compose")" "core-seconds" 0.2 less
    row "preview (no budget of its own)" "$(cpu "$one" preview)" "core-seconds" -
    row "files and store (the rest)" "$(stages "$one" | awk -v all="$(field "$one" cpu_s)" '{ s += $2 } END { print all - s }')" \
        "core-seconds" 0.6 less
    row "all" "$(field "$one" cpu_s)" "core-seconds" 5.5 less
    row "wall, 1 thread" "$(field "$one" wall_s)" "s" -
    row "wall, 2 threads, median of 3" "$(for i in 1 2 3; do field "$work/cold2.$i" wall_s; done | median)" "s" 3 less
    row "peak memory, 2 threads" "$(mib "$(field "$work/cold2.1" memory_peak_bytes)")" "MiB" 1024 less

    title "the demo map, warm"
    head_row ""
    bake "$work/fill" "$work/fixtures/demo" --out "$work/warm" --store "$work/store" --threads 2
    for i in 1 2 3; do bake "$work/same.$i" "$work/fixtures/demo" --out "$work/warm" --store "$work/store" --threads 2; done
    row "nothing changed, whole map, median of 3" "$(for i in 1 2 3; do field "$work/same.$i" wall_s; done | median)" "s" 0.05 less
    row "  of that core-seconds" "$(for i in 1 2 3; do field "$work/same.$i" cpu_s; done | median)" "core-seconds" -
    for i in 1 2 3; do
        "$raster_tool" set "$heights" "$heights" 540 $((540 + i)) +20
        bake "$work/edit.$i" "$work/fixtures/demo" --out "$work/warm" --store "$work/store" --threads 2 --sector 8,8
    done
    row "a sample changed, its sector, median of 3" "$(for i in 1 2 3; do field "$work/edit.$i" wall_s; done | median)" "s" 0.2 less
    row "  of that core-seconds" "$(for i in 1 2 3; do field "$work/edit.$i" cpu_s; done | median)" "core-seconds" -
    stages "$work/edit.3" | sort -k 2gr | awk '$2 > 0.002 { printf "    %-18s %8.3f s %7d runs\n", $1, $2, $3 }'

    stroke
    title "gdaldem on the demo's heights"
    if command -v gdaldem >/dev/null; then
        for i in 1 2 3; do
            TIMEFORMAT='%U %S'
            { time gdaldem slope -q "$heights" "$work/slope.tif"; } 2>&1 | awk '{ print $1 + $2 }'
        done | median >"$work/gdal"
        printf '  %-52s %10s %-14s\n' "gdaldem slope, its files included" "$(cat "$work/gdal")" core-seconds
        printf '  %-52s %10s %-14s\n' "slope and aspect within a bake" "$(cpu "$one" slope)" core-seconds
        awk -v a="$(cat "$work/gdal")" -v b="$(cpu "$one" slope)" 'BEGIN { if (b > 0) printf "  ratio %.0f\n", a / b }'
    else
        echo "  gdaldem (gdal-bin) is not here"
    fi
}

# The same ground as worlds of 1, 4 and 16 maps: memory is that of the sections in flight and of --memory.
worlds() {
    local heights=$shared/data/cape_flattery_4096/height.png what="Cape Flattery at 1 m" side json first="" peak
    if [ ! -f "$heights" ]; then
        heights=$work/noise.png what="noise (no $shared/data here)"
        "$raster_tool" noise 4096 4096 5 "$heights"
    fi
    title "worlds of 1, 4 and 16 maps, $what, survey and heights, cold, 2 threads, --memory 16"
    printf '  %6s %12s %12s %14s %12s %10s\n' maps "wall s" "core-s" "core-s a map" "peak MiB" "to 1 map"
    for side in 1024 2048 4096; do
        mkdir -p "$work/w$side"
        "$raster_tool" crop "$heights" $side $side "$work/w$side/h.png"
        cat >"$work/w$side/world.yaml" <<END
terrane: 1
world: {name: w$side, size_m: [$side, $side], latitude_deg: 48.2, seed: 7}
height: {files: h.png, z_min_m: -0.803109, z_max_m: 81.357168}
output: {layers: [slope, occlusion, illumination, flow, wind]}
tools: []
END
        json=$work/w$side.json
        bake "$json" "$work/w$side" --out "$work/w$side/out" --no-store --threads 2 --memory 16
        peak=$(mib "$(field "$json" memory_peak_bytes)")
        first=${first:-$peak}
        awk -v maps=$((side / 1024 * side / 1024)) -v wall="$(field "$json" wall_s)" -v cpu="$(field "$json" cpu_s)" \
            -v peak="$peak" -v first="$first" 'BEGIN { printf "  %6d %12.1f %12.1f %14.2f %12d %10.2f\n", maps, wall,
                cpu, cpu / maps, peak, peak / first }'
        rm -rf "$work/w$side"
    done
}

# Lines of about N * 4.6 km across a world of 4096 m, to a file; prints their length in km.
draw_rivers() { # N SPAN_M FILE: as many lines through the square from (0, 0)
    awk -v n="$1" -v span="$2" -v file="$3" 'BEGIN {
        printf "{\"type\": \"FeatureCollection\", \"features\": [\n" >file
        for (l = 0; l < n; l++) {
            printf "%s{\"type\": \"Feature\", \"properties\": {\"kind\": \"river\", \"width_m\": %d}, \"geometry\": " \
                "{\"type\": \"LineString\", \"coordinates\": [", l ? ",\n" : "", 3 + l % 6 >file
            for (i = 0; i <= 120; i++) {
                x = span * i / 120
                y = span * (l + 0.5) / n + 22 * sin(i * 0.9 + l) + 9 * sin(i * 2.3 + 2 * l)
                if (i) km += sqrt((x - px) ^ 2 + (y - py) ^ 2) / 1000
                printf "%s[%.1f, %.1f]", i ? ", " : "", px = x, py = y >file
            }
            printf "]}}" >file
        }
        printf "]}\n" >file
        printf "%.1f\n", km }'
}

# A world of 16 maps with rivers: what water costs grows with its length; and the same rivers in the corner of 1, 4 and
# 16 maps: it does not grow with the area.
rivers() {
    local heights=$shared/data/cape_flattery_4096/height.png n km json
    mkdir -p "$work/rivers"
    if [ ! -f "$heights" ]; then
        heights=$work/noise16.png
        "$raster_tool" noise 4096 4096 5 "$heights"
    fi
    cp "$heights" "$work/rivers/h.png"
    cat >"$work/rivers/world.yaml" <<END
terrane: 1
world: {name: rivers, size_m: [4096, 4096], latitude_deg: 48.2, seed: 7}
height: {files: h.png, z_min_m: -0.803109, z_max_m: 81.357168}
splines: [rivers.geojson]
tools: [freshwater]
freshwater: {direction: auto, max_cut_m: 1000}
END
    title "rivers in a world of 16 maps, a bake with --tools freshwater, cold, 2 threads"
    head_row ""
    for n in 22 5; do
        km=$(draw_rivers $n 4096 "$work/rivers/rivers.geojson")
        json=$work/rivers.json
        bake "$json" "$work/rivers" --out "$work/rivers/out" --no-store --threads 2 --tools freshwater
        rm -rf "$work/rivers/out"
        row "$km km of river: wall, all that is written" "$(field "$json" wall_s)" "s" 5 less
        row "  core-seconds, all that is written" "$(field "$json" cpu_s)" "core-seconds" 10 less
        row "  core-seconds of water's stages" "$(cpu "$json" 'water.*')" "core-seconds" -
        row "  river a core-second, water's stages" "$(cpu "$json" 'water.*' | awk -v km="$km" '{ print km / $1 }')" "km/s" 30
    done
    title "the same rivers in worlds of 1, 4 and 16 maps"
    head_row ""
    for n in 1024 2048 4096; do
        "$raster_tool" noise $n $n 5 "$work/rivers/h.png"
        sed -i "s/size_m: .*, latitude/size_m: [$n, $n], latitude/" "$work/rivers/world.yaml"
        km=$(draw_rivers 12 1024 "$work/rivers/rivers.geojson")
        bake "$json" "$work/rivers" --out "$work/rivers/out" --no-store --threads 2 --tools freshwater
        rm -rf "$work/rivers/out"
        row "$km km in $((n * n / 1048576)) maps: core-seconds of water's stages" "$(cpu "$json" 'water.*')" "core-seconds" -
    done
    rm -rf "$work/rivers"
}

case ${1-all} in
kernels) kernels ;;
rivers) rivers ;;
stroke) stroke ;;
map)
    demo
    worlds
    rivers
    ;;
*)
    kernels
    demo
    worlds
    rivers
    ;;
esac
