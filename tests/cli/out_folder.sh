# Whose an out folder is: a world that was edited, has grown or shrunk goes on in it, another world does not.
. tests/cli/lib.sh
four_maps "$work/w" # -300,-200 .. 212,312: maps x-1_y-1 .. x0_y0
bake() { "$terrane" bake "$work/w" --out "$work/out" --store "$work/s" --quiet "$@"; }
set_size() { # X Y W H
    sed -i "s/origin_m: .*/origin_m: [$1, $2]/; s/size_m: .*/size_m: [$3, $4]/" "$work/w/world.yaml"
}
bake || not_ok "the first bake"
cp -r "$work/out" "$work/before"

# ---- another world ----
other() { # TEXT NAME ARGUMENTS...
    local text=$1 name=$2
    shift 2
    exits 3 "$name" "$terrane" bake "$work/w" --out "$work/out" --store "$work/s" "$@"
    says "$work/stderr" "out/manifest.json: error: this folder is another world's ($text" "$name: told"
}
other "world.name is 'w' there and 'second' here): bake into another one, with --out, or remove it" \
    "another name" --set world.name=second
other "world.seed is '1' there and '2' here)" "another seed" --set world.seed=2
other "grid.cell_m is '1' there and '2' here)" "another cell" --set grid.cell_m=2 --set height.spacing_m=2 \
    --set world.size_m=[1024,1024]
other "it lies at -300,-200 m, all outside this one)" "another place" --set world.origin_m=[4000,4000]
same "$work/before" "$work/out" "another world changes nothing"
rm "$work/out/manifest.json"
exits 3 "another name, by a map's manifest" "$terrane" bake "$work/w" --out "$work/out" --store "$work/s" \
    --set world.name=second
says "$work/stderr" "maps/x-1_y-1/manifest.json: error: this folder is another world's" \
    "another name, by a map's manifest: told"
bake
same "$work/before" "$work/out" "the same world goes on"

# ---- what is somebody else's ----
for text in '{"name": "my web app"}' 'no JSON'; do
    rm -rf "$work/theirs" && mkdir "$work/theirs"
    echo "$text" >"$work/theirs/manifest.json"
    exits 3 "a manifest that no bake wrote: $text" "$terrane" bake "$work/w" --out "$work/theirs" --store "$work/s"
    says "$work/stderr" "theirs/manifest.json: error: is no manifest of a bake, and would be replaced: bake into another folder, with --out" "$text: told"
    [ "$(cat "$work/theirs/manifest.json")" = "$text" ]
    verdict $? "$text: stays"
done

# ---- an edited one ----
exits 0 "other settings" "$terrane" bake "$work/w" --out "$work/out" --store "$work/s" --set survey.horizon_radius_m=64
bake
same "$work/before" "$work/out" "and back"

# ---- a world that shrinks, half a metre a sample now: to the maps -1,-1 and -1,0, then to -1,-1 ----
cp "$work/w/world.yaml" "$work/whole.yaml"
set_size -300 -200 256 256
sed -i 's/^  spacing_m: .*/  spacing_m: 0.5/' "$work/w/world.yaml"
bake
exits 0 "verify after maps have gone and others become smaller" "$terrane" verify "$work/out"
find "$work/out/maps" -maxdepth 1 -name 'x*' | sort >"$work/maps"
[ "$(wc -l <"$work/maps")" -eq 2 ]
verdict $? "maps that are gone leave no folder"
need_tools
"$image_tool" png16 512 256 "$work/w/low.png"
set_size -300 -200 256 128
sed -i 's/files: heights.png.*/files: low.png/' "$work/w/world.yaml"
echo mine >"$work/out/maps/x-1_y0/sectors/notes.txt"
exits 0 "a bake of one sector of a smaller world" "$terrane" bake "$work/w" --out "$work/out" --store "$work/s" --at -200,-150
says "$work/stderr" "maps/x-1_y0: warning: the world has no map -1,0 any more: a bake of the whole world removes it" \
    "a bake of one sector names maps that are gone"
find "$work/out/maps" -maxdepth 1 -name 'x*' | sort | cmp -s - "$work/maps"
verdict $? "a bake of one sector removes no map"
exits 0 "a whole bake of a smaller world" "$terrane" bake "$work/w" --out "$work/out" --store "$work/s" --shard 1/2
says "$work/stderr" "maps/x-1_y0: note: removed: the world has no map -1,0 any more" "a whole bake, in shards, removes maps"
exits 1 "verify of what is left of a map that is gone" "$terrane" verify "$work/out"
says "$work/stdout" "extra: maps/x-1_y0/sectors/notes.txt" "verify names what is left of a map that is gone"
[ "$(cd "$work/out/maps" && find x-1_y0 -type f)" = x-1_y0/sectors/notes.txt ]
verdict $? "what is not Terrane's stays of a map that is gone"
rm -r "$work/out/maps/x-1_y0"
"$terrane" bake "$work/w" --out "$work/fresh" --store "$work/s" --quiet
same "$work/out" "$work/fresh" "a folder that has shrunk is like a fresh one"

