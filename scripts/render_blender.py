"""Draws a bake at an angle: its ground, rock and water, and a simple stand-in (cone, blob, blades, stone) for every entity.

    blender -b -P scripts/render_blender.py -- OUT --to picture.png [options]

Reads manifest.json, objects.json, the sections' height.png and cliffs_color.png, the sectors' points and meshes of water and cliffs. Needs Debian's
blender (3.4 or later) and python3-numpy; Cycles on the processor, so no screen. Positions are metres of the world; the eye's z is above the ground
there. Rock has its beds' colours if the world says `cliffs.attributes: true` (or `bake --set cliffs.attributes=true`), else one grey.

  --eye X,Y,Z      where the camera stands          --target X,Y,Z   what it looks at (z above the ground)
  --fov DEG        horizontal angle of view (50)    --size WxH       of the picture (1600x900)
  --near M         what is under 1.5 m high is drawn whole up to here, then thinner (200)
  --ground FILE    ground colours of the whole world: terrane layer WORLD ground_color --out FILE. Without it: green, grey where steep, and debris
  --node NAME      of the cliffs' meshes: cliff, or collision (cliff)
  --kinds A,B      draw only entities of these kinds (rock, tree, shrub ...; none)
  --sun AZ,EL      degrees clockwise from north, above the horizon (315,42)
  --samples N      light paths a pixel (32)         --haze M         distance at which haze takes half (4500)
"""
import argparse
import json
import struct
import sys
import zlib
from pathlib import Path

import bpy
import numpy as np
from mathutils import Vector


def arguments():
    def numbers(text):
        return [float(v) for v in text.split(",")]

    p = argparse.ArgumentParser(prog="render_blender.py")
    p.add_argument("out", type=Path)
    p.add_argument("--to", type=Path, required=True)
    p.add_argument("--eye", type=numbers)
    p.add_argument("--target", type=numbers)
    p.add_argument("--fov", type=float, default=50)
    p.add_argument("--size", default="1600x900")
    p.add_argument("--near", type=float, default=200)
    p.add_argument("--ground", type=Path)
    p.add_argument("--node", default="cliff")
    p.add_argument("--kinds")
    p.add_argument("--sun", type=numbers, default=[315, 42])
    p.add_argument("--samples", type=int, default=32)
    p.add_argument("--haze", type=float, default=4500)
    return p.parse_args(sys.argv[sys.argv.index("--") + 1:] if "--" in sys.argv else [])


# ---- files ----

def read_png(path):
    """Samples of an 8- or 16-bit PNG, rows from the south."""
    data, at, packed = path.read_bytes(), 8, b""
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + size]
        if kind == b"IHDR":
            width, height, depth, color = struct.unpack(">IIBB", body[:10])
        if kind == b"IDAT":
            packed += body
        at += size + 12
    channels = {0: 1, 2: 3, 4: 2, 6: 4}[color]
    step = channels * depth // 8
    rows = np.frombuffer(zlib.decompress(packed), "u1").reshape(height, -1)
    out = np.zeros((height + 1, step + width * step), "u1")  # a row and a sample of zeros before the first
    for y in range(height):
        row, above, line = out[y + 1], out[y], rows[y, 1:]
        kind = rows[y, 0]
        if kind == 0:
            row[step:] = line
        elif kind == 2:
            row[step:] = line + above[step:]
        elif kind == 1:
            row[step:] = np.cumsum(line.reshape(-1, step), 0, "u1").reshape(-1)
        else:
            for i in range(step, len(row)):
                a, b, c = int(row[i - step]), int(above[i]), int(above[i - step])
                if kind == 3:
                    guess = (a + b) // 2
                else:
                    pa, pb, pc = abs(b - c), abs(a - c), abs(a + b - 2 * c)
                    guess = a if pa <= pb and pa <= pc else b if pb <= pc else c
                row[i] = (int(line[i - step]) + guess) & 255
    out = out[1:, step:]
    out = out.reshape(height, width, channels) if depth == 8 else out.copy().view(">u2").reshape(height, width, channels)
    return out[::-1].astype(float)


