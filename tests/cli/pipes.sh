# Pipes, devices, folders and links to nothing where a file should be: every command ends, and says what it found.
. tests/cli/lib.sh
need_tools
small_images "$work/w"
"$image_tool" rgb 64 64 "$work/w/p.png"
cat >"$work/w/world.yaml" <<'END'
terrane: 1
world: {name: pipes, size_m: [64, 64]}
height: {files: h.png, z_min_m: 0, z_max_m: 100}
masks:
  m: {files: m.png}
  p: {files: p.png, legend: legend.yaml}
splines: [lines.json]
biomes: recipe.yaml
END
printf 'a: "#000000"\n' >"$work/w/legend.yaml"
printf '{"type": "FeatureCollection", "features": []}\n' >"$work/w/lines.json"
printf 'recipe: 1\nbiomes: {hills: {}}\nspecies:\n  moss: {biomes: all, priority: 1, viability: [{value: 1}],\n' >"$work/w/recipe.yaml"
printf '    density_per_ha: 100, viability_radius_m: 2, height_m: [1, 2]}\n' >>"$work/w/recipe.yaml"
sed -i '/^  p:/d' "$work/w/world.yaml" # its colours need not be in the legend here
"$terrane" bake "$work/w" --out "$work/out" --store "$work/s" --quiet || not_ok "the good world"
cp -r "$work/out" "$work/other"

put() { # KIND PATH
    rm -rf "$2"
    case $1 in
    pipe) mkfifo "$2" ;;
    device) ln -s /dev/zero "$2" ;;
    folder) mkdir "$2" ;;
    nothing) ln -s "$work/no/where" "$2" ;;
    esac
}
hung=0 silent=0 wrong=0
try() { # WHAT COMMAND...: must end by itself, and say something when it fails
    local what=$1 got
    shift
    timeout 20 "$terrane" "$@" >"$work/stdout" 2>"$work/stderr" </dev/null
    got=$?
    [ $got -ne 124 ] || { hung=$((hung + 1)) && echo "hangs: $what: $*"; }
    [ $got -eq 0 ] || [ -s "$work/stderr" ] || [ -s "$work/stdout" ] || silent=$((silent + 1))
    case $got in 0 | 1 | 3 | 4 | 124) ;; *) wrong=$((wrong + 1)) && echo "exit $got: $what: $*" ;; esac
}
map=maps/x0_y0
for kind in pipe device folder nothing; do
    for file in manifest.json objects.json $map/manifest.json $map/preview.png $map/sections/c0_0/height.png \
        $map/sectors/s0_0.points.ply $map/.fresh.json $map/.writers.lock $map/.manifest.lock; do
        rm -rf "$work/bad"
        cp -r "$work/out" "$work/bad"
        put $kind "$work/bad/$file"
        try "$kind $file" verify "$work/bad"
        try "$kind $file" diff "$work/bad" "$work/other"
        try "$kind $file" diff "$work/other" "$work/bad"
        try "$kind $file" export "$work/bad" --for images --to "$work/images"
        try "$kind $file" bake "$work/w" --out "$work/bad" --no-store
    done
    for file in world.yaml h.png m.png lines.json recipe.yaml; do
        rm -rf "$work/badw"
        cp -r "$work/w" "$work/badw"
        put $kind "$work/badw/$file"
        try "$kind $file" check "$work/badw" --no-store
        try "$kind $file" bake "$work/badw" --out "$work/x" --no-store
        [ -s "$work/stderr" ] || not_ok "$kind as $file: nothing said"
    done
    put $kind "$work/list"
    try "$kind list" bake "$work/w" --out "$work/x" --no-store --sectors-from "$work/list"
    for file in $(cd "$work/s" && find . -type f | head -n 4); do
        rm -rf "$work/bads"
        cp -r "$work/s" "$work/bads"
        put $kind "$work/bads/$file"
        try "$kind $file" bake "$work/w" --out "$work/x" --store "$work/bads"
    done
done
verdict $hung "no command waits for what is no file ($hung hang)"
verdict $silent "whoever fails says why ($silent silent)"
verdict $wrong "exit codes of 0, 1, 3 or 4 ($wrong others)"

# ---- what is said ----
cp -r "$work/w" "$work/v"
put pipe "$work/v/h.png"
exits 4 "heights from a pipe" "$terrane" check "$work/v" --no-store
says "$work/stderr" "world.yaml:3:17: error: h.png: is not a file" "heights from a pipe: told"
put nothing "$work/v/h.png"
exits 4 "heights through a dead link" "$terrane" check "$work/v" --no-store
says "$work/stderr" "h.png: is a link to a file that is not there" "heights through a dead link: told"
put pipe "$work/v/world.yaml"
exits 4 "a world from a pipe" "$terrane" check "$work/v/world.yaml"
says "$work/stderr" "world.yaml: error: is a named pipe, not a file" "a world from a pipe: told"
rm -rf "$work/bad"
cp -r "$work/out" "$work/bad"
put pipe "$work/bad/manifest.json"
exits 1 "verify of a pipe" "$terrane" verify "$work/bad" --quiet
says "$work/stdout" "damaged: manifest.json: is a named pipe, not a file" "verify of a pipe: told"
ln -s . "$work/bad/$map/round"
ln -s .. "$work/bad/$map/about"
timeout 20 "$terrane" verify "$work/bad" --quiet >/dev/null
verdict $(($? == 1 ? 0 : 1)) "verify does not go round in circles of links"

# ---- outputs never take a device's place ----
ln -s /dev/null "$work/null.png"
exits 4 "a layer into a device" "$terrane" layer "$work/w" slope --out "$work/null.png" --no-store
says "$work/stderr" "null.png: error: is a device, not a file" "a layer into a device: told"
[ -L "$work/null.png" ] && [ -c /dev/null ]
verdict $? "a device stays"

# ---- streams that the program was started with are read ----
printf '0,0\n' | timeout 20 "$terrane" bake "$work/w" --out "$work/x" --no-store --quiet --sectors-from -
verdict $? "sectors from stdin"
timeout 20 "$terrane" bake "$work/w" --out "$work/x" --no-store --quiet --sectors-from <(echo 0,0)
verdict $? "sectors from a shell's substitution"