# ---- and grows again, to the west and the south ----
cp "$work/whole.yaml" "$work/w/world.yaml"
exits 0 "a bake of a world that has grown" "$terrane" bake "$work/w" --out "$work/out" --store "$work/s"
exits 0 "verify after it has grown" "$terrane" verify "$work/out"
same "$work/before" "$work/out" "a folder that has grown is like a fresh one"

# ---- what is not Terrane's ----
echo mine >"$work/out/maps/x0_y0/sectors/foo.txt"
bake
[ -e "$work/out/maps/x0_y0/sectors/foo.txt" ]
verdict $? "a bake leaves a foreign file alone"
exits 1 "verify of a foreign file" "$terrane" verify "$work/out"
says "$work/stdout" "extra: maps/x0_y0/sectors/foo.txt" "verify names a foreign file"
echo mine >"$work/out/notes.txt"
mkdir "$work/out/maps/x9_y9" "$work/out/maps/mine"
echo mine >"$work/out/maps/x9_y9/a"
echo mine >"$work/out/maps/mine/b"
exits 1 "verify of foreign files beside the maps" "$terrane" verify "$work/out"
for f in notes.txt maps/x9_y9/a maps/mine/b; do
    says "$work/stdout" "extra: $f" "verify names $f"
done
rm -r "$work/out/notes.txt" "$work/out/maps/x9_y9" "$work/out/maps/mine" "$work/out/maps/x0_y0/sectors/foo.txt"
exits 0 "verify without foreign files" "$terrane" verify "$work/out"

# ---- export says which maps it leaves out ----
cp -r "$work/out" "$work/fewer"
rm "$work/fewer/maps/x-1_y-1/manifest.json"
exits 0 "export without a map" "$terrane" export "$work/fewer" --for images --to "$work/images" --only height
says "$work/stderr" "warning: left out: 1 map that $work/fewer/manifest.json lists, without a manifest of its own; bake again" \
    "export names what it leaves out"
rm -r "$work/fewer"

# ---- a damaged manifest of a map: verify and diff go on, a bake writes it anew ----
cp -r "$work/out" "$work/hurt"
cut=$work/hurt/maps/x0_y0/manifest.json
truncate -s 100 "$cut"
exits 1 "verify of a damaged manifest" "$terrane" verify "$work/hurt"
says "$work/stdout" "damaged: maps/x0_y0/manifest.json: is damaged (" "verify names a damaged manifest"
[ "$(wc -l <"$work/stdout")" -eq 1 ]
verdict $? "and nothing else"
exits 3 "diff with a damaged manifest" "$terrane" diff "$work/out" "$work/hurt"
says "$work/stderr" "hurt/maps/x0_y0/manifest.json" "diff names it"
exits 3 "export of a damaged manifest" "$terrane" export "$work/hurt" --for images --to "$work/images" --only height
exits 0 "a bake over a damaged manifest" "$terrane" bake "$work/w" --out "$work/hurt" --store "$work/s"
says "$work/stderr" "warning: 1 map's manifest was damaged and is written anew" "and says so"
same "$work/out" "$work/hurt" "and makes it whole"
truncate -s 100 "$cut"
"$terrane" bake "$work/w" --out "$work/hurt" --store "$work/s" --quiet --sector 0,0
exits 1 "verify after a bake of one sector" "$terrane" verify "$work/hurt"
says "$work/stdout" "extra: maps/x0_y0/sections/" "what it did not bake is not listed"
rm -rf "$work/hurt"

# ---- diff goes on behind what cannot be read ----
cp -r "$work/out" "$work/a"
truncate -s 300 "$work/out/maps/x0_y0/sections/c0_0/height.png"
rm "$work/a/maps/x0_y0/sectors/s0_0.points.ply"
echo '{"objects": {}}' >"$work/a/objects.json"
"$terrane" bake "$work/w" --out "$work/b" --store "$work/s" --quiet --set biomes.factors.density=0.8
exits 4 "diff of damaged files" "$terrane" diff "$work/a" "$work/out"
says "$work/stderr" "out/maps/x0_y0/sections/c0_0/height.png: error: PNG: the file is cut short" "diff names a damaged file"
says "$work/stderr" "a/maps/x0_y0/sectors/s0_0.points.ply: error: cannot open" "diff names a missing file"
rm -rf "$work/c" && cp -r "$work/b" "$work/c"
sed -i '0,/"asset": "/s//"asset": "other_/' "$work/c/objects.json"
exits 1 "diff of what ids stand for" "$terrane" diff "$work/b" "$work/c"
says "$work/stdout" "objects.json: content differs" "diff names objects.json"
rm "$work/c/objects.json"
exits 1 "diff without objects.json" "$terrane" diff "$work/b" "$work/c"
[ "$(cat "$work/stdout")" = "only in A: objects.json" ]
verdict $? "diff without objects.json counts by the other's"
exits 1 "diff of sliders" "$terrane" diff "$work/before" "$work/b"
grep -qE '^species spruce: [0-9 ]+ -> [0-9 ]+ \(-[0-9]+\)$' "$work/stdout"
verdict $? "diff counts species"
