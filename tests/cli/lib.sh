# What the scripts of tests/cli share. Each script prints "ok NAME", "not ok NAME" or "skip NAME: why" lines and
# runs from the repository's root; scripts/test.sh counts them.
set -u
terrane=${TERRANE:-build/release/terrane}
case $terrane in /*) ;; *) terrane=$PWD/$terrane ;; esac
raster_tool=$PWD/build/release/tests/tools/raster_tool image_tool=$PWD/build/release/tests/tools/image_tool
# in memory where there is room: hundreds of bakes that each sync a busy disk take many minutes
room=$(df -Pk /dev/shm 2>/dev/null | awk 'NR == 2 {print $4}')
[ -z "${TMPDIR-}" ] && [ "${room:-0}" -gt 2000000 ] && [ -w /dev/shm ] && TMPDIR=/dev/shm
work=$(mktemp -d "${TMPDIR:-/tmp}/terrane-cli.XXXXXX")
trap 'rm -rf "$work"' EXIT

ok() { echo "ok $*"; }
not_ok() { echo "not ok $*"; }
skip() { echo "skip $*"; }
verdict() { # STATUS NAME
    if [ "$1" -eq 0 ]; then ok "$2"; else not_ok "$2"; fi
}
same() { # DIR DIR NAME: the same files with the same bytes, timings and state apart
    if diff -rq -x timings.json -x state.json -x '.*' "$1" "$2" >"$work/diff.txt" 2>&1; then
        ok "$3"
    else
        not_ok "$3"
        head -n 10 "$work/diff.txt"
    fi
}
exits() { # STATUS NAME COMMAND...: runs, keeps stdout and stderr in $work
    local want=$1 name=$2 got
    shift 2
    "$@" >"$work/stdout" 2>"$work/stderr"
    got=$?
    if [ "$got" -eq "$want" ]; then
        ok "$name"
    else
        not_ok "$name: exit $got, not $want"
        head -n 5 "$work/stderr"
    fi
}
says() { # FILE TEXT NAME: TEXT stands in it to the letter
    if grep -qF -- "$2" "$1"; then
        ok "$3"
    else
        not_ok "$3: no '$2' in:"
        head -n 10 "$1"
    fi
}
# Makes image_tool and raster_tool where they are not there yet: a script that is run alone.
need_tools() { [ -x "$image_tool" ] && [ -x "$raster_tool" ] || make -s tools; }
# Heights h.png and a mask m.png of 64 x 64 m.
small_images() { # DIR
    need_tools
    mkdir -p "$1"
    "$image_tool" png16 64 64 "$1/h.png"
    "$image_tool" png8 64 64 "$1/m.png"
}
# A world of 512 x 512 m that lies in four maps, partial on every side.
four_maps() { # DIR
    "$terrane" new "$1" --quiet
    sed -i 's/origin_m: .*/origin_m: [-300, -200]/; s/size_m: .*/size_m: [512, 512]/' "$1/world.yaml"
}
# Rivers, a confluence, a lake with an inlet and an outlet, and a torrent, over the borders of four_maps' maps.
add_water() { # DIR
    cat >"$1/water.geojson" <<'END'
{"type": "FeatureCollection", "features": [
{"type": "Feature", "id": "main", "properties": {"kind": "river", "width_m": [6, 8, 9, 10, 12], "fit": "thalweg"},
 "geometry": {"type": "LineString", "coordinates": [[-310, 120], [-160, 60], [-20, 20], [90, -30], [220, -60]]}},
{"type": "Feature", "id": "side", "properties": {"kind": "stream", "direction": "auto"},
 "geometry": {"type": "LineString", "coordinates": [[30, 310], [10, 200], [-30, 110], [-21, 22]]}},
{"type": "Feature", "id": "steep", "properties": {"kind": "stream", "carve": "none"},
 "geometry": {"type": "LineString", "coordinates": [[-150, -190], [-120, -90], [-60, -20], [-1, 14]]}},
{"type": "Feature", "id": "outlet", "properties": {"kind": "ditch"},
 "geometry": {"type": "LineString", "coordinates": [[60, 84], [80, 40], [92, -31]]}},
{"type": "Feature", "id": "tarn", "properties": {"kind": "lake", "depth_m": 3},
 "geometry": {"type": "Polygon", "coordinates": [[[20, 90], [70, 85], [95, 130], [40, 150], [10, 120], [20, 90]]]}}]}
END
    sed -i '/^splines:/d; s/^tools:.*/tools: [freshwater, biomes]/' "$1/world.yaml"
    grep -q '^tools:' "$1/world.yaml" || echo 'tools: [freshwater, biomes]' >>"$1/world.yaml"
    echo 'splines: [water.geojson]' >>"$1/world.yaml"
}
# Rock on all but gentle ground, with a soft border and water to keep out of.
add_cliffs() { # DIR
    sed -i 's/^tools:.*/tools: [freshwater, cliffs, biomes]/' "$1/world.yaml"
    echo 'cliffs: {min_slope_deg: 32, softness_m: 3}' >>"$1/world.yaml"
}
# A transcript, tests/cli/golden/NAME.txt: lines that begin with "$ " are commands, run in $work/run; what follows is
# what they print, to the letter: "| " stdout, "! " stderr, and "= N" the exit code when it is not 0. Commands are
# bash and see this script's functions. UPDATE_GOLDEN=1 writes what was printed into the file instead: look at git
# diff before you commit it.
terrane() { "$terrane" "$@"; }
transcript_run() { # COMMAND: prints what follows it
    local status
    (cd "$work/run" && eval "$1") >"$work/stdout" 2>"$work/stderr" </dev/null
    status=$?
    sed "s|$work/run|RUN|g; s/^/| /" "$work/stdout"
    sed "s|$work/run|RUN|g; s/^/! /" "$work/stderr"
    [ $status -eq 0 ] || echo "= $status"
}
transcript() { # NAME
    local file=tests/cli/golden/$1.txt line command= wanted=
    mkdir -p "$work/run"
    : >"$work/transcript"
    while IFS= read -r line || [ -n "$line" ]; do
        case $line in
        '$ '*)
            transcript_check "$1" "$command" "$wanted"
            printf '%s\n' "$line" >>"$work/transcript"
            command=${line#??} wanted=
            transcript_run "$command" >"$work/block"
            cat "$work/block" >>"$work/transcript"
            ;;
        '| '* | '! '* | '= '* | '|' | '!') wanted=$wanted$line$'\n' ;;
        *) printf '%s\n' "$line" >>"$work/transcript" ;;
        esac
    done <"$file"
    transcript_check "$1" "$command" "$wanted"
    [ -z "${UPDATE_GOLDEN-}" ] || cp "$work/transcript" "$file"
}
transcript_check() { # NAME COMMAND WANTED
    [ -n "$2" ] || return 0
    if printf '%s' "$3" | cmp -s - "$work/block"; then
        ok "$1: $2"
    else
        not_ok "$1: $2"
        printf '%s' "$3" | diff - "$work/block" | head -n 20
    fi
}
