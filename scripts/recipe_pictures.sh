#!/usr/bin/env bash
# Makes docs/pictures/recipes/*.jpg: what the keys of a recipe do, each by bakes of a world of 40 x 40 m that differ in
# that key alone. Run from the repository's root after `make all tools`; scripts/recipe_pictures.sh NAME... makes some.
set -eu
terrane=${TERRANE:-build/release/terrane}
image_tool=${IMAGE_TOOL:-build/release/tests/tools/image_tool}
raster_tool=${RASTER_TOOL:-build/release/tests/tools/raster_tool}
out=docs/pictures/recipes
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$out" "$work/w"

# ---- the world: low hills, two noises, the west half painted as one biome and the east half as another ----
"$raster_tool" noise 80 80 5 "$work/w/h.png"
{
    printf '\0\0\2\0\0\0\0\0\0\0\0\0\120\0\120\0\30\40' # TGA, 80 x 80, from the top
    for _ in $(seq 80); do
        head -c 120 /dev/zero | tr '\0' '\20'
        head -c 120 /dev/zero | tr '\0' '\340'
    done
} >"$work/w/paint.tga"
printf 'wood: "#101010"\nmeadow: "#e0e0e0"\n' >"$work/w/legend.yaml"
world() { # MORE LINES of world.yaml
    printf '%s\n' 'terrane: 1' 'world: {name: keys, size_m: [40, 40], seed: 4}' 'grid: {cell_m: 0.5}' \
        'height: {files: h.png, spacing_m: 0.5, z_min_m: 0, z_max_m: 6}' \
        'noise: {a: {scale_m: 22, octaves: 2}, b: {scale_m: 7, octaves: 2}}' \
        'tools: [biomes]' 'biomes: r.yaml' "$@" >"$work/w/world.yaml"
}
painted='masks: {biome_paint: {files: paint.tga, legend: legend.yaml}}'

# ---- recipes ----
head='recipe: 1
biomes:
  wood: {id: 1, color: "#6f7d46"}
  meadow: {id: 2, color: "#a9a866"}
defaults:
  all:
    {biomes: all, priority: 9, viability: [{value: 1}], viability_radius_m: 1.6, density_per_ha: 700, height_m: [5, 12],
    crown: cone, crown_radius_m: 1.8, color: "#2f5a33"}
  kinds:
    herb: {priority: 1, viability_radius_m: 0.5, density_per_ha: 9000, height_m: [0.3, 0.8], crown: flat,
           crown_radius_m: 0.45, color: "#9fb04e"}
    dot:  {viability_radius_m: 0.3, density_per_ha: 45000, density_ramp: [0, 0.001], height_m: [0.4, 0.5], radius_spread: 0,
           crown: flat, crown_radius_m: 0.34, color_jitter: 0.05,
           tint: {over: viability, colors: [[0, "#f3ecc0"], [0.5, "#8fae4a"], [1, "#1d4a1d"], [2, "#0b1e2e"]]}}
