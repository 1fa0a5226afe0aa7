# Real terrain: every set of ../shared/data is baked, or refused with a reason that its README bears out. Heights
# are written on the input's own scale, so that every sample can be compared with what came in.
. tests/cli/lib.sh
data=${TERRANE_SHARED:-$PWD/../shared}/data
need_tools
if [ ! -d "$data" ]; then
    skip "real terrain: no ../shared/data here"
    exit 0
fi
layers="altitude, slope, aspect, occlusion, illumination, flow, twi, wind, void"

# world NAME WIDTH_M HEIGHT_M CELL_M Z_MIN Z_MAX FILE [more of height] <<< more of world.yaml
world() {
    mkdir -p "$work/$1"
    cat >"$work/$1/world.yaml" <<END
terrane: 1
roots: {data: $data}
world: {name: $1, size_m: [$2, $3], latitude_deg: ${latitude-45}, seed: 7}
grid: {cell_m: $4}
height: {files: "data:$7", z_min_m: $5, z_max_m: $6${8+, $8}}
output: {height: {min_m: $5, max_m: $6}, layers: [$layers]}
END
    cat >>"$work/$1/world.yaml"
}
# has_data SET: says so when it is not there
has_data() {
    [ -d "$data/$1" ] && return 0
    skip "$1: not in ../shared/data"
    return 1
}
check() { # NAME TEXT: check passes and says TEXT
    exits 0 "$1: check" "$terrane" check "$work/$1"
    says "$work/stdout" "$2" "$1: check says: $2"
}
refused() { # NAME TEXT: exit 3 with TEXT, from check and from bake
    exits 3 "$1: check refuses" "$terrane" check "$work/$1"
    says "$work/stderr" "$2" "$1: refused: $2"
    exits 3 "$1: bake refuses" "$terrane" bake "$work/$1" --out "$work/$1/out"
    [ ! -e "$work/$1/out" ]
    verdict $? "$1: nothing is written"
}
bake() { # NAME ARGUMENTS...
    local name=$1
    shift
    exits 0 "$name: bake" "$terrane" bake "$work/$name" --out "$work/$name/out" --no-store --quiet "$@"
    exits 0 "$name: verify" "$terrane" verify "$work/$name/out"
}
sections() { # NAME OUTPUT: the files, one a line
    find "$work/$1/out/maps" -path '*/sections/*' -name "$2.png"
}
keeps() { # NAME INPUT OUTPUT [NODATA]: every sample is where and what it was
    local got
    got=$("$raster_tool" same "$data/$2" "$work/$1/out" "$3" ${4-})
    verdict $? "$1: $3 holds the samples of $2: $got"
}
stat() { # NAME OUTPUT FIELD
    sections "$1" "$2" | xargs "$raster_tool" stats | tr ' ' '\n' | sed -n "s/^$3=//p"
}
voids() { # NAME PIXELS: as many void cells as the README has pixels without data
    local got
    got=$(($(stat "$1" void pixels) - $(stat "$1" void zeros)))
    [ "$got" -eq "$2" ]
    verdict $? "$1: $got void cells, $2 pixels without data"
}
near() { # NAME WHAT VALUE LOW HIGH
    awk "BEGIN { exit !($3 >= $4 && $3 <= $5) }"
    verdict $? "$1: $2 is $3 (from $4 to $5)"
}

if has_data tyrol_wog_valley; then
    set=tyrol_wog_valley latitude=47.2
    world tyrol 1024 1024 1 1257.769897 1708.875244 $set/height.png <<END
splines: data:$set/streams_derived.geojson
tools: []
END
    check tyrol "cells every 1 m, 1 file"
    bake tyrol
    keeps tyrol $set/height.png height

    # the untouched 5 m: odd size, odd spacing; also four cells a pixel along each axis
    world tyrol_5m 1024.52399 1024.52399 4.997678 1257.634766 1708.169678 $set/height_native_5m.png <<<"tools: []"
    check tyrol_5m "cells every 4.99768 m"
    bake tyrol_5m
    keeps tyrol_5m $set/height_native_5m.png height
    world tyrol_up 1024.52399 1024.52399 1.2494195 1257.634766 1708.169678 $set/height_native_5m.png \
        "spacing_m: 4.997678, upsample: bicubic" <<<"tools: []"
    bake tyrol_up --section 0,0
    world tyrol_1m 1024 1024 1 1257.634766 1708.169678 $set/height_native_5m.png \
        "spacing_m: 4.997678, upsample: bicubic" <<<"tools: []"
    refused tyrol_1m "'spacing_m' is 4.997678 m"