POINT = np.dtype([("xyz", "<f8", 3), ("q", "<f4", 4), ("scale", "<f4"), ("object", "<u4"), ("id", "<u8"), ("rgb", "u1", 3),
                  ("tool", "u1"), ("viability", "<f4"), ("age", "<f4")])


def read_points(path):
    """Entities of a sector; attributes of a recipe's own come after ours and are left out."""
    data = path.read_bytes()
    end = data.index(b"end_header\n") + 11
    head = data[:end].decode().split("\n")
    count = int(next(line for line in head if line.startswith("element vertex")).split()[2])
    size = sum({"double": 8, "float": 4, "uint": 4, "int": 4, "ushort": 2, "uchar": 1}[line.split()[1]]
               for line in head if line.startswith("property"))
    raw = np.frombuffer(data, "u1", count * size, end).reshape(count, size)
    return np.ascontiguousarray(raw[:, :POINT.itemsize]).view(POINT).reshape(-1)


def upright(v):
    """From glTF's axes, y up, to the world's."""
    return np.stack([v[:, 0], -v[:, 2], v[:, 1]], 1)


def read_glb(path):
    """Meshes of a file: (node, vertices, faces, colours or None, normals or None) in world axes."""
    data = path.read_bytes()
    size = struct.unpack("<I", data[12:16])[0]
    doc, blob = json.loads(data[20:20 + size]), data[20 + size + 8:]

    def values(index, kinds={5126: "<f4", 5125: "<u4", 5123: "<u2", 5121: "u1"}):
        a = doc["accessors"][index]
        v = doc["bufferViews"][a["bufferView"]]
        n = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4}[a["type"]]
        at = v.get("byteOffset", 0) + a.get("byteOffset", 0)
        item = np.dtype(kinds[a["componentType"]])
        stride = v.get("byteStride", item.itemsize * n)
        raw = np.frombuffer(blob, "u1", stride * (a["count"] - 1) + item.itemsize * n, at)
        return np.lib.stride_tricks.as_strided(raw, (a["count"], item.itemsize * n), (stride, 1)).copy().view(item)

    for node in doc["nodes"]:
        if "mesh" not in node:
            continue
        for part in doc["meshes"][node["mesh"]]["primitives"]:
            has = part["attributes"]
            p = values(has["POSITION"]).astype(float) + node.get("translation", [0, 0, 0])
            colors = values(has["COLOR_0"])[:, :3] / 255.0 if "COLOR_0" in has else None
            normals = upright(values(has["NORMAL"]).astype(float)) if "NORMAL" in has else None
            yield node.get("name", ""), upright(p), values(part["indices"]).reshape(-1, 3), colors, normals


