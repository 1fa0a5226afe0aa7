# What the README and the guide tell people to type works, as it stands there.
. tests/cli/lib.sh
repository=$PWD
mkdir "$work/bin" "$work/run"
ln -s "$terrane" "$work/bin/terrane"
PATH=$work/bin:$PATH
cd "$work/run" || exit 1
unset -f terrane
# The commands in a page's code blocks, without those whose words stand for something (WORLD, OUT, a pipe of one's own).
commands() { # PAGE
    awk '/^```/ { inside = !inside } inside && /^(terrane|cp) / && !/WORLD|OUT|COMMAND/ { sub(/ +#.*/, ""); print }' "$1"
}
for page in README.md docs/guide.md; do
    commands "$repository/$page" >"$work/commands"
    while IFS= read -r command; do
        (eval "$command") >"$work/stdout" 2>"$work/stderr" </dev/null
        got=$?
        want=0
        [ "$command" = "terrane diff valley/out other" ] && want=1
        [ $got -eq $want ]
        verdict $? "$page: $command ($got)"
        [ $got -eq $want ] || head -n 5 "$work/stderr"
    done <"$work/commands"
done
[ -s "$work/commands" ]
verdict $? "pages have commands"

# links to files that are there
cd "$repository" || exit 1
for page in README.md docs/*.md docs/decisions/*.md */README.md fixtures/*/README.md; do
    for link in $(grep -oE '\]\([^)# ]+' "$page" | sed 's/](//' | grep -v '^http'); do
        [ -e "$(dirname "$page")/$link" ]
        verdict $? "$page links to $link"
    done
done
