# Recipes of several files, from outside: an edit of an included file is seen by a store that holds results of
# before; the manifest counts what stands and says where agents can walk.
. tests/cli/lib.sh

"$terrane" new "$work/w" --quiet
mkdir -p "$work/w/recipes/lib"
mv "$work/w/recipes/biomes.yaml" "$work/w/recipes/lib/common.yaml"
cat >"$work/w/recipes/lib/more.yaml" <<END
recipe: 1
species:
  cairn:
    {biomes: all, priority: 200, viability: [{value: 1}], viability_radius_m: 2, density_per_ha: 40, height_m: [1, 2]}
END
cat >"$work/w/recipes/biomes.yaml" <<END
recipe: 1
include: [lib/common.yaml, lib/more.yaml]
species:
  cairn: {crown: rock}
END
bake() { # OUT STORE
    "$terrane" bake "$work/w" --out "$work/$1" --store "$work/$2" --quiet --section 0,0
    verdict $? "bake $1"
}
equal() { "$terrane" diff "$work/$1" "$work/$2" --quiet >/dev/null; }

"$terrane" check "$work/w" --no-store >"$work/check" 2>&1
verdict $? "a recipe that includes another is right"
grep -Eq 'recipe: [0-9]+ tiers of [0-9]+ species, reach at most [0-9]+ m' "$work/check"
verdict $? "check prints the recipe's reach"

bake before store
sed -i 's/viability_radius_m: 2,/viability_radius_m: 4,/' "$work/w/recipes/lib/more.yaml"
bake warm store
bake cold other
equal before warm
[ $? -eq 1 ]
verdict $? "an edit of an included file changes what a store knew"
equal warm cold
verdict $? "and the store's results are those of a bake without"

"$terrane" bake "$work/w" --out "$work/all" --store "$work/store" --quiet --set 'output.clearance_m=[0.25]'
verdict $? "bake with radii of agents"
grep -q '"0.25": {' "$work/all/maps/x0_y0/manifest.json"
verdict $? "the manifest says where agents can walk"
"$terrane" bake "$work/w" --out "$work/one" --store "$work/store" --quiet --set 'output.clearance_m=[0.25]' --sector 0,0
[ "$(sed -n '/"totals"/,$p' "$work/one/maps/x0_y0/manifest.json" | sed -n 's/.*"places": \([0-9]*\).*/\1/p')" = 16384 ]
verdict $? "of one sector, when no more was baked"

# whatever a place names can be explained by its id
"$terrane" explain "$work/w" --at 100,100 --store "$work/store" --json >"$work/place.json"
verdict $? "a place is explained"
for id in $(grep -o '"id": "[0-9a-f]*"' "$work/place.json" | cut -d'"' -f4 | sort -u | head -n 12); do
    "$terrane" explain "$work/w" --entity "$id" --store "$work/store" --json >"$work/entity.json" &&
        grep -Eq '"reason": "(stands|struck|cleared|density)"' "$work/entity.json"
    verdict $? "entity $id is explained"
done