class Bake:
    def __init__(self, out):
        objects = out / "objects.json"  # not there without a recipe
        self.objects = json.loads(objects.read_text())["objects"] if objects.exists() else {}
        self.maps = [json.loads(p.read_text()) | {"folder": p.parent} for p in sorted(out.glob("maps/*/manifest.json"))]
        world = self.maps[0]["world"]
        self.cell, self.origin = world["cell_m"], np.array(world["origin_m"], float)
        self.parts = [(m["folder"] / name, o) for m in self.maps for name, o in m["outputs"].items()]
        heights = [(p, o) for p, o in self.parts if o.get("layer") == "height"]
        low = np.min([o["origin"] for _, o in heights], 0)
        high = np.max([np.add(o["origin"], [o["width"], o["height"]]) for _, o in heights], 0)
        self.low = low
        self.z = np.full((high - low)[::-1], np.nan)
        for path, o in heights:
            self.window(self.z, o)[:] = read_png(path)[..., 0] * o["scale"] + o["offset"]

    def window(self, grid, output):
        """What a section's raster covers of a grid of all cells."""
        x, y = np.subtract(output["origin"], self.low)
        return grid[y:y + output["height"], x:x + output["width"]]

    def debris(self):
        """Colours of rock and debris on the ground, 0..1, and how much there is of it, 0..1."""
        colors, debris = np.zeros((*self.z.shape, 3)), np.zeros(self.z.shape)
        for path, o in self.parts:
            if o.get("layer") == "cliffs_color":
                self.window(colors, o)[:] = read_png(path) / 255
            if o.get("layer") == "erosion":
                self.window(debris, o)[:] = read_png(path)[..., 0] / 255
        return colors, np.where(debris > 0, debris, colors.any(2))

    def ground(self, x, y):
        """Height at world metres, of the nearest cell."""
        at = (np.array([x, y]) - self.origin) / self.cell - self.low
        j, i = np.clip(at[::-1].astype(int), 0, np.array(self.z.shape) - 1)
        return float(self.z[j, i])

    def points(self):
        found = [read_points(p) for p, _ in self.parts if p.name.endswith(".points.ply")]
        return np.concatenate(found) if found else np.zeros(0, POINT)

    def meshes(self, ending):
        for path, _ in self.parts:
            if path.name.endswith(ending):
                yield from read_glb(path)


# ---- stand-ins: vertices (radius 1, height 1), triangles, lightness of each vertex ----

def ring(count, radius, z, noise, rng, start=0.0):
    turn = np.arange(count) * 2 * np.pi / count + start
    r = radius * (1 + noise * rng.uniform(-1, 1, count))
    return np.stack([r * np.cos(turn), r * np.sin(turn), np.full(count, z) + noise * 0.1 * rng.uniform(-1, 1, count)], 1)


def join(parts):
    v = np.concatenate([p[0] for p in parts])
    first = np.cumsum([0] + [len(p[0]) for p in parts[:-1]])
    return v, np.concatenate([p[1] + k for p, k in zip(parts, first)]), np.concatenate([p[2] for p in parts])


def skirt(count, radius, z0, z1, rng, dark, light):
    v = np.concatenate([ring(count, radius, z0, 0.22, rng, rng.uniform(0, 6)), [[0, 0, z1]]])
    f = np.array([[i, (i + 1) % count, count] for i in range(count)])
    return v, f, np.concatenate([np.full(count, dark), [light]])


def trunk(radius, height):
    turn = np.arange(4) * np.pi / 2
    low = np.stack([radius * np.cos(turn), radius * np.sin(turn), np.full(4, -0.02)], 1)
    f = [[i, (i + 1) % 4, 4] for i in range(4)]
    return np.concatenate([low, [[0, 0, height]]]), np.array(f), np.full(5, 0.45)


def conifer(rng):
    tiers = [skirt(7, 1.0 - 0.24 * k, 0.10 + 0.19 * k, 0.55 + 0.15 * k, rng, 0.55, 1.0) for k in range(4)]
    return join(tiers + [trunk(0.09, 0.5)])


def ball(rng, rings=(0.12, 0.42, 0.72, 0.92), noise=0.16):
    rows = [ring(8, (1 - (2 * z - 1) ** 2) ** 0.5, z, noise, rng, 0.4 * k) for k, z in enumerate(rings)]
    v = np.concatenate(rows + [[[0, 0, 0.02], [0, 0, 1.0]]])
    f, n = [], len(rings)
    for k in range(n - 1):
        for i in range(8):
            a, b = 8 * k + i, 8 * k + (i + 1) % 8
            f += [[a, b, a + 8], [b, b + 8, a + 8]]
    f += [[(i + 1) % 8, i, 8 * n] for i in range(8)] + [[8 * n - 8 + i, 8 * n - 8 + (i + 1) % 8, 8 * n + 1] for i in range(8)]
    return v, np.array(f), 0.65 + 0.5 * v[:, 2]


