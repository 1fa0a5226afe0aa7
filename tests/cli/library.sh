# The recipes that the repository ships, recipes/temperate: right as they stand in worlds with and without drawn water
# and rock, in each of their main biomes, without a warning; the counts that they had (tests/cli/golden/library.txt); and
# over these small worlds and the demo every species and size class stands somewhere. UPDATE_GOLDEN=1 writes the counts.
. tests/cli/lib.sh
need_tools

library=$PWD/recipes
golden=tests/cli/golden/library.txt
: >"$work/counts"
counts() { # MANIFEST: "NAME COUNT..." for each species, by size class
    awk '/^  "species": \{/ {on = 1; next}
         on && /^  \}/ {exit}
         on && /"/ {split($0, part, "\""); name = part[2]; line = ""; if (/\[\]/) print name}
         on && /^    +[0-9]/ {gsub(/[ ,]/, ""); line = line " " $0}
         on && /^   \]/ {print name line}' "$1"
}
total() { # MANIFEST KEY: a number of the totals
    awk -v key="\"$2\":" '/^ "totals": \{/ {on = 1} on && $1 == key {gsub(/,/, ""); print $2; exit}' "$1"
}
quiet() { # NAME: a world's check and bake had nothing to say
    "$terrane" check "$work/$1" >"$work/check" 2>&1 && ! grep -q 'warning:' "$work/check"
    verdict $? "$1: check has nothing to warn of"
    "$terrane" bake "$work/$1" --out "$work/$1/out" --store "$work/store" --quiet >"$work/bake" 2>&1
    verdict $? "$1: bakes"
    grep -q '^ "warnings": \[\]' "$work/$1/out/maps/x0_y0/manifest.json"
    verdict $? "$1: its manifest has no warnings"
    ! grep 'warning:' "$work/bake" | grep -qv 'stands\? nowhere'
    verdict $? "$1: nothing else was warned of"
}

# ---- small worlds: a steep corner of the demo's valley, at the biome's own altitude ----
"$raster_tool" crop fixtures/demo/heights/wog_valley.png 256 256 "$work/heights.png"
world() { # NAME BIOME Z_MIN TOOLS INCLUDED...
    local name=$1 biome=$2 low=$3 tools=$4
    shift 4
    mkdir -p "$work/$name/recipes"
    cat >"$work/$name/world.yaml" <<END
terrane: 1
world: {name: $name, origin_m: [0, 0], size_m: [256, 256], latitude_deg: 47, seed: 7}
grid: {cell_m: 1}
height: {files: ../heights.png, spacing_m: 1, z_min_m: $low, z_max_m: $((low + 480))}
roots: {recipes: $library}
tools: [$tools]
biomes: recipes/biomes.yaml
END
    case $tools in
    *freshwater*)
        echo 'splines: [water.geojson]' >>"$work/$name/world.yaml"
        cat >"$work/$name/water.geojson" <<END
{"type": "FeatureCollection", "features": [
{"type": "Feature", "id": "brook", "properties": {"kind": "stream", "width_m": 3, "direction": "auto"},
 "geometry": {"type": "LineString", "coordinates": [[-5, 60], [90, 90], [170, 120], [262, 150]]}}]}
END
        ;;
    esac
    {
        echo 'recipe: 1'
        echo 'include:'
        printf '  - recipes:temperate/%s.yaml\n' temperate "$@"
        echo "default_biome: $biome"
    } >"$work/$name/recipes/biomes.yaml"
}
low() { # BIOME
    case $1 in meadow) echo 1160 ;; forest) echo 1230 ;; alpine) echo 1480 ;; esac
}
for biome in meadow forest alpine; do
    world ${biome}_plain $biome "$(low $biome)" biomes
    world ${biome}_water $biome "$(low $biome)" 'freshwater, biomes' water
    world ${biome}_rock $biome "$(low $biome)" 'cliffs, biomes' cliffs
    world ${biome}_both $biome "$(low $biome)" 'freshwater, cliffs, biomes' water cliffs
    for tools in plain water rock both; do
        name=${biome}_$tools
        quiet $name
        counts "$work/$name/out/maps/x0_y0/manifest.json" | sed "s/^/$name /" >"$work/some"
        cat "$work/some" >>"$work/counts"
        [ "$(awk '{n = 0; for (i = 3; i <= NF; i++) n += $i; stand += n > 0} END {print stand}' "$work/some")" -ge 15 ]
        verdict $? "$name: at least 15 species stand"
        rm -rf "${work:?}/$name/out"
    done
done
[ -z "${UPDATE_GOLDEN-}" ] || cp "$work/counts" $golden
# to the plant in worlds of the biomes alone; where water or rock have a say, within a
# factor of two: their own tests hold those
awk 'NR == FNR {was[$1, $2] = $0; plain += $1 ~ /_plain$/; next}
     {plain -= $1 ~ /_plain$/}
     !(($1, $2) in was) && $1 !~ /_plain$/ {next}
     {n = split(was[$1, $2], old); bad = n != NF
      for (i = 3; i <= NF && !bad; i++) {
          d = $i - old[i]; d = d < 0 ? -d : d
          bad = $1 ~ /_plain$/ ? d > 0 : d > 40 && ($i > 2 * old[i] || old[i] > 2 * $i)
      }
      if (bad) print "now", $0, "was", was[$1, $2]}
     END {if (plain != 0) print "other species than in the golden file"}' $golden "$work/counts" >"$work/changed"
[ ! -s "$work/changed" ]
verdict $? "the library's counts are as ever"
head -n 20 "$work/changed"

# ---- the demo ----
"$terrane" bake fixtures/demo --out "$work/demo" --store "$work/store" --quiet >"$work/bake" 2>&1
verdict $? "the demo bakes"
manifest=$work/demo/maps/x0_y0/manifest.json
! grep -q 'warning:' "$work/bake" && grep -q '^ "warnings": \[\]' "$manifest"
verdict $? "the demo has nothing to warn of: every species stands"
[ "$(total "$manifest" entities)" -ge 600000 ]
verdict $? "at least 600 000 entities stand on it"
[ $(($(total "$manifest" undecided) * 10000)) -lt "$(total "$manifest" entities)" ]
verdict $? "less than one in 10 000 is undecided"
[ "$(counts "$manifest" | wc -l)" -ge 20 ]
verdict $? "of at least 20 species"
"$terrane" layer fixtures/demo zone_id --store "$work/store" --out "$work/zones.asc" >/dev/null 2>&1
[ "$(awk 'NR > 6 {for (i = 1; i <= NF; i++) seen[$i] = 1} END {for (z in seen) n += z > 10; print n}' "$work/zones.asc")" -ge 6 ]
verdict $? "in at least 6 sub-biomes"
{ sed 's/^[^ ]* //' "$work/counts" && counts "$manifest"; } |
    awk '{for (i = 2; i <= NF; i++) {of[$1] = i > of[$1] ? i : of[$1]; sum[$1, i] += $i}}
         END {for (s in of) for (i = 2; i <= of[s]; i++) if (!sum[s, i]) print s, "size class", i - 1}' >"$work/missing"
[ ! -s "$work/missing" ]
verdict $? "every size class of every species stands somewhere"
head -n 10 "$work/missing"
