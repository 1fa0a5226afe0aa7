# Pictures of a bake's rock on its ground, with Debian's blender (no display needed):
#   terrane layer WORLD altitude --out g.r32; terrane layer WORLD cliffs_color --out c.png
#   blender -b -P scripts/render_cliffs.py -- g.r32 c.png WIDTH CELL_M ORIGIN_X,ORIGIN_Y OUT_DIR PICTURE EYE AT [NODE]
# WIDTH: columns of g.r32; ORIGIN: the south-west corner's metres; EYE, AT: x,y,z in metres. z may be +N: over the
# ground. NODE: cliff (default) or collision. Rock is coloured by COLOR_0 where the files have it (cliffs.attributes).
import glob
import math
import os
import sys

import bpy
import numpy

numpy.bool = bool  # blender 3.4's importer of glTF wants it back
ground_file, color_file, width, cell, origin, out_dir, picture, eye, at = sys.argv[sys.argv.index('--') + 1:][:9]
node = (sys.argv[sys.argv.index('--') + 1:] + ['cliff'])[9]
width, cell = int(width), float(cell)
x0, y0 = (float(v) for v in origin.split(','))
heights = numpy.fromfile(ground_file, dtype='<f4').reshape(-1, width)[::-1]  # south row first
rows = heights.shape[0]


def height(x, y):
    i = min(max(int((x - x0) / cell), 0), width - 1)
    j = min(max(int((y - y0) / cell), 0), rows - 1)
    return float(heights[j, i])


def place(text):
    x, y, z = text.split(',')
    x, y = float(x), float(y)
    return (x, y, height(x, y) + float(z[1:]) if z[0] == '+' else float(z))


eye, at = place(eye), place(at)
bpy.ops.wm.read_factory_settings(use_empty=True)
scene = bpy.context.scene


def material(name, color_layer, color=(0.4, 0.4, 0.4, 1)):
    m = bpy.data.materials.new(name)
    m.use_nodes = True
    shader = m.node_tree.nodes['Principled BSDF']
    shader.inputs['Roughness'].default_value = 0.95
    shader.inputs['Specular'].default_value = 0.1
    shader.inputs['Base Color'].default_value = color
    if color_layer:
        attribute = m.node_tree.nodes.new('ShaderNodeVertexColor')
        attribute.layer_name = color_layer
        m.node_tree.links.new(attribute.outputs['Color'], shader.inputs['Base Color'])
    return m


def ground():
    near = 900 / cell
    ci, cj = (at[0] - x0) / cell, (at[1] - y0) / cell
    i0, i1 = max(0, int(ci - near)), min(width, int(ci + near))
    j0, j1 = max(0, int(cj - near)), min(rows, int(cj + near))
    xs = x0 + (numpy.arange(i0, i1) + 0.5) * cell
    ys = y0 + (numpy.arange(j0, j1) + 0.5) * cell
    grid = numpy.empty((j1 - j0, i1 - i0, 3), dtype='f4')
    grid[:, :, 0], grid[:, :, 1] = xs[None, :], ys[:, None]
    grid[:, :, 2] = heights[j0:j1, i0:i1]
    w = i1 - i0
    a = (numpy.arange(j1 - j0 - 1)[:, None] * w + numpy.arange(w - 1)[None, :]).ravel()
    faces = numpy.stack([a, a + 1, a + w + 1, a + w], axis=1)
    mesh = bpy.data.meshes.new('ground')
    mesh.vertices.add(grid.shape[0] * w)
    mesh.vertices.foreach_set('co', grid.ravel())
    mesh.loops.add(faces.size)
    mesh.loops.foreach_set('vertex_index', faces.ravel())
    mesh.polygons.add(len(faces))
    mesh.polygons.foreach_set('loop_start', numpy.arange(len(faces)) * 4)
    mesh.polygons.foreach_set('loop_total', numpy.full(len(faces), 4))
    mesh.polygons.foreach_set('use_smooth', numpy.ones(len(faces), dtype=bool))
    mesh.update()
    image = bpy.data.images.load(os.path.abspath(color_file))
    pixels = numpy.empty(len(image.pixels), dtype='f4')
    image.pixels.foreach_get(pixels)
    pixels = pixels.reshape(image.size[1], image.size[0], 4)[j0:j1, i0:i1]
    north, east = numpy.gradient(heights[j0:j1, i0:i1], cell)
    bare = numpy.clip((numpy.hypot(north, east) - 0.75) / 0.5, 0, 1)[:, :, None]
    colors = numpy.array([0.36, 0.42, 0.2]) * (1 - bare) + numpy.array([0.5, 0.47, 0.4]) * bare
    debris = (pixels[:, :, :3].sum(axis=2, keepdims=True) > 0) * 0.75
    colors = colors * (1 - debris) + pixels[:, :, :3] * debris
    pixels[:, :, :3] = colors ** 2.2
    pixels = pixels.reshape(-1, 4)
    layer = mesh.color_attributes.new('tint', 'FLOAT_COLOR', 'POINT')
    layer.data.foreach_set('color', numpy.ascontiguousarray(pixels).ravel())
    mesh.materials.append(material('ground', 'tint'))
    scene.collection.objects.link(bpy.data.objects.new('ground', mesh))


