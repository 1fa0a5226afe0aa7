# What is too large is refused by `check`, with the place and what to do; what is just not too large works.
. tests/cli/lib.sh
need_tools
mkdir -p "$work/w"
"$image_tool" png16 64 64 "$work/w/good.png"
world() { # CELL_M WEST_M LINES...: 64 x 64 cells
    local side
    side=$(awk "BEGIN {print 64 * $1}")
    printf 'terrane: 1\nworld: {name: large, origin_m: [%s, 0], size_m: [%s, %s]}\n' "$2" "$side" "$side" >"$work/w/world.yaml"
    printf 'grid: {cell_m: %s}\nheight: {files: good.png, z_min_m: 0, z_max_m: 100}\n' "$1" >>"$work/w/world.yaml"
    shift 2
    [ $# -eq 0 ] || printf '%s\n' "$@" >>"$work/w/world.yaml"
}
recipe() { # RADIUS_M DENSITY
    printf 'recipe: 1\nbiomes: {hills: {}}\nspecies:\n  moss: {biomes: all, priority: 1, viability: [{value: 1}],\n'
    printf '    density_per_ha: %s, viability_radius_m: %s, height_m: [0.1, 0.2]}\n' "$2" "$1"
} >"$work/w/recipe.yaml"
refused() { # STATUS TEXT NAME
    exits "$1" "$3" "$terrane" check "$work/w" --no-store
    says "$work/stderr" "$2" "$3: told"
}
bakes() { # NAME
    exits 0 "$1: check" "$terrane" check "$work/w" --no-store
    exits 0 "$1: bake" "$terrane" bake "$work/w" --out "$work/out" --no-store
    rm -rf "$work/out"
}

# ---- places that 32 bits of 1/1024 m cannot hold ----
recipe 2 100
world 1 5000000 'biomes: recipe.yaml'
refused 5 "world.yaml:2:32: error: the world reaches to 5000064 m: tool 'biomes' needs a world within 2000000 m of zero" \
    "a recipe far from zero"
world 1 1999936 'biomes: recipe.yaml'
bakes "a recipe at two million metres"
says "$work/stderr" "baked 1 sector" "a recipe at two million metres"
world 1 5000000
bakes "heights alone far from zero"

# ---- cells that are too large for what stands in them ----
recipe 0.35 100
world 1024 0 'biomes: recipe.yaml'
refused 5 "recipe.yaml:4: error: species 'moss' stands too densely for cells of 1024 m" "a small radius in large cells"
says "$work/stderr" "m at most. Make grid.cell_m smaller" "a small radius in large cells: what would do"
world 20.5 0 'biomes: recipe.yaml'
bakes "a small radius in the largest cells"
recipe 0.1 500000
world 2.5 0 'biomes: recipe.yaml'
refused 5 "they may be 2.26 m at most. Make grid.cell_m smaller, or density_per_ha smaller" "a dense species in large cells"

# ---- the highest and the lowest ground, beside each other, and what cubic convolution makes of it ----
printf '\0\0\377\377%.0s' $(seq 512) >"$work/w/h.r16"
{
    printf 'terrane: 1\nworld: {name: steep, size_m: [64, 64]}\n'
    printf 'height: {files: h.r16, endian: little, spacing_m: 2, upsample: bicubic, z_min_m: -32768, z_max_m: 32768}\n'
    printf 'output: {layers: [flow, twi, slope]}\n'
} >"$work/w/world.yaml"
bakes "heights from -32768 m to 32768 m"
