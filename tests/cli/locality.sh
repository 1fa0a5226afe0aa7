# An edit makes again what it can change, and no more: of 64 sections, those within the reach of a changed
# sample; of flow, what lies downstream of it or upstream of a changed sill; nothing behind a result that came
# out the same. Afterwards all is as a cold bake makes it.
. tests/cli/lib.sh
need_tools

# valleys of 256 columns, a section wide, that fall to the south; a lake behind a dam at 1408,1000
mkdir -p "$work/w/h"
for m in 0_0 1_0 0_1 1_1; do
    "$raster_tool" valleys $((${m%_*} * 1024)) $((${m#*_} * 1024)) 1024 1024 "$work/w/h/h_$m.png"
done
cat >"$work/w/world.yaml" <<END
terrane: 1
world: {name: valleys, size_m: [2048, 2048], seed: 7, wind: {shelter_m: 50, scale_m: 32}}
height: {files: "h/h_{x}_{y}.png", z_min_m: 0, z_max_m: 400}
survey: {far_radius_m: 250}
output: {layers: [slope, aspect, occlusion, illumination, flow, twi, wind]}
tools: [biomes]
biomes:
  recipe: 1
  biomes:
    forest: {id: 1, texture_id: 2, color: "#55682f"}
  default_biome: forest
  species:
    spruce:
      kind: tree
      biomes: [forest]
      priority: 100
      viability:
        - {layer: slope, range: [0, 36]}
        - {layer: flow, range: [0, 0.8], combine: multiply}
      viability_radius_m: 4.2
      priority_radius_m: 2.6
      density_per_ha: 60
      height_m: [12, 34]
      asset: trees/spruce
      crown: cone
      crown_radius_m: 3.2
      color: "#2c4a26"
END
bake() { # NAME: with the store; $work/NAME.json, $work/NAME.trace
    "$terrane" bake "$work/w" --out "$work/out" --store "$work/store" --json --quiet --trace "$work/$1.trace" >"$work/$1.json"
    verdict $? "$1: bake"
}
# How many sections' results of a stage were not in the store.
made() { # NAME STAGE
    awk -v stage="\"$2\"," '/"stage":/ { on = $2 == stage } on && /"pairs":/ { pairs = $2 + 0 }
        on && /"from_store":/ { print pairs - $2 }' "$work/$1.json"
}
makes() { # NAME LOW HIGH STAGE...
    local name=$1 low=$2 high=$3 stage n
    shift 3
    for stage in "$@"; do
        n=$(made "$name" "$stage")
        [ -n "$n" ] && [ "$n" -ge "$low" ] && [ "$n" -le "$high" ]
        verdict $? "$name: $stage is made again in ${n:-no} sections, at least $low, at most $high"
    done
}
# The sections in which a stage ran, "x,y" each a line. Only for stages whose results are kept on disk: others
# are made again wherever somebody reads them.
where() { # NAME STAGE
    sed -n "s/.*\"name\":\"$2\".*\"section\":\"\([^\"]*\)\".*/\1/p" "$work/$1.trace" | sort -u
}
only() { # NAME STAGE SECTION...: it ran nowhere else
    local name=$1 stage=$2 beyond
    shift 2
    beyond=$(where "$name" "$stage" | grep -vxF "$(printf '%s\n' "$@")" | tr '\n' ' ')
    [ -z "$beyond" ]
    verdict $? "$name: $stage runs in ${*} only${beyond:+, not in $beyond}"
}
in_all() { # NAME STAGE SECTION...: it ran there
    local name=$1 stage=$2 missing
    shift 2
    missing=$(printf '%s\n' "$@" | grep -vxF "$(where "$name" "$stage"; echo none)" | tr '\n' ' ')
    [ -z "$missing" ]
    verdict $? "$name: $stage runs in ${*}${missing:+, but not in $missing}"
}
cold() { # NAME: the same files as without a store
    "$terrane" bake "$work/w" --out "$work/cold" --no-store --quiet
    same "$work/cold" "$work/out" "$1: as a cold bake"
    rm -rf "$work/cold"
}
edit() { # X Y CODE: of the world
    local file="$work/w/h/h_$(($1 / 1024))_$(($2 / 1024)).png"
    "$raster_tool" set "$file" "$file" $(($1 % 1024)) $(($2 % 1024)) "$3"
}
local_stages="altitude height height_delta texture ground_color"

bake first
makes first 64 64 height_raw altitude slope horizon flow_local flow twi wind entities preview
makes first 1 1 flow_world

bake again
makes again 0 0 height_raw altitude slope horizon flow_local flow_world flow twi wind compete entities preview

# the same samples in another file
touch "$work/w/h/h_0_0.png"
if command -v gdal_translate >/dev/null; then
    gdal_translate -q -of PNG -co ZLEVEL=9 "$work/w/h/h_0_0.png" "$work/other.png" && rm -f "$work"/other.png.aux.xml
    cmp -s "$work/other.png" "$work/w/h/h_0_0.png" && not_ok "another encoding is the same file"
    mv "$work/other.png" "$work/w/h/h_0_0.png"
    bake recoded
    makes recoded 16 16 height_raw
    makes recoded 0 0 altitude slope horizon flow_local flow_world flow twi wind compete entities preview
    grep -q '"written": 0,' "$work/recoded.json"
    verdict $? "recoded: no output is written"
else
    skip "the same samples in another file: gdal_translate is not here"
fi

# a sample on a valley's side, in section 2,5, sector 9,22: water takes another way within the section
edit 600 1430 +40
bake side
makes side 1 16 height_raw
makes side 1 1 $local_stages slope relief_coarse wind fill_local flow_local flow twi candidates entities
makes side 0 1 tint # of wetness over some metres, in its steps
only side flow_local 2,5
only side flow 2,5
only side wind 2,5
only side horizon {1,2},{5,6} # 96 m; the far relief's steps are the same
in_all side horizon 2,5
only side preview {1..3},{4..6}
cold side

# a sample on the ridge between two valleys, sections 1,5 and 2,5: water of a few cells changes sides, and both
# valleys downstream have to look; the steps that are published stay the same there
edit 513 1430 +100
bake ridge
only ridge flow_local 1,5 2,5
only ridge flow {1,2},{0..5}
in_all ridge flow 2,5 2,4 1,4
makes ridge 1 3 $local_stages tint twi
makes ridge 1 4 entities

# the sill of the lake, section 5,3: what lies behind it, up to the lake's end, and downstream
edit 1408 1000 -1500
bake sill
makes sill 1 1 altitude fill_local
makes sill 2 4 filled
only sill flow_local 5,{2..6} # 5,6 reads of the sector in which the lake ends
in_all sill flow_local 5,3 5,4
only sill flow 5,{0..5}
in_all sill flow 5,3 5,4
makes sill 2 12 twi
cold sill