species:
'
number=0
shot() { # RECIPE [LAYER]: the aerial picture, or a layer's; its file is added to $shots
    number=$((number + 1))
    printf '%s' "$1" >"$work/w/r.yaml"
    if [ $# -gt 1 ]; then
        "$terrane" layer "$work/w" "$2" --out "$work/$number.png" --no-store --quiet
    else
        rm -rf "$work/out"
        "$terrane" bake "$work/w" --out "$work/out" --no-store --quiet
        cp "$work/out/maps/x0_y0/preview.png" "$work/$number.png"
    fi
    shots="$shots $work/$number.png"
}
wanted=" $* "
picture() { # NAME: begins one; false when it is not wanted
    shots=
    name=$1
    [ "$wanted" = '  ' ] || [ "${wanted#* "$1" }" != "$wanted" ]
}
# shellcheck disable=SC2086
done_with() { "$image_tool" row "$out/$name.jpg" $shots; }
each() { # NAME FORMAT VALUE...: a recipe for each value, put in place of %s
    local format=$2 value
    picture "$1" || return 0
    shift 2
    for value in "$@"; do
        # shellcheck disable=SC2059
        shot "$head$(printf "$format" "$value")
"
    done
    done_with
}
steps() { # NAME STACK...: viability as colour, dot by dot
    picture "$1" || return 0
    shift
    for stack in "$@"; do
        shot "$head  v: {kind: dot, viability: [$stack]}
"
    done
    done_with
}

tree='  fir: {'
herbs='
  grass: {kind: herb}'

# ---- biomes and zones ----
world "$painted"
picture border && {
    for jitter in 0 2 6; do
        shot "$head  fir: {biomes: wood}
  grass: {kind: herb, biomes: meadow}
border: {scale_m: 12, jitter_m: $jitter}
" biome_id
    done
    done_with
}
world
zones() { # NAME ZONES...: colours only
    picture "$1" || return 0
    shift
    for zone in "$@"; do
        shot "recipe: 1
biomes: {wood: {color: \"#6f7d46\", $zone}}
species: {stone: {biomes: all, priority: 1, viability: [{value: 1}], viability_radius_m: 1, density_per_ha: 30, height_m: [0.3, 0.6], crown: rock, color: \"#8d8d88\"}}
"
    done
    done_with
}
zones zones 'zones: {gully: {color: "#3f6d5c", rules: [{noise.a: "<0.4"}]}}' \
    'zones: {gully: {color: "#3f6d5c", rules: [{noise.a: "<0.4"}]}, fen: {color: "#c9b25f", rules: [{noise.a: "<0.4", noise.b: ">0.5"}]}}' \
    'zones: {gully: {color: "#3f6d5c", rules: [{noise.a: "<0.4", weight: 1}]}, fen: {color: "#c9b25f", rules: [{noise.a: "<0.6", noise.b: ">0.5"}]}}'
zones patch_m 'patch_m: 6, zones: {a: {color: "#3f6d5c", rules: [{}]}, b: {color: "#c9b25f", rules: [{}]}}' \
    'patch_m: 16, zones: {a: {color: "#3f6d5c", rules: [{}]}, b: {color: "#c9b25f", rules: [{}]}}' \
    'patch_m: 16, zones: {a: {color: "#3f6d5c", rules: [{}]}, b: {color: "#c9b25f", rules: [{}]}, c: {color: "#7d4f3a", rules: [{}]}}'

picture alone && {
    for zone in '' ', alone: true' ', texture_only: true'; do
        shot "recipe: 1
biomes: {wood: {color: \"#6f7d46\", zones: {gully: {color: \"#c9b25f\", rules: [{noise.a: \"<0.4\"}]$zone}}}}
species:
  fir: {biomes: wood, priority: 9, viability: [{value: 1}], viability_radius_m: 1.6, density_per_ha: 700, height_m: [5, 12], crown: cone, crown_radius_m: 1.8, color: \"#2f5a33\"}
  $([ "$zone" = ', texture_only: true' ] || echo 'reed: {biomes: gully, priority: 9, viability: [{value: 1}], viability_radius_m: 1.6, density_per_ha: 300, height_m: [1, 2], crown_radius_m: 0.9, color: "#7d4f3a"}')
"
    done
    done_with
}

# ---- competition ----
two='  fir: {density_per_ha: 2500, viability: [{layer: noise.a, floor: 0.1}]}
  oak: {density_per_ha: 2500, viability: [{layer: noise.a, invert: true, floor: 0.1}], crown: blob, color: "#9a8a2c"}
'
each purity "${two}competition: {purity: %s}" 0.5 4 best
each spacing "${tree}density_per_ha: 4000, radius_spread: 0}
competition: {spacing: %s}" 1 0.7 0.4
each priority "${tree}priority: 9}
  beech: {priority: %s, crown: blob, crown_radius_m: 2.6, viability_radius_m: 2.6, color: \"#8d9a30\"}" 5 9 12
each jitter '  fir: {viability: [{layer: noise.b}], radius_spread: 0, density_per_ha: 3000, viability_radius_m: 3, density_ramp: [0, 0.001], jitter: %s,
        tint: {over: viability, colors: [[0.2, "#a8ad4e"], [0.8, "#12371a"]]}}' 0.01 0.2 3

# ---- sliders ----
each factors_density "${tree}}$herbs
factors: {density: %s}" 0.3 0.6 1
each factors_size "${tree}}$herbs
factors: {size: %s}" 0.6 1 1.5

# ---- species ----
each density_per_ha "${tree}density_per_ha: %s}" 150 500 1500
each density_ramp "${tree}density_per_ha: 1500, viability: [{layer: noise.a}], density_ramp: %s}" '[0, 1]' '[0.4, 0.6]' '[[0, 1], [0.5, 0]]'
each density_over "${tree}density_per_ha: 2500, height_m: [2, 14], size_jitter: 1, viability: [{layer: noise.a}], density_over: %s}" \
    'viability, density_ramp: [0, 1]' 'height, density_ramp: [[2, 1], [5, 0.15]]' 'height, density_ramp: [[8, 0], [9, 1]]'
each density_stack "${tree}%s}" 'align: 0' 'density_stack: [{layer: noise.b}]' 'density_stack: [{layer: noise.b, over: 0.55}]'
each age "  fir: {height_m: [1.5, 14], viability: [{layer: noise.a, over: 0.42}], density_per_ha: 1500, tint: {over: height, colors: [[1.5, \"#a9b45a\"], [14, \"#1d4524\"]]}%s}" \
    '' ', age: {max_m: 3, amount: 0.8}' ', age: {max_m: 8, amount: 0.8}'
each age_more "  fir: {height_m: [1.5, 14], viability: [{layer: noise.a, range: [0.42, 0.7], soft: [0, 0.4]}], density_per_ha: 1500, tint: {over: height, colors: [[1.5, \"#a9b45a\"], [14, \"#1d4524\"]]}, age: {max_m: 8, %s}}" \
    'amount: 0.8' 'amount: 0.8, over: 0.8' 'amount: 0.8, ramp: [[0, 0], [0.1, 1], [1, 1]]' 'size: none' 'size: multiply'
each viability_radius_m "${tree}density_per_ha: 2500, viability_radius_m: %s}" 0.9 1.8 4
each priority_radius_m "${tree}density_per_ha: 120, priority_radius_m: %s}$herbs" 0.3 1.8 4
each radius_spread "${tree}density_per_ha: 2500, viability_radius_m: 2.2, radius_spread: %s}" 0 0.45 0.9
each heeds "${tree}density_per_ha: 120, crown_radius_m: 1, priority_radius_m: 3.5}
  grass: {kind: herb, heeds: %s}" crown trunk none
each height_m "${tree}height_m: %s, viability: [{layer: noise.a}], density_ramp: [0, 0.001]}" '[11, 12]' '[2, 12]' '[2, 24]'
each sizes "${tree}viability: [{layer: noise.a}], density_ramp: [0, 0.001], size_jitter: 0, sizes: [%s]}" '{from: 0, height_m: 12, scale: [1, 1]}' \
    '{from: 0, height_m: 4, asset: low, scale: [1, 1]}, {from: 0.4, height_m: 12, asset: high, scale: [1, 1]}' '{from: 0, height_m: 4, asset: low}, {from: 0.4, height_m: 12, asset: high}'
each size_full "${tree}height_m: [2, 14], viability: [{layer: noise.a}], density_ramp: [0, 0.001], size_jitter: 0, size_full: %s}" 0.4 1 2
each size_jitter "${tree}height_m: [2, 14], viability: [{layer: noise.a}], density_ramp: [0, 0.001], size_jitter: %s}" 0 0.3 1
each scale_random "${tree}height_m: [12, 12], scale_random: %s}" '[1, 1]' '[0.7, 1.2]' '[0.3, 1.6]'
each variations "${tree}asset: fir%s}" '' ', variations: [{asset: fir_dead, weight: 0.05, color: "#b9b0a2"}]' ', variations: [{asset: fir_dead, weight: 0.6, color: "#b9b0a2"}]'
each color "${tree}color: \"%s\"}" '#2f5a33' '#7a8a30' '#a5642a'
each color_jitter "${tree}color_jitter: %s}" 0 0.12 0.5
picture tint && {
    for t in 'over: viability, colors: [[0, "#d0b03a"], [1, "#1d4524"]]' 'over: height, colors: [[4, "#d0b03a"], [14, "#1d4524"]]' \
        'stack: [{layer: noise.b}], jitter: 0.2, colors: [[0, "#d0b03a"], [1, "#1d4524"]]'; do
        shot "$head  fir: {viability: [{layer: noise.a}], density_ramp: [0, 0.001], height_m: [4, 14], tint: {$t}}
"
    done
    done_with
}
each crown "${tree}crown: %s}" cone blob flat rock
each crown_radius_m "${tree}crown_radius_m: %s}" 0.8 1.8 3
each offset_m "${tree}density_per_ha: 130, viability_radius_m: 9, radius_spread: 0, height_m: [12, 12], yaw_jitter_deg: 0, forward: downslope, %s}" \
    'offset_m: [0, 0, 0]' 'offset_m: [0, 2.2, 0]' 'offset_jitter_m: [1.5, 1.5, 0]'

# ---- poses: from the side, drawn by blender from what the bake wrote ----
blender=${BLENDER:-blender}
side() { # NAME EYE TARGET RECIPE-FORMAT VALUE...
    local eye=$2 target=$3 format=$4 value
    picture "$1" || return 0
    if ! command -v "$blender" >/dev/null; then
        echo "recipe_pictures: $1.jpg stays as it is: no $blender here" >&2
        return 0
    fi
    shift 4
    for value in "$@"; do
        number=$((number + 1))
        # shellcheck disable=SC2059
        printf '%s%s\n' "$head" "$(printf "$format" "$value")" >"$work/w/r.yaml"
        rm -rf "$work/out"
        "$terrane" bake "$work/w" --out "$work/out" --no-store --quiet
        "$blender" -b -P scripts/render_blender.py -- "$work/out" --to "$work/$number.png" --eye "$eye" --target "$target" \
            --fov 44 --size 400x300 --samples 24 --sun 235,42 >/dev/null 2>&1
        shots="$shots $work/$number.png"
    done
    done_with
}
pole="  fir: {density_per_ha: 120, viability_radius_m: 7, radius_spread: 0.1, height_m: [7, 7], crown_radius_m: 1.6, yaw_jitter_deg: 0, %s}"
log="  log: {kind: wood, density_per_ha: 140, viability_radius_m: 6, radius_spread: 0.1, height_m: [0.9, 0.9], crown: rock, crown_radius_m: 3, color: \"#8a6a48\", %s}"
rock="  rock: {kind: rock, density_per_ha: 140, viability_radius_m: 6, radius_spread: 0.1, height_m: [3.4, 3.4], crown: rock, crown_radius_m: 2, color: \"#9a968c\", %s}"
side yaw_deg 20,-15,24 20,16,0 "$log" 'yaw_jitter_deg: 0' 'yaw_deg: 90, yaw_jitter_deg: 12' 'forward: downslope, yaw_jitter_deg: 0' 'forward: random'
side lean_deg 20,-17,9 20,20,1 "$pole" 'lean_deg: 0' 'lean_deg: 25, yaw_deg: 90' 'lean_jitter_deg: 30, forward: random' 'roll_deg: 25'
slope() { # a valley's side in place of the nearly flat ground
    "$raster_tool" valleys 0 0 80 80 "$work/w/h.png"
    sed -i 's/z_max_m: 6/z_max_m: 240/' "$work/w/world.yaml"
}
slope
side align 20,-16,12 20,20,0 "$pole" 'align: 0' 'align: 0.5' 'align: 1'
"$raster_tool" noise 80 80 5 "$work/w/h.png"
world
side buried 20,-15,9 20,16,0 "$rock" 'buried: 0' 'buried: 0.3' 'buried: 0.7'

# ---- what they do to their surroundings ----
picture writes_mask && {
    for m in 'radius_m: 1' 'radius_m: 1, falloff_m: 4' 'radius_m: 1, falloff_m: 4, noise: b, noise_amount: 1'; do
        shot "$head  fir: {density_per_ha: 90, writes: [{mask: seeds, output: true, $m}]}
" mask_seeds
    done
    done_with
}
each writes_reader "${tree}density_per_ha: 70, writes: [{mask: seeds, radius_m: 2, falloff_m: 4, output: true}]}
  fern: {kind: herb, heeds: none, viability: [%s]}" '{value: 1}' '{layer: mask_seeds}' '{layer: distance.mask_seeds, range: [0, 2]}'
layer_of() { # NAME LAYER VALUE...
    local layer=$2 value
    picture "$1" || return 0
    shift 2
    for value in "$@"; do
        shot "$head  fir: {density_per_ha: 60, writes: [{$value}]}
" "$layer"
    done
    done_with
}
layer_of writes_raise height 'raise_m: 1.5, radius_m: 0.7, falloff_m: 3' 'raise_m: -1.5, radius_m: 0.7, falloff_m: 3' 'raise_m: 1.5, radius_m: 0.7, falloff_m: 3, where: [{layer: noise.a, over: 0.4, soft: 0.1}]'
layer_of writes_textures texture_id 'textures: [[0.1, 24]], falloff_m: 4' 'textures: [[0.1, 24], [0.6, 25]], falloff_m: 4' 'textures: [[0.1, 24], [0.6, 25]], falloff_m: 4, noise: b, noise_amount: 1'
each writes_tint "${tree}density_per_ha: 60, crown_radius_m: 0.7%s}" '' ', writes: [{tint: "#303030", radius_m: 1, falloff_m: 4}]' ', writes: [{tint: "#d8c8a8", radius_m: 1, falloff_m: 4}]'

# ---- viability ----
steps range '{layer: noise.a}' '{layer: noise.a, range: [0.4, 0.6]}' '{layer: noise.a, over: 0.5}'
steps soft '{layer: noise.a, over: 0.6}' '{layer: noise.a, over: 0.6, soft: 0.1}' '{layer: noise.a, over: 0.6, soft: 0.4}'
steps invert '{layer: noise.a, over: 0.6, soft: 0.2}' '{layer: noise.a, over: 0.6, soft: 0.2, invert: true}'
steps floor '{layer: noise.a, over: 0.6, soft: 0.2}' '{layer: noise.a, over: 0.6, soft: 0.2, floor: 0.3}' '{layer: noise.a, over: 0.6, soft: 0.2, floor: 0.7}'
steps weight '{layer: noise.a, weight: 0.5}' '{layer: noise.a}' '{layer: noise.a, weight: 2}'
a='{layer: noise.a, over: 0.6, soft: 0.3}' b='{layer: noise.b, over: 0.6, soft: 0.3'
steps combine "$a" "$b}" "$a, $b}" "$a, $b, combine: add}" "$a, $b, combine: subtract}"
steps combine_more "$a, $b, combine: min}" "$a, $b, combine: max}" "$a, $b, combine: mix}" "$a, $b, combine: mix, amount: 0.9}" "$a, $b, combine: replace}"
steps group "$a, $b}, {layer: slope, under: 20, combine: add}" "$a, {group: [$b}, {layer: slope, under: 20, combine: add}]}"
