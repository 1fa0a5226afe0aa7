# Every command from outside: what it prints, to the letter, and its exit code.
. tests/cli/lib.sh
mkdir -p "$work/run"
"$terrane" new "$work/run/first" --quiet
four_maps "$work/run/four"
asked() { # WORLD ARGUMENTS...: what a selection comes to
    "$terrane" plan "$@" >"$work/plan"
    local status=$?
    sed -n '/^asked for/p' "$work/plan"
    return $status
}
transcript program
transcript help
transcript select