def leafy(rng):
    v, f, s = ball(rng)
    v[:, 2] = 0.18 + 0.82 * v[:, 2]
    return join([(v, f, s), trunk(0.08, 0.4)])


def bush(rng):
    return ball(rng, noise=0.3)


def blades(rng, count=7, spread=1.0, width=0.16):
    v, f = [], []
    for k in range(count):
        a, lean, tall = rng.uniform(0, 2 * np.pi), rng.uniform(0.3, 1) * spread, rng.uniform(0.6, 1)
        side = width * np.array([-np.sin(a), np.cos(a), 0])
        root = 0.15 * np.array([np.cos(a), np.sin(a), 0])
        v += [root - side, root + side, np.array([lean * np.cos(a), lean * np.sin(a), tall])]
        f.append([3 * k, 3 * k + 1, 3 * k + 2])
    return np.array(v), np.array(f), np.tile([0.6, 0.6, 1.15], count)


def leaves(rng):
    return blades(rng, 8, 1.3, 0.3)


def stone(rng):
    v, f, _ = ball(rng, noise=0.28)
    v[:, 2] = 1.15 * v[:, 2] - 0.15
    return v, f, 0.8 + 0.3 * v[:, 2]


def lying(rng):  # along y, its length 2
    count, rows = 6, []
    for y in (-1, 1):
        t = np.arange(count) * 2 * np.pi / count
        rows.append(np.stack([0.5 * np.cos(t), np.full(count, y * rng.uniform(0.7, 1)), 0.5 + 0.5 * np.sin(t)], 1))
    v = np.concatenate(rows)
    f = [[i, (i + 1) % count, i + count] for i in range(count)] + [[(i + 1) % count, (i + 1) % count + count, i + count] for i in range(count)]
    f += [[0, i + 1, i] for i in range(1, count - 1)] + [[count, count + i, count + i + 1] for i in range(1, count - 1)]
    return v, np.array(f), np.full(len(v), 0.9)


def bare(rng):
    return join([trunk(0.22, 1.0)] + [skirt(3, 0.8, 0.45 + 0.2 * k, 0.5 + 0.2 * k, rng, 0.8, 0.9) for k in range(2)])


def disc(rng):
    v = np.concatenate([ring(7, 1, 0.9, 0.15, rng), [[0, 0, 1]]])
    return v, np.array([[i, (i + 1) % 7, 7] for i in range(7)]), np.full(8, 1.0)


def shape_of(o):
    tall, kind, crown = o["height_m"], o["kind"], o["crown"]
    if crown == "none":
        return None
    if kind == "wood":
        return bare if tall > 3 else lying if o["crown_radius_m"] > tall else stone
    if crown == "rock":
        return stone
    if crown == "flat":
        return disc
    if crown == "cone":
        return conifer
    if kind in ("grass", "flower"):
        return blades
    if kind == "herb":
        return leaves
    return leafy if tall > 3.5 else bush


# ---- blender ----

def linear(srgb):
    return np.clip(srgb, 0, 1) ** 2.2


def add_mesh(name, vertices, faces, colors, material, smooth=False, normals=None):
    """colors: one a vertex, linear; normals: the same."""
    me = bpy.data.meshes.new(name)
    me.vertices.add(len(vertices))
    me.vertices.foreach_set("co", np.asarray(vertices, "f4").ravel())
    count, corners = faces.shape
    me.loops.add(count * corners)
    me.loops.foreach_set("vertex_index", faces.astype("i4").ravel())
    me.polygons.add(count)
    me.polygons.foreach_set("loop_start", np.arange(0, count * corners, corners, dtype="i4"))
    me.polygons.foreach_set("loop_total", np.full(count, corners, "i4"))
    if smooth or normals is not None:
        me.polygons.foreach_set("use_smooth", np.ones(count, bool))
    if colors is not None:
        rgba = np.concatenate([colors, np.ones((len(colors), 1))], 1).astype("f4")
        me.attributes.new("Col", "FLOAT_COLOR", "POINT").data.foreach_set("color", rgba.ravel())
    me.materials.append(material)
    me.update()
    if normals is not None:
        me.use_auto_smooth = True
        me.normals_split_custom_set_from_vertices(normals.tolist())
    bpy.context.collection.objects.link(bpy.data.objects.new(name, me))


