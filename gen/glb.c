#include "gen/glb.h"

#include "gen/bytes.h"
#include "gen/glb_check.h"
#include "gen/json_text.h"
#include <jansson.h>
#include <stdlib.h>

enum { MAGIC = 0x46546c67, CHUNK_JSON = 0x4e4f534a, CHUNK_BIN = 0x004e4942 };
enum { COMPONENT_U8 = 5121, COMPONENT_U16 = 5123, COMPONENT_U32 = 5125, COMPONENT_F32 = 5126 };
enum { TARGET_VERTICES = 34962, TARGET_INDICES = 34963 };

/* The two chunks being made. Views and accessors go hand in hand, one accessor a view. */
struct making {
    json_t *views, *accessors;
    unsigned char *bin;
    size_t size, room; /* of bin, without the file's heads */
    bool failed;       /* no memory, or too large */
};

/* `size` more bytes, from a multiple of 4 on. */
static unsigned char *take(struct making *m, size_t size) {
    size_t at = (m->size + 3) & ~(size_t)3;
    if (at + size > UINT32_MAX - 64 || m->failed) {
        m->failed = true;
        return NULL;
    }
    if (at + size > m->room) {
        size_t room = m->room * 2 > at + size ? m->room * 2 : at + size;
        unsigned char *more = realloc(m->bin, room);
        if (!more) {
            m->failed = true;
            return NULL;
        }
        m->bin = more;
        m->room = room;
    }
    memset(m->bin + m->size, 0, at - m->size);
    m->size = at + size;
    return m->bin + at;
}

/* Adds a key; jansson takes the value over, and refuses NULL (no memory). */
static void set(struct making *m, json_t *object, const char *key, json_t *value) {
    m->failed |= json_object_set_new(object, key, value) != 0;
}
static void append(struct making *m, json_t *array, json_t *value) {
    m->failed |= json_array_append_new(array, value) != 0;
}

static json_t *reals(struct making *m, const float *v, int32_t count) {
    json_t *array = json_array();
    for (int32_t i = 0; i < count; i++)
        append(m, array, json_real(number_of_float(v[i])));
    return array;
}

/* Describes the `size` bytes that were taken last; returns the accessor's number. */
static int32_t describe(struct making *m, size_t size, size_t stride, int target, int component, bool unit,
                        size_t count, const char *type) {
    json_t *view = json_object(), *accessor = json_object();
    int32_t number = (int32_t)json_array_size(m->accessors);
    set(m, view, "buffer", json_integer(0));
    set(m, view, "byteOffset", json_integer((json_int_t)(m->size - size)));
    set(m, view, "byteLength", json_integer((json_int_t)size));
    if (stride)
        set(m, view, "byteStride", json_integer((json_int_t)stride));
    set(m, view, "target", json_integer(target));
    append(m, m->views, view);
    set(m, accessor, "bufferView", json_integer(number));
    set(m, accessor, "componentType", json_integer(component));
    if (unit)
        set(m, accessor, "normalized", json_true());
    set(m, accessor, "count", json_integer((json_int_t)count));
    set(m, accessor, "type", json_string(type));
    append(m, m->accessors, accessor);
    return number;
}

static int32_t add_vectors(struct making *m, const float *v, uint32_t count, bool with_range) {
    size_t size = (size_t)count * 12;
    unsigned char *at = take(m, size);
    if (!at)
        return 0;
    float min[3] = {v[0], v[2], 0.0f - v[1]}, max[3] = {v[0], v[2], 0.0f - v[1]};
    for (size_t i = 0; i < count; i++) {
        /* 0 - y, so that no -0 is written */
        const float turned[3] = {v[3 * i], v[3 * i + 2], 0.0f - v[3 * i + 1]};
        for (int k = 0; k < 3; k++) {
            min[k] = turned[k] < min[k] ? turned[k] : min[k];
            max[k] = turned[k] > max[k] ? turned[k] : max[k];
            at = put_f32(at, turned[k]);
        }
    }
    int32_t number = describe(m, size, 0, TARGET_VERTICES, COMPONENT_F32, false, count, "VEC3");
    if (with_range) {
        json_t *accessor = json_array_get(m->accessors, (size_t)number);
        set(m, accessor, "min", reals(m, min, 3));
        set(m, accessor, "max", reals(m, max, 3));
    }
    return number;
}