def rock():
    plain, coloured = material('rock', None, (0.42, 0.4, 0.36, 1)), material('beds', 'Color')
    for file in sorted(glob.glob(os.path.join(out_dir, 'maps/*/sectors/*.cliff.glb'))):
        x, y = (int(v) for v in os.path.basename(file)[1:].split('.')[0].split('_'))
        if math.hypot((x + 0.5) * 64 * cell - at[0], (y + 0.5) * 64 * cell - at[1]) > 700:
            continue
        bpy.ops.import_scene.gltf(filepath=file)
    for o in list(bpy.data.objects):
        if o.type != 'MESH' or o.name == 'ground':
            continue
        if o.name.split('.')[0] != node:
            bpy.data.objects.remove(o)
            continue
        if o.data.color_attributes:
            coloured.node_tree.nodes['Color Attribute'].layer_name = o.data.color_attributes[0].name
        o.data.materials.clear()
        o.data.materials.append(coloured if o.data.color_attributes else plain)


def light_and_camera():
    sun = bpy.data.lights.new('sun', 'SUN')
    sun.energy, sun.angle = 3.2, 0.01
    o = bpy.data.objects.new('sun', sun)
    away = math.atan2(at[1] - eye[1], at[0] - eye[0])
    o.rotation_euler = (math.radians(48), 0, away + math.radians(-90 - 50))
    scene.collection.objects.link(o)
    world = bpy.data.worlds.new('sky')
    world.use_nodes = True
    world.node_tree.nodes['Background'].inputs[0].default_value = (0.42, 0.52, 0.7, 1)
    world.node_tree.nodes['Background'].inputs[1].default_value = 0.55
    scene.world = world
    camera = bpy.data.cameras.new('camera')
    camera.lens, camera.clip_end = 32, 6000
    c = bpy.data.objects.new('camera', camera)
    c.location = eye
    d = [at[k] - eye[k] for k in range(3)]
    c.rotation_euler = (math.atan2(math.hypot(d[0], d[1]), -d[2]), 0, math.atan2(d[1], d[0]) - math.pi / 2)
    scene.collection.objects.link(c)
    scene.camera = c


ground()
rock()
light_and_camera()
scene.render.engine = 'CYCLES'
scene.cycles.samples = int(os.environ.get('SAMPLES', '24'))
scene.cycles.use_denoising = False
scene.render.threads_mode, scene.render.threads = 'FIXED', 2
scene.view_settings.view_transform = 'Standard'
scene.render.resolution_x, scene.render.resolution_y = int(os.environ.get('WIDE', '1100')), int(os.environ.get('WIDE', '1100')) * 7 // 11
scene.render.filepath = os.path.abspath(picture)
bpy.ops.render.render(write_still=True)