def make_material(name, haze_m, color=None, roughness=0.9):
    """Diffuse of the vertices' colours (or one), and haze by distance."""
    m = bpy.data.materials.new(name)
    m.use_nodes = True
    nodes, links = m.node_tree.nodes, m.node_tree.links
    nodes.clear()
    surface = nodes.new("ShaderNodeBsdfPrincipled")
    surface.inputs["Roughness"].default_value = roughness
    surface.inputs["Specular"].default_value = 0.5 if roughness < 0.5 else 0.1
    if color:
        surface.inputs["Base Color"].default_value = (*color, 1)
    else:
        attribute = nodes.new("ShaderNodeAttribute")
        attribute.attribute_name = "Col"
        links.new(attribute.outputs["Color"], surface.inputs["Base Color"])
    camera, divide, power = nodes.new("ShaderNodeCameraData"), nodes.new("ShaderNodeMath"), nodes.new("ShaderNodeMath")
    divide.operation, power.operation = "DIVIDE", "POWER"
    links.new(camera.outputs["View Distance"], divide.inputs[0])
    divide.inputs[1].default_value = haze_m
    power.inputs[0].default_value = 0.5
    links.new(divide.outputs[0], power.inputs[1])
    air, mix, out = nodes.new("ShaderNodeEmission"), nodes.new("ShaderNodeMixShader"), nodes.new("ShaderNodeOutputMaterial")
    air.inputs["Color"].default_value = (0.50, 0.60, 0.74, 1)
    links.new(power.outputs[0], mix.inputs["Fac"])
    links.new(air.outputs[0], mix.inputs[1])
    links.new(surface.outputs[0], mix.inputs[2])
    links.new(mix.outputs[0], out.inputs["Surface"])
    return m


def strands(v):
    """Colours of falling water: white strands, each as wide as a hand or two, and glimpses of what is behind."""
    across = np.floor(v[:, :2] * 2.5).astype(np.int64) @ np.array([374761393, 668265263]) + np.floor(v[:, 2] / 9).astype(np.int64)
    white = ((across * 2246822519 >> 11) % 97) / 96
    return np.array([0.12, 0.20, 0.24]) + white[:, None] * np.array([0.48, 0.45, 0.44])


def ground_colors(bake, picture):
    if picture:
        image = bpy.data.images.load(str(picture.resolve()))
        px = np.empty(image.size[0] * image.size[1] * 4, "f4")
        image.pixels.foreach_get(px)
        px = px.reshape(image.size[1], image.size[0], 4)[..., :3]
        rows, columns = [bake.low[k] + np.arange(n) for k, n in ((1, bake.z.shape[0]), (0, bake.z.shape[1]))]
        return linear(px[np.minimum(rows, len(px) - 1)][:, np.minimum(columns, px.shape[1] - 1)].reshape(-1, 3))
    north, east = np.gradient(bake.z, bake.cell)
    bare = np.clip((np.hypot(north, east) - 0.75) / 0.5, 0, 1)[..., None]
    colors = np.array([0.36, 0.42, 0.2]) * (1 - bare) + np.array([0.5, 0.47, 0.4]) * bare
    debris, there = bake.debris()
    share = 0.75 * there[..., None]
    return linear(colors * (1 - share) + debris * share).reshape(-1, 3)


