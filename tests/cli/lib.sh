# What the scripts of tests/cli share. Each script prints "ok NAME", "not ok NAME" or "skip NAME: why" lines and
# runs from the repository's root; scripts/test.sh counts them.
set -u
terrane=${TERRANE:-$PWD/build/release/terrane}
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
# A world of 512 x 512 m that lies in four maps, partial on every side.
four_maps() { # DIR
    "$terrane" new "$1" --quiet
    sed -i 's/origin_m: .*/origin_m: [-300, -200]/; s/size_m: .*/size_m: [512, 512]/' "$1/world.yaml"
}
