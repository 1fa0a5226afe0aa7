# Messages lead to the mistake's own file, and what files say never steers the terminal.
. tests/cli/lib.sh

"$terrane" new "$work/w" --quiet
cp -r "$work/w" "$work/legend"
legend=$(sed -n 's/.*legend: *\([^ ,}]*\).*/\1/p' "$work/w/world.yaml" | head -n 1)
if [ -z "$legend" ] || [ ! -f "$work/w/$legend" ]; then
    # a world without paint: give it some
    printf '\0\0\2\0\0\0\0\0\0\0\0\0\1\0\1\0\30\40\20\20\20' >"$work/legend/paint.tga"
    legend=legend.yaml
    home=$(sed -n '/^biomes:/,$s/^  \([a-z_]*\):.*/\1/p' "$work/w/recipes/biomes.yaml" | head -n 1)
    printf '# what the colours mean\n%sx: "#101010"\nnowhere_at_all: "#203040"\n' "$home" >"$work/legend/$legend"
    printf 'masks: {biome_paint: {files: paint.tga, legend: legend.yaml}}\n' >>"$work/legend/world.yaml"
fi
exits 3 "a legend that names no biome is refused" "$terrane" check "$work/legend"
says "$work/stderr" "legend.yaml:2:1: error: biome_paint: its legend names '${home}x', which is no biome of" "a typo in a legend is shown in the legend's own file"
says "$work/stderr" "did you mean '$home'?" "with the name that was meant"
says "$work/stderr" "legend.yaml:3:1: error: biome_paint: its legend names 'nowhere_at_all', which is no biome of" "a name like no biome's too"
printf -- '- meadow\n' >"$work/legend/$legend"
exits 3 "a legend that is a list is refused" "$terrane" check "$work/legend"
says "$work/stderr" "legend.yaml:1:1: error: a legend is a map from names to colours, not a list" "in its own file"
quiet() { # TEXT NAME: nothing on stderr says TEXT
    ! grep -qF -- "$1" "$work/stderr"
    verdict $? "$2"
}
quiet "warning: biome" "no biome is missed where the legend is broken"
rm "$work/legend/$legend"
exits 4 "a legend that is not there is refused" "$terrane" check "$work/legend"
quiet "warning:" "and nothing follows from it"
# masks that nothing reads: 64 x 64 grey
{ printf '\0\0\3\0\0\0\0\0\0\0\0\0\100\0\100\0\10\40' && head -c 4096 /dev/zero; } >"$work/legend/grey.tga"
sed -i '/^masks:/,$d' "$work/legend/world.yaml"
printf 'output: {layers: [shown]}\nmasks:\n' >>"$work/legend/world.yaml"
printf '  %s: {files: grey.tga}\n' strat own shown no_cliffs >>"$work/legend/world.yaml"
"$terrane" check "$work/legend" >"$work/stdout" 2>"$work/stderr"
says "$work/stderr" "mask 'strat' changes nothing: did you mean 'strata'?" "a mask with a slip in its name"
says "$work/stderr" "note: mask 'no_cliffs' changes nothing: 'cliffs' is not among the tools" "a tool's mask without it"
says "$work/stderr" "mask 'own' changes nothing: no tool, recipe or output reads it" "one that nobody knows"
quiet "mask 'shown'" "one that is an output"
exits 4 "a folder that is not there" "$terrane" diff "$work/legend" "$work/nothing"

# the first world's recipe with water: everything is kept out of it by one line
cp -r "$work/w" "$work/wet"
"$terrane" check "$work/wet" >"$work/stdout" 2>"$work/stderr"
quiet "freshwater" "without the tool nothing is said of water"
"$terrane" check "$work/wet" --set 'tools=[freshwater,biomes]' >"$work/stdout" 2>"$work/stderr"
says "$work/stderr" "the tool freshwater is on, and 9 species read nothing of water, so they stand in it: spruce, larch, birch, boulder, young_spruce and 4 more" "species that stand in water are noted"
sed -i '/- {value: 1}/d; s/# - {layer: water/- {layer: water/' "$work/wet/recipes/biomes.yaml"
exits 0 "one line keeps them out" "$terrane" check "$work/wet" --set 'tools=[freshwater,biomes]'
quiet "freshwater" "and nothing is noted"

