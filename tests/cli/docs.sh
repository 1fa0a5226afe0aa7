# What pages tell people to type works, as it stands there; their rock is right, their links lead somewhere.
. tests/cli/lib.sh
repository=$PWD
pages="README.md CHANGELOG.md docs/*.md docs/decisions/*.md */README.md recipes/*/README.md fixtures/*/README.md"
mkdir "$work/bin" "$work/run"
ln -s "$terrane" "$work/bin/terrane"
printf '#!/bin/sh\necho 3,2\n' >"$work/bin/list-edited-sectors"
chmod +x "$work/bin/list-edited-sectors"
PATH=$work/bin:$PATH
cd "$work/run" || exit 1
unset -f terrane
# The commands in a page's code blocks and, with a WORLD or an OUT, between backticks. Words that stand for something become
# what the first of them made; folders of a build machine lie here.
commands() { # PAGE
    {
        awk '/^```/ { inside = !inside } inside && /^(terrane|cp|list-edited-sectors) / && !/COMMAND/ { sub(/ +#.*/, ""); print }' "$1"
        grep -ohE '`terrane [a-z]+ [^`]*(WORLD|OUT)[^`]*`' "$1" | tr -d '`'
    } | sed -E 's/\bWORLD\b/valley/; s/\bOUT\b/valley\/out/; s/\bDIR\b/images2/; s/\bX,Y\b/200,150/; s/ \/(builds|shared)/ \1/g'
}
for page in README.md docs/guide.md docs/cliffs.md docs/lines.md docs/recipes.md docs/water.md docs/world.md docs/formats.md \
    recipes/README.md recipes/*/README.md fixtures/README.md fixtures/*/README.md; do
    [ -f "$repository/$page" ] || continue
    commands "$repository/$page" >"$work/commands"
    cat "$work/commands" >>"$work/all"
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
[ "$(wc -l <"$work/all")" -gt 30 ]
verdict $? "pages have commands ($(wc -l <"$work/all"))"

# the rock of docs/cliffs.md: each block of settings in a world of its own
"$terrane" new "$work/rock" --quiet
cp "$work/rock/world.yaml" "$work/world.yaml"
awk -v to="$work/block" '/^```yaml/ { getline; if (/^cliffs:/) { n++; inside = 1 } } /^```/ { inside = 0 } inside { print >(to n) }' \
    "$repository/docs/cliffs.md"
for block in "$work"/block*; do
    { grep -v '^tools:' "$work/world.yaml"; echo 'tools: [cliffs, biomes]'; cat "$block"; } >"$work/rock/world.yaml"
    exits 0 "docs/cliffs.md: $(head -n 1 "$block")" "$terrane" check "$work/rock"
done

cd "$repository" || exit 1
# Links to files that are there, and to headings that are there.
anchors() { # PAGE
    grep -E '^#+ ' "$1" | sed -E 's/^#+ //' | tr '[:upper:]' '[:lower:]' | sed -E 's/[^a-z0-9 _-]//g; s/ /-/g'
}
bad=0 n=0
for page in $pages; do
    for link in $(grep -oE '\]\([^) ]+' "$page" | sed 's/](//' | grep -v '^http'); do
        file=$(dirname "$page")/${link%%#*} anchor=
        case $link in
        '#'*) file=$page anchor=${link#\#} ;;
        *'#'*) anchor=${link#*\#} ;;
        esac
        n=$((n + 1))
        [ -e "$file" ] && { [ -z "$anchor" ] || anchors "$file" | grep -qx -- "$anchor"; } && continue
        bad=$((bad + 1))
        echo "$page links to $link"
    done
done
[ $bad -eq 0 ] && [ $n -gt 100 ]
verdict $? "links lead somewhere ($n)"
# Decisions: one number each, the one of the file's name, and in the list.
for page in docs/decisions/[0-9]*.md; do
    name=$(basename "$page")
    grep -q "^# ${name%%-*}: " "$page" && grep -qF "]($name)" docs/decisions/README.md
    verdict $? "$page has its number and is in the list"
done
[ -z "$(ls docs/decisions | cut -c1-4 | grep '^[0-9]' | sort | uniq -d)" ]
verdict $? "no two decisions have one number"
# Every option of the program stands on a page.
bad=0
for option in $(grep -ohE '\{"--[a-z-]+"' cmd/*.c | tr -d '{"' | sort -u); do
    case $option in --help | --version | --quiet) continue ;; esac
    grep -qF -- "$option" README.md docs/*.md || { bad=$((bad + 1)) && echo "$option stands on no page"; }
done
verdict $bad "every option stands on a page"