fi

if has_data andorra_osm_8m; then
    set=andorra_osm_8m latitude=42.5
    world andorra 16384 16384 8 881.881775 2897.731934 $set/height.png <<END
splines: data:$set/splines.geojson
masks:
  landcover:
    files: data:$set/landcover_osm.png
    legend: {unmapped: {color: "#000000", id: 0}, water: {color: "#010101", id: 1}, forest: {color: "#020202", id: 2},
      meadow: {color: "#030303", id: 3}, scrub: {color: "#040404", id: 4}, built_up: {color: "#050505", id: 5},
      rock: {color: "#060606", id: 6}}
  woods: {files: data:$set/forest.png}
tools: []
END
    sed -i "s/, void]/, void, landcover, woods]/" "$work/andorra/world.yaml"
    check andorra "splines: 1521"
    says "$work/stderr" "33 features are of a kind that no tool knows and do nothing: aerialway (33)" \
        "andorra: one warning names the kinds that nobody knows"
    bake andorra
    keeps andorra $set/height.png height
    keeps andorra $set/landcover_osm.png landcover
    keeps andorra $set/forest.png woods

    world andorra_toy 2048 2048 1 110.235222 362.216492 $set/height.png <<END
splines: data:$set/splines_toy.geojson
tools: []
END
    bake andorra_toy --map 1,0
    # the map at full scale has lines far outside this one
    world andorra_wrong 2048 2048 1 110.235222 362.216492 $set/height.png <<<"splines: data:$set/splines.geojson"
    refused andorra_wrong "outside the world"
fi

if has_data cape_flattery_4096; then
    set=cape_flattery_4096 latitude=48.2
    world cape 4096 4096 1 -0.803109 81.357168 $set/height.png <<<"tools: []"
    check cape "maps 0,0 to 3,3"
    bake cape --map 1,2
    bake cape --sector 0,0 --sector 63,63 --sector 20,30..22,31
    near cape "height.png files" "$(sections cape height | wc -l)" 19 19
fi

if has_data game_urho3d_1025_8bit; then
    set=game_urho3d_1025_8bit latitude=45
    world urho 2048 2048 2 0 127.5 $set/height.png <<<"tools: []"
    check urho "posts every 2 m"
    bake urho
    keeps urho $set/height.png height
    # 254 levels of 0.5 m; a level a code of the input
    near urho "levels of height.png" "$(stat urho height levels)" 254 254
    world urho_8bit 2048 2048 2 0 127.5 $set/height_8bit_original.png <<<"tools: []"
    check urho_8bit "posts every 2 m"
    says "$work/stderr" "8-bit heights: the ground has steps of 0.5 m" "urho_8bit: a warning about steps"
    bake urho_8bit
    same "$work/urho/out/maps/x0_y0/sections" "$work/urho_8bit/out/maps/x0_y0/sections" \
        "urho: 8 and 16 bits give the same"
    world urho_cells 2050 2050 2 0 127.5 $set/height.png <<<"tools: []"
    check urho_cells "cells every 2 m"
    says "$work/stderr" "if they are posts, size_m is [2048, 2048]" "urho_cells: a warning about posts"
    world urho_weights 2048 2048 2 0 127.5 $set/height.png <<<"masks: {weights: {files: data:$set/weights_rgb_1024.png}}"
    exits 3 "urho_weights: check refuses" "$terrane" check "$work/urho_weights"
    says "$work/stderr" "a mask of colours needs a legend" "urho_weights: refused"
fi