def add_ground(bake, picture, material):
    h, w = bake.z.shape
    x, y = np.meshgrid(np.arange(w) + 0.5, np.arange(h) + 0.5)
    v = np.stack([(x + bake.low[0]) * bake.cell + bake.origin[0], (y + bake.low[1]) * bake.cell + bake.origin[1],
                  np.nan_to_num(bake.z)], -1).reshape(-1, 3)
    i = (np.arange(h - 1)[:, None] * w + np.arange(w - 1)).ravel()
    f = np.stack([i, i + 1, i + w + 1, i + w], 1)
    known = ~np.isnan(bake.z).ravel()  # sections that were not baked stay open
    colors = np.nan_to_num(ground_colors(bake, picture))
    add_mesh("ground", v, f[known[f].all(1)], colors, material, smooth=True)
    return colors


def open_colors(bake, ground, side=48):
    """Mean colour of the ground without rock and debris, by squares of cells: (rows, columns, 3)."""
    rows, columns = np.indices(bake.z.shape) // side
    square = (rows * (columns.max() + 1) + columns).ravel()
    free = bake.debris()[1].ravel() == 0
    most = square.max() + 1
    count = np.bincount(square, free, most)[:, None]
    sums = np.stack([np.bincount(square, free * ground[:, k], most) for k in range(3)], 1)
    mean = (sums + sums.sum(0) / max(count.sum(), 1)) / (count + 1)
    return mean.reshape(rows.max() + 1, columns.max() + 1, 3)


