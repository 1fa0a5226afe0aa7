# What people set by hand keeps plants away, and changes nothing far from it.
. tests/cli/lib.sh
"$terrane" new "$work/w" --quiet
"$terrane" bake "$work/w" --out "$work/free" --no-store --quiet
cat >"$work/w/house.geojson" <<'J'
{"type": "FeatureCollection", "features": [{"type": "Feature", "properties": {"kind": "footprint"},
 "geometry": {"type": "Polygon", "coordinates": [[[63, 63], [129, 63], [129, 129], [63, 129], [63, 63]]]}}]}
J
echo 'placed: [house.geojson]' >>"$work/w/world.yaml"
exits 0 "a world with a house" "$terrane" bake "$work/w" --out "$work/house" --no-store --quiet
[ -e "$work/free/maps/x0_y0/sectors/s1_1.points.ply" ] && [ ! -e "$work/house/maps/x0_y0/sectors/s1_1.points.ply" ]
verdict $? "nothing grows in the house"
cmp -s "$work/free/maps/x0_y0/sectors/s7_7.points.ply" "$work/house/maps/x0_y0/sectors/s7_7.points.ply"
verdict $? "far away everything stands as it did"