if has_data st_helens_dome_2m; then
    set=st_helens_dome_2m latitude=46.2
    world dome 1062 912 2 2038.018946 2236.35791 $set/height.png "nodata: 0" <<<"tools: []"
    check dome "with voids"
    bake dome
    keeps dome $set/height.png height 0
    voids dome 80468
    world dome_1m 1062 912 1 2038.018946 2236.35791 $set/height.png "nodata: 0, spacing_m: 2, upsample: bicubic" <<<"tools: []"
    check dome_1m "cells every 2 m"
    bake dome_1m
    # a cell beside a sample without data has none either: a rim of half a sample
    near dome_1m "void cells" "$(($(stat dome_1m void pixels) - $(stat dome_1m void zeros)))" \
        $((80468 * 4)) $((80468 * 4 * 102 / 100))
    world dome_refused 1062 912 1 2038.018946 2236.35791 $set/height.png "nodata: 0, spacing_m: 2" <<<"tools: []"
    refused dome_refused "coarser than the cell of 1 m"
    world dome_square 1062 1062 2 2038.018946 2236.35791 $set/height.png "nodata: 0" <<<"tools: []"
    refused dome_square "531 x 456"
fi

if has_data st_helens_crater_10m; then
    set=st_helens_crater_10m latitude=46.2
    world crater 3030 4420 10 1361.796021 2538.099121 $set/height.png <<<"tools: []"
    bake crater
    keeps crater $set/height.png height
    near crater "steepest slope in degrees" "$(stat crater slope max | awk '{ print $1 * 90 / 65535 }')" 75 85
    world crater_fine 3030 4420 1.25 1361.796021 2538.099121 $set/height.png "spacing_m: 10, upsample: bicubic" <<<"tools: []"
    check crater_fine "cells every 10 m"
    bake crater_fine --map 1,1 # the rim
    world crater_odd 3030 4420 2 1361.796021 2538.099121 $set/height.png "spacing_m: 10, upsample: bicubic" <<<"tools: []"
    refused crater_odd "'spacing_m' is 10 m"
fi

if has_data red_butte_canyon_26m; then
    set=red_butte_canyon_26m latitude=40.8
    world butte 6884.02468 7095.840824 26.477018 1580.214173 2520.133057 $set/height.png "nodata: 0" <<END
splines: data:$set/splines.geojson
tools: []
END
    check butte "cells every 26.477 m"
    bake butte
    keeps butte $set/height.png height 0
    voids butte 37948
fi

if has_data cornwall_coast_1m; then
    set=cornwall_coast_1m latitude=50
    world cornwall 1000 1000 1 -0.211099 71.839996 $set/height.png "nodata: 0" <<END
splines: data:$set/streams_derived.geojson
tools: []
END
    check cornwall "with voids"
    bake cornwall
    keeps cornwall $set/height.png height 0
    voids cornwall 374878
fi

if has_data game_terrain3d_demo; then
    set=game_terrain3d_demo latitude=45
    world terrain3d 1024 3072 1 -54.005962 365.616638 $set/height.png <<END
masks:
  base: {files: data:$set/control_base_texture.png}
  overlay: {files: data:$set/control_overlay_texture.png}
  blend: {files: data:$set/control_blend.png}
  path: {files: data:$set/control_navigation.png}
  hole: {files: data:$set/control_hole.png}
  auto: {files: data:$set/control_auto.png}
tools: []
END
    sed -i "s/, void]/, void, overlay, blend, path, hole]/" "$work/terrain3d/world.yaml"
    check terrain3d "maps 0,0 to 0,2"
    bake terrain3d
    keeps terrain3d $set/height.png height
    for mask in overlay:overlay_texture blend:blend path:navigation hole:hole; do
        keeps terrain3d $set/control_${mask#*:}.png ${mask%:*}
    done
    near terrain3d "pixels of the path" "$(($(stat terrain3d path pixels) - $(stat terrain3d path zeros)))" 281281 281281
    world terrain3d_colour 1024 3072 1 -54.005962 365.616638 $set/height.png \
        <<<"masks: {paint: {files: data:$set/color_rgb.png}}"
    exits 3 "terrain3d_colour: check refuses" "$terrane" check "$work/terrain3d_colour"
    says "$work/stderr" "a mask of colours needs a legend" "terrain3d_colour: refused for want of a legend"
fi