def add_rock(bake, node, ground, materials, side=48):
    """Level faces take on some of the open ground's colour near by, as an engine's material would."""
    near = open_colors(bake, ground, side)
    for k, (name, v, f, colors, normals) in enumerate(bake.meshes(".cliff.glb")):
        if name != node:
            continue
        if colors is not None and normals is not None:
            at = np.floor((v[:, :2] - bake.origin) / bake.cell).astype(int) - bake.low
            at = np.clip(at, 0, np.array(bake.z.shape[::-1]) - 1)
            share = 0.7 * np.clip((normals[:, 2:] - 0.8) / 0.15, 0, 1)
            colors = colors * (1 - share) + near[at[:, 1] // side, at[:, 0] // side] * share
        add_mesh(f"cliff.{k}", v, f, colors, materials[colors is not None], normals=normals)


def turned(q, v):
    """Rotates v (n, k, 3) by unit quaternions q (n, 4: x y z w)."""
    axis, w = q[:, None, :3], q[:, None, 3:]
    t = 2 * np.cross(axis, v)
    return v + w * t + np.cross(axis, t)


def visible(points, tall, eye, forward, fov, near):
    """What the camera may see; small things thinner and thinner beyond `near`."""
    to = points["xyz"] - eye
    far = np.linalg.norm(to, axis=1) + 1e-6
    seen = (to @ forward > far * np.cos(np.radians(min(89, fov * 0.75)))) | (far < 60)
    chance = (points["id"] % 1000) / 1000.0
    keep = (tall > 1.5) | (chance < (near / far) ** 2)
    return seen & keep


def add_entities(bake, eye, forward, fov, near, kinds, material):
    points = bake.points()
    shown = 0
    for key, o in bake.objects.items():
        shape = shape_of(o)
        mine = points[points["object"] == int(key)]
        if not shape or not len(mine) or kinds and o["kind"] not in kinds:
            continue
        tall = mine["scale"] * o["height_m"]
        keep = visible(mine, tall, eye, forward, fov, near)
        mine, tall = mine[keep], tall[keep]
        wide = o["crown_radius_m"] * mine["scale"] ** 0.75
        for k in range(4):
            rng = np.random.default_rng([int(key), k])
            v, f, light = shape(rng)
            some = mine["id"] // 1000 % 4 == k
            n = int(some.sum())
            if n == 0:
                continue
            r = wide[some][:, None]
            size = np.stack([r, r, tall[some][:, None]], -1)
            if shape is lying:
                size[..., 0] = size[..., 2]
            at = turned(mine["q"][some].astype(float), v[None] * size) + mine["xyz"][some][:, None]
            faces = (f[None] + (np.arange(n) * len(v))[:, None, None]).reshape(-1, 3)
            colors = linear(mine["rgb"][some] / 255.0)[:, None] * light[None, :, None]
            add_mesh(f"{o['name']}.{k}", at.reshape(-1, 3), faces, colors.reshape(-1, 3), material)
            shown += n
    print(f"{shown} of {len(points)} entities drawn")


def main():
    args = arguments()
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bake = Bake(args.out)
    low, high = bake.origin + bake.low * bake.cell, bake.origin + (bake.low + bake.z.shape[::-1]) * bake.cell
    eye = args.eye or [low[0] + 0.1 * (high - low)[0], low[1] - 0.05 * (high - low)[1], 0.3 * (high - low)[0]]
    target = args.target or [*(low + high) / 2, 0]
    eye = np.array([eye[0], eye[1], bake.ground(*eye[:2]) + eye[2]])
    target = np.array([target[0], target[1], bake.ground(*target[:2]) + target[2]])
    forward = (target - eye) / np.linalg.norm(target - eye)

    ground = add_ground(bake, args.ground, make_material("ground", args.haze))
    add_entities(bake, eye, forward, args.fov, args.near, args.kinds and args.kinds.split(","), make_material("plants", args.haze))
    water = make_material("water", args.haze, (0.045, 0.10, 0.125), 0.12)
    falling = make_material("falls", args.haze, roughness=0.45)
    for k, (name, v, f, _, _) in enumerate(bake.meshes(".water.glb")):
        if name == "falls":
            add_mesh(f"falls.{k}", v, f, strands(v), falling, smooth=True)
        else:
            add_mesh(f"water.{k}", v, f, None, water, smooth=True)
    plain, beds = make_material("rock", args.haze, (0.30, 0.28, 0.25)), make_material("beds", args.haze)
    add_rock(bake, args.node, ground, (plain, beds))

    scene = bpy.context.scene
    camera = bpy.data.objects.new("camera", bpy.data.cameras.new("camera"))
    camera.location = eye
    camera.rotation_euler = Vector(forward).to_track_quat("-Z", "Y").to_euler()
    camera.data.angle, camera.data.clip_end = np.radians(args.fov), 20000
    scene.collection.objects.link(camera)
    scene.camera = camera
    lamp = bpy.data.lights.new("sun", "SUN")
    lamp.energy, lamp.angle, lamp.color = 5.0, np.radians(1.5), (1, 0.94, 0.84)
    sun = bpy.data.objects.new("sun", lamp)
    az, el = np.radians(args.sun)
    sun.rotation_euler = Vector((-np.sin(az) * np.cos(el), -np.cos(az) * np.cos(el), -np.sin(el))).to_track_quat("-Z", "Y").to_euler()
    scene.collection.objects.link(sun)
    scene.world = bpy.data.worlds.new("sky")
    scene.world.use_nodes = True
    scene.world.node_tree.nodes["Background"].inputs["Color"].default_value = (0.42, 0.58, 0.82, 1)
    scene.world.node_tree.nodes["Background"].inputs["Strength"].default_value = 0.5
    scene.render.engine = "CYCLES"
    scene.cycles.samples, scene.cycles.max_bounces, scene.cycles.diffuse_bounces = args.samples, 3, 2
    scene.cycles.use_denoising = False
    scene.render.threads_mode, scene.render.threads = "FIXED", 2
    scene.view_settings.view_transform = "Standard"
    scene.render.resolution_x, scene.render.resolution_y = [int(v) for v in args.size.split("x")]
    scene.render.filepath = str(args.to.resolve())
    scene.render.image_settings.file_format = "JPEG" if args.to.suffix.lower() in (".jpg", ".jpeg") else "PNG"
    scene.render.image_settings.color_mode = "RGB"
    bpy.ops.render.render(write_still=True)


main()