static int32_t add_attribute(struct making *m, const struct glb_attribute *a, uint32_t count) {
    static const char *const types[] = {"SCALAR", "VEC2", "VEC3", "VEC4"};
    size_t n = (size_t)a->components, packed = n * (a->type == GLB_F32 ? 4 : 1);
    size_t stride = (packed + 3) & ~(size_t)3; /* vertices begin at multiples of 4 */
    unsigned char *at = take(m, count * stride);
    if (!at)
        return 0;
    for (size_t i = 0; i < count; i++) {
        if (a->type == GLB_F32) {
            for (size_t k = 0; k < n; k++)
                at = put_f32(at, ((const float *)a->values)[i * n + k]);
            continue;
        }
        memcpy(at, (const unsigned char *)a->values + i * n, n);
        memset(at + n, 0, stride - n);
        at += stride;
    }
    return describe(m, count * stride, stride == packed ? 0 : stride, TARGET_VERTICES,
                    a->type == GLB_F32 ? COMPONENT_F32 : COMPONENT_U8, a->type == GLB_U8_UNIT, count,
                    types[n - 1]);
}

static int32_t add_indices(struct making *m, const struct glb_mesh *mesh) {
    bool small = mesh->vertex_count <= 65535; /* 65535 itself means "restart" */
    size_t size = mesh->index_count * (small ? 2 : 4);
    unsigned char *at = take(m, size);
    if (!at)
        return 0;
    for (size_t i = 0; i < mesh->index_count; i++)
        at = small ? put_u16(at, (uint16_t)mesh->indices[i]) : put_u32(at, mesh->indices[i]);
    return describe(m, size, 0, TARGET_INDICES, small ? COMPONENT_U16 : COMPONENT_U32, false,
                    mesh->index_count, "SCALAR");
}

static json_t *add_mesh(struct making *m, const struct glb_mesh *mesh) {
    json_t *root = json_object(), *primitives = json_array(), *primitive = json_object();
    json_t *attributes = json_object();
    set(m, attributes, "POSITION", json_integer(add_vectors(m, mesh->positions_m, mesh->vertex_count, true)));
    if (mesh->normals)
        set(m, attributes, "NORMAL", json_integer(add_vectors(m, mesh->normals, mesh->vertex_count, false)));
    for (int32_t i = 0; i < mesh->attribute_count; i++)
        set(m, attributes, mesh->attributes[i].name,
            json_integer(add_attribute(m, &mesh->attributes[i], mesh->vertex_count)));
    set(m, primitive, "attributes", attributes);
    set(m, primitive, "indices", json_integer(add_indices(m, mesh)));
    if (mesh->material >= 0)
        set(m, primitive, "material", json_integer(mesh->material));
    append(m, primitives, primitive);
    set(m, root, "name", json_string(mesh->name));
    set(m, root, "primitives", primitives);
    return root;
}

static json_t *node_of(struct making *m, const struct glb_mesh *mesh, size_t number) {
    json_t *node = json_object(), *translation = json_array();
    const double at[3] = {mesh->origin_m[0], mesh->origin_m[2], 0.0 - mesh->origin_m[1]};
    for (int k = 0; k < 3; k++)
        append(m, translation, json_real(at[k]));
    set(m, node, "name", json_string(mesh->name));
    set(m, node, "mesh", json_integer((json_int_t)number));
    if (at[0] != 0 || at[1] != 0 || at[2] != 0)
        set(m, node, "translation", translation);
    else
        json_decref(translation);
    return node;
}

