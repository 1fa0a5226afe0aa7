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
json() { # says whether stdin is JSON
    if command -v node >/dev/null; then
        node -e 'JSON.parse(require("fs").readFileSync(0))' && echo JSON
    elif command -v python3 >/dev/null; then
        python3 -m json.tool >/dev/null && echo JSON
    else
        grep -q '^{' && echo JSON
    fi
}
field() { # NAME: lines of stdin with that field
    grep -E "\"$1\":" | sed 's/^ *//'
}
blur() { # figures that are not the same on each machine
    sed -E 's/[0-9.]+ s,/N s,/; s/[0-9.]+ core-seconds/N core-seconds/; s/[0-9.]+ (B|KiB|MiB)/N bytes/g;
        s/[0-9 ]+ (made|from the store)/ N \1/g; s/[0-9]+ (written|already right)/N \1/g; s/^  [0-9 ]+ entities/  N entities/'
}
on_terminal() { # COMMAND...: its output on a terminal, escapes made visible
    local words
    words=$(printf '%q ' "$terrane" "${@:2}")
    TERM=${TERM-xterm} script -qec "$words" /dev/null | tr -d '\r' | sed 's/\x1b/ESC/g'
}
complete_words() { # WORDS...: what bash would offer for the last
    (
        eval "$("$terrane" completion)"
        COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
        _terrane
        printf '%s\n' "${COMPREPLY[@]}"
    )
}
export TERM=xterm
transcript program
transcript help
transcript select
transcript results
transcript outputs