# a painted mask stands in for what no tool of this version makes
sed -i 's/^    zones:$/&\n      wet_grassland: {rules: [{powerlines: ">0", weight: 1}], alone: true, texture_id: 13}/' "$work/wet/recipes/biomes.yaml"
sed -i 's/- {layer: water/- {layer: flow/' "$work/wet/recipes/biomes.yaml"
exits 3 "a layer that nothing makes" "$terrane" check "$work/wet"
says "$work/stderr" "unknown layer 'powerlines'" "is unknown"
cp "$work/legend/grey.tga" "$work/wet/powerlines.tga"
printf 'masks: {powerlines: {files: powerlines.tga}}\n' >>"$work/wet/world.yaml"
exits 0 "but where it is painted" "$terrane" check "$work/wet"
quiet "powerlines" "and then read"

# a recipe holds no control characters; a bake of somebody's may call its objects what it likes
cat >"$work/w/recipes/biomes.yaml" <<'END'
recipe: 1
biomes: {field: {}}
species:
  post:
    {biomes: all, priority: 5, viability: [{value: 1}], viability_radius_m: 3, density_per_ha: 900, height_m: [1, 2],
     asset: "red\e[31mpost"}
END
sed -i '/^ *biome_paint/d; /^masks:/d' "$work/w/world.yaml"
exits 3 "a name with an ESC is refused" "$terrane" check "$work/w"
says "$work/stderr" "biomes.yaml:6:13: error: text must not hold the control character \x1b" "at its place"
sed -i 's/red.e.31mpost/redpost/' "$work/w/recipes/biomes.yaml"
exits 0 "one without is baked" "$terrane" bake "$work/w" --out "$work/a" --no-store --quiet --section 0,0
sed -i 's/density_per_ha: 900/density_per_ha: 450/' "$work/w/recipes/biomes.yaml"
exits 0 "and again" "$terrane" bake "$work/w" --out "$work/b" --no-store --quiet --section 0,0
sed -i 's/redpost/red\\u001b[31m\\u009b31mpost/' "$work/a/objects.json" "$work/b/objects.json"
plain() { # NAME: no C0 but line ends and tabs, no C1, in what was printed
    ! LC_ALL=C grep -qP '[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]' "$work/stdout" "$work/stderr"
    verdict $? "$1"
}
exits 1 "they differ" "$terrane" diff "$work/a" "$work/b" --all --most 9999
says "$work/stdout" "red?[31m?31mpost" "diff prints '?' for what would steer the terminal"
plain "and nothing else that would"
exits 0 "a place is explained" "$terrane" explain "$work/w" --at 100,100
plain "explain is plain"
mv "$work/a" "$work/a$(printf '\033[31m')"
exits 1 "a path may hold anything" "$terrane" diff "$work/a$(printf '\033[31m')" "$work/b"
plain "and is printed plainly"
exits 4 "also one that is not there" "$terrane" verify "$work/n$(printf '\033[31m')"
plain "in errors"
"$terrane" new "$work/bare" --quiet
sed -i '/^biomes:/d; s/^tools: .*/tools: []/' "$work/bare/world.yaml"
exits 2 "no recipe, no species" "$terrane" explain "$work/bare" --at 10,10 --why-not spruce
says "$work/stderr" "--why-not: the world has no recipe ('biomes:')" "told"
exits 2 "no recipe, no entities" "$terrane" explain "$work/bare" --entity 1
says "$work/stderr" "--entity: the world has no recipe ('biomes:')" "told"
exits 0 "a name for the shell" "$terrane" new "$work/a b'c"
says "$work/stderr" "terrane bake '$work/a b'\\''c'" "is quoted"