static json_t *material_of(struct making *m, const struct glb_material *material) {
    json_t *root = json_object(), *pbr = json_object();
    set(m, pbr, "baseColorFactor", reals(m, material->base_color, 4));
    set(m, pbr, "metallicFactor", json_real(number_of_float(material->metallic)));
    set(m, pbr, "roughnessFactor", json_real(number_of_float(material->roughness)));
    set(m, root, "name", json_string(material->name));
    set(m, root, "pbrMetallicRoughness", pbr);
    if (material->blend)
        set(m, root, "alphaMode", json_string("BLEND"));
    if (material->double_sided)
        set(m, root, "doubleSided", json_true());
    return root;
}

/* The whole JSON; fills m->bin on the way. */
static json_t *document(struct making *m, const struct glb_scene *scene) {
    json_t *root = json_object(), *asset = json_object(), *scenes = json_array(), *first = json_object();
    json_t *roots = json_array(), *nodes = json_array(), *meshes = json_array(), *materials = json_array();
    json_t *buffers = json_array(), *buffer = json_object();
    for (size_t i = 0; i < scene->mesh_count; i++) {
        append(m, meshes, add_mesh(m, &scene->meshes[i]));
        append(m, nodes, node_of(m, &scene->meshes[i], i));
        append(m, roots, json_integer((json_int_t)i));
    }
    for (size_t i = 0; i < scene->material_count; i++)
        append(m, materials, material_of(m, &scene->materials[i]));
    set(m, asset, "version", json_string("2.0"));
    set(m, asset, "generator", json_string("Terrane"));
    set(m, first, "nodes", roots);
    append(m, scenes, first);
    set(m, buffer, "byteLength", json_integer((json_int_t)m->size));
    append(m, buffers, buffer);
    set(m, root, "asset", asset);
    set(m, root, "scene", json_integer(0));
    set(m, root, "scenes", scenes);
    set(m, root, "nodes", nodes);
    set(m, root, "meshes", meshes);
    if (scene->material_count)
        set(m, root, "materials", materials);
    else
        json_decref(materials);
    set(m, root, "accessors", json_incref(m->accessors));
    set(m, root, "bufferViews", json_incref(m->views));
    set(m, root, "buffers", buffers);
    return root;
}

/* Header, JSON chunk padded with spaces, binary chunk padded with zeros. */
static unsigned char *assemble(const char *json, const struct making *m, size_t *size) {
    size_t length = strlen(json), text = (length + 3) & ~(size_t)3, data = (m->size + 3) & ~(size_t)3;
    *size = 12 + 8 + text + 8 + data;
    if (*size > UINT32_MAX)
        return NULL;
    unsigned char *file = malloc(*size), *at = file;
    if (!file)
        return NULL;
    at = put_u32(at, MAGIC);
    at = put_u32(at, 2);
    at = put_u32(at, (uint32_t)*size);
    at = put_u32(at, (uint32_t)text);
    at = put_u32(at, CHUNK_JSON);
    memcpy(at, json, length);
    memset(at + length, ' ', text - length);
    at = put_u32(at + text, (uint32_t)data);
    at = put_u32(at, CHUNK_BIN);
    memcpy(at, m->bin, m->size);
    memset(at + m->size, 0, data - m->size);
    return file;
}

enum status glb_encode(const struct glb_scene *scene, unsigned char **bytes, size_t *size,
                       struct error *err) {
    *bytes = NULL;
    enum status status = glb_check(scene, err);
    if (status)
        return status;
    struct making m = {.views = json_array(), .accessors = json_array()};
    json_t *root = document(&m, scene);
    char *json = m.failed ? NULL : json_text(root, JSON_TEXT_COMPACT, false);
    if (json)
        *bytes = assemble(json, &m, size);
    if (!*bytes)
        status = error_set(err, STATUS_LIMIT, "no memory for a mesh file, or it is above 4 GiB");
    free(json);
    json_decref(root);
    json_decref(m.views);
    json_decref(m.accessors);
    free(m.bin);
    return status;
}
