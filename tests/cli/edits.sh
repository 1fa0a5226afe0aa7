# After an edit a bake makes of a section only the sectors that the edit reaches; what lies in the folder then is what
# a bake from nothing makes. With water, rock, painted zones and all that grows.
. tests/cli/lib.sh
need_tools
four_maps "$work/w"
sed -i 's/origin_m: .*/origin_m: [-301, -199]/' "$work/w/world.yaml" # odd: blocks of ages reach over the edge
add_water "$work/w"
add_cliffs "$work/w"
cat >>"$work/w/world.yaml" <<'YAML'
masks: {biome_paint: {files: paint.png, legend: legend.yaml}}
output: {layers: [occlusion, illumination, wind, flow, zone_id, mask_seeds], clearance_m: [0.5, 2]}
YAML
printf 'hills: "#56602f"\nglade: "#6f7c3d"\nrocks: "#877f6c"\n' >"$work/w/legend.yaml"
paint() { "$raster_tool" stroke "$work/w/paint.png" "$work/w/paint.png" "$@"; }
sample() { "$raster_tool" set "$work/w/heights.png" "$work/w/heights.png" "$@"; }
cat >>"$work/w/recipes/biomes.yaml" <<'YAML'

  raft: # floats where it was moved to
    {biomes: all, priority: 3, density_per_ha: 4000, viability_radius_m: 7.7, height_m: [1, 1], floats: true,
     offset_m: [1.9, 0, 0], radius_spread: 0, viability: [{layer: water, over: 0.5}]}
YAML
"$image_tool" rgb 512 512 "$work/w/paint.png"
paint 256 256 600 56602f
bake() { "$terrane" bake "$work/w" --out "$work/out" --store "$work/store" --quiet --json "$@" >"$work/json"; }
check() { # NAME: baked with the store in two steps, a sector first
    bake --sector=-2,-1 --threads 1 && bake --threads 2
    verdict $? "$1: bake"
    "$terrane" bake "$work/w" --out "$work/cold" --no-store --quiet
    same "$work/cold" "$work/out" "$1: as a bake from nothing"
    rm -rf "$work/cold"
}
bake
verdict $? "bake"
# pixels count from the world's south-west corner at -301,-199
paint 190 140 5 6f7c3d
paint 345 295 4 877f6c # by the tarn, inside a sector
paint 445 12 9 877f6c # at the world's edge, in another section
check "two strokes"
sample 183 171 +90
sample 299 199 -700    # in the corner of four maps
paint 190 140 5 56602f # back to what it was
paint 300 60 3 877f6c  # the last columns west of x = 0
check "two samples, a stroke taken back"
sed -i 's/density_per_ha: 1300/density_per_ha: 1100/' "$work/w/recipes/biomes.yaml"
paint 300 205 7 877f6c
check "a species and a stroke"
