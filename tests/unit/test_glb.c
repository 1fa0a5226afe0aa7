/* The structure of written meshes. With GLB_SAMPLES=DIR the files are left there, for tests/gltf_validate.sh.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gen/bytes.h"
#include "gen/glb.h"
#include "gen/os.h"
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* An F lying on the ground, seen from above: its bars must come out east and north of its foot. */
static const float f_positions[] = {0, 0, 1, 1, 0, 1, 1, 5, 1, 0, 5, 1, 3, 5, 1, 3, 4, 1, 1, 4, 1};
static const uint32_t f_indices[] = {0, 1, 2, 0, 2, 3, 6, 5, 4, 6, 4, 2};
static const float f_up[] = {0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1};
static const uint8_t f_wet[] = {0, 10, 20, 30, 40, 50, 255};
static const uint8_t f_color[] = {0,  10, 20,  30, 40, 50, 255, 0, 10, 20, 30,
                                  40, 50, 255, 1,  2,  3,  4,   5, 6,  7};
static const float f_flow[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13.5f};

static struct glb_mesh f_mesh(void) {
    return (struct glb_mesh){.name = "terrain",
                             .origin_m = {64, -128, 1.5},
                             .positions_m = f_positions,
                             .normals = f_up,
                             .vertex_count = 7,
                             .indices = f_indices,
                             .index_count = 12,
                             .attributes = {{"_WETNESS", GLB_U8_UNIT, 1, f_wet},
                                            {"COLOR_0", GLB_U8_UNIT, 3, f_color},
                                            {"_FLOW_DIR", GLB_F32, 2, f_flow},
                                            {"_KIND", GLB_U8, 1, f_wet}},
                             .attribute_count = 4,
                             .material = 0};
}
static const struct glb_material rock = {"rock", {0.5f, 0.4f, 0.1f, 1}, 0, 0.9f, true, false};

struct glb {
    unsigned char *bytes;
    size_t size;
    json_t *json;
    const unsigned char *bin;
    size_t bin_size;
};

/* Takes a file apart as the standard says, strictly. */
static struct glb open_glb(const struct glb_scene *scene, const char *sample) {
    struct glb g = {0};
    struct error err = {0};
    assert_int_equal(glb_encode(scene, &g.bytes, &g.size, &err), STATUS_OK);
    if (getenv("GLB_SAMPLES")) {
        char path[512];
        snprintf(path, sizeof path, "%s/%s.glb", getenv("GLB_SAMPLES"), sample);
        assert_int_equal(os_write_file(path, g.bytes, g.size, &err), STATUS_OK);
    }
    assert_memory_equal(g.bytes, "glTF", 4);
    assert_int_equal(get_u32(g.bytes + 4), 2);
    assert_int_equal(get_u32(g.bytes + 8), g.size);
    uint32_t text = get_u32(g.bytes + 12);
    assert_memory_equal(g.bytes + 16, "JSON", 4);
    assert_int_equal(text % 4, 0);
    g.json = json_loadb((const char *)g.bytes + 20, text, 0, NULL);
    assert_non_null(g.json);
    const unsigned char *chunk = g.bytes + 20 + text;
    g.bin_size = get_u32(chunk);
    assert_int_equal(g.bin_size % 4, 0);
    assert_memory_equal(chunk + 4, "BIN\0", 4);
    g.bin = chunk + 8;
    assert_int_equal(20 + text + 8 + g.bin_size, g.size);
    return g;
}

static void close_glb(struct glb *g) {
    json_decref(g->json);
    free(g->bytes);
}

static json_int_t whole(json_t *object, const char *key) {
    json_t *v = json_object_get(object, key);
    assert_true(json_is_integer(v));
    return json_integer_value(v);
}
static json_t *entry(const struct glb *g, const char *list, json_int_t i) {
    json_t *v = json_array_get(json_object_get(g->json, list), (size_t)i);
    assert_non_null(v);
    return v;
}
/* The accessor's first byte; checks its view's place, length and alignment. */
static const unsigned char *data_of(const struct glb *g, json_t *accessor, size_t element, size_t stride) {
    json_t *view = entry(g, "bufferViews", whole(accessor, "bufferView"));
    json_int_t offset = whole(view, "byteOffset"), length = whole(view, "byteLength");
    assert_int_equal(offset % 4, 0);
    assert_true((size_t)(offset + length) <= g->bin_size);
    assert_int_equal(length, whole(accessor, "count") * (json_int_t)stride);
    json_t *said = json_object_get(view, "byteStride");
    assert_int_equal(said ? json_integer_value(said) : (json_int_t)element, stride);
    return g->bin + offset;
}
static json_t *attribute_of(const struct glb *g, json_int_t mesh, const char *name) {
    json_t *primitive = json_array_get(json_object_get(entry(g, "meshes", mesh), "primitives"), 0);
    return entry(g, "accessors", whole(json_object_get(primitive, "attributes"), name));
}

static void an_f_comes_out_unmirrored_with_y_up(void **state) {
    (void)state;
    struct glb_mesh mesh = f_mesh();
    struct glb_scene scene = {&mesh, 1, &rock, 1};
    struct glb g = open_glb(&scene, "f");
    json_t *accessor = attribute_of(&g, 0, "POSITION");
    assert_int_equal(whole(accessor, "componentType"), 5126);
    assert_string_equal(json_string_value(json_object_get(accessor, "type")), "VEC3");
    const unsigned char *at = data_of(&g, accessor, 12, 12);
    for (int i = 0; i < 7; i++) { /* x, z, -y */
        assert_true(get_f32(at + 12 * i) == f_positions[3 * i]);
        assert_true(get_f32(at + 12 * i + 4) == f_positions[3 * i + 2]);
        assert_true(get_f32(at + 12 * i + 8) == -f_positions[3 * i + 1]);
    }
    const double min[] = {0, 1, -5}, max[] = {3, 1, 0};
    for (size_t k = 0; k < 3; k++) {
        assert_true(json_number_value(json_array_get(json_object_get(accessor, "min"), k)) == min[k]);
        assert_true(json_number_value(json_array_get(json_object_get(accessor, "max"), k)) == max[k]);
    }
    at = data_of(&g, attribute_of(&g, 0, "NORMAL"), 12, 12);
    assert_true(get_f32(at) == 0 && get_f32(at + 4) == 1 && get_f32(at + 8) == 0);
    json_t *node = entry(&g, "nodes", 0), *moved = json_object_get(node, "translation");
    assert_string_equal(json_string_value(json_object_get(node, "name")), "terrain");
    const double translation[] = {64, 1.5, 128};
    for (size_t k = 0; k < 3; k++)
        assert_true(json_number_value(json_array_get(moved, k)) == translation[k]);
    close_glb(&g);
}

static void attributes_are_aligned_and_indices_short(void **state) {
    (void)state;
    struct glb_mesh mesh = f_mesh();
    struct glb_scene scene = {&mesh, 1, &rock, 1};
    struct glb g = open_glb(&scene, "f");
    json_t *wet = attribute_of(&g, 0, "_WETNESS"), *color = attribute_of(&g, 0, "COLOR_0");
    const unsigned char *at = data_of(&g, wet, 1, 4);
    for (int i = 0; i < 7; i++) {
        const unsigned char padded[4] = {f_wet[i], 0, 0, 0};
        assert_memory_equal(at + 4 * i, padded, 4);
    }
    assert_true(json_is_true(json_object_get(wet, "normalized")));
    assert_null(json_object_get(attribute_of(&g, 0, "_KIND"), "normalized"));
    at = data_of(&g, color, 3, 4);
    for (int i = 0; i < 7; i++)
        assert_memory_equal(at + 4 * i, f_color + 3 * i, 3);
    at = data_of(&g, attribute_of(&g, 0, "_FLOW_DIR"), 8, 8);
    for (int i = 0; i < 14; i++)
        assert_true(get_f32(at + 4 * i) == f_flow[i]);
    json_t *primitive = json_array_get(json_object_get(entry(&g, "meshes", 0), "primitives"), 0);
    json_t *indices = entry(&g, "accessors", whole(primitive, "indices"));
    assert_int_equal(whole(indices, "componentType"), 5123);
    at = data_of(&g, indices, 2, 2);
    for (int i = 0; i < 12; i++)
        assert_int_equal(at[2 * i] | at[2 * i + 1] << 8, f_indices[i]);
    close_glb(&g);
}

static void large_meshes_have_long_indices(void **state) {
    (void)state;
    enum { VERTICES = 65536 };
    float *positions = calloc(VERTICES, 3 * sizeof *positions);
    assert_non_null(positions);
    for (int i = 0; i < VERTICES; i++) {
        positions[3 * i] = (float)(i % 256);
        positions[3 * i + 1] = (float)(i / 256);
    }
    const uint32_t indices[] = {0, 1, 65535};
    struct glb_mesh meshes[2] = {{.name = "large",
                                  .positions_m = positions,
                                  .vertex_count = VERTICES,
                                  .indices = indices,
                                  .index_count = 3,
                                  .material = -1},
                                 f_mesh()};
    meshes[1].name = "collision";
    meshes[1].material = -1;
    struct glb_scene scene = {meshes, 2, NULL, 0};
    struct glb g = open_glb(&scene, "large");
    json_t *primitive = json_array_get(json_object_get(entry(&g, "meshes", 0), "primitives"), 0);
    json_t *accessor = entry(&g, "accessors", whole(primitive, "indices"));
    assert_int_equal(whole(accessor, "componentType"), 5125);
    assert_int_equal(get_u32(data_of(&g, accessor, 4, 4) + 8), 65535);
    assert_string_equal(json_string_value(json_object_get(entry(&g, "nodes", 1), "name")), "collision");
    assert_null(json_object_get(entry(&g, "nodes", 0), "translation"));
    assert_null(json_object_get(g.json, "materials"));
    close_glb(&g);
    /* one vertex less: short ones, for 65535 itself would mean a restart */
    const uint32_t last[] = {0, 1, 65534};
    meshes[0].vertex_count = 65535;
    meshes[0].indices = last;
    g = open_glb(&scene, "short");
    primitive = json_array_get(json_object_get(entry(&g, "meshes", 0), "primitives"), 0);
    assert_int_equal(whole(entry(&g, "accessors", whole(primitive, "indices")), "componentType"), 5123);
    close_glb(&g);
    free(positions);
}

static void the_same_scene_gives_the_same_bytes(void **state) {
    (void)state;
    struct glb_mesh mesh = f_mesh();
    struct glb_scene scene = {&mesh, 1, &rock, 1};
    unsigned char *a, *b;
    size_t a_size, b_size;
    assert_int_equal(glb_encode(&scene, &a, &a_size, NULL), STATUS_OK);
    assert_int_equal(glb_encode(&scene, &b, &b_size, NULL), STATUS_OK);
    assert_int_equal(a_size, b_size);
    assert_memory_equal(a, b, a_size);
    free(a);
    free(b);
}

static void assert_refused(const struct glb_mesh *mesh, const char *message) {
    struct glb_scene scene = {mesh, 1, &rock, 1};
    unsigned char *bytes;
    size_t size;
    struct error err = {0};
    assert_int_equal(glb_encode(&scene, &bytes, &size, &err), STATUS_FAULT);
    assert_null(bytes);
    assert_string_equal(err.message, message);
}

static void what_would_be_invalid_is_refused(void **state) {
    (void)state;
    struct glb_mesh m = f_mesh();
    float bad[21];
    memcpy(bad, f_positions, sizeof bad);
    bad[4] = NAN;
    m.positions_m = bad;
    assert_refused(&m, "mesh terrain: vertex 1 has no place");
    m = f_mesh();
    m.normals = f_positions;
    assert_refused(&m, "mesh terrain: the normal of vertex 1 is not of length 1");
    m = f_mesh();
    m.index_count = 11;
    assert_refused(&m, "mesh terrain: no whole triangles");
    m = f_mesh();
    m.vertex_count = 6;
    assert_refused(&m, "mesh terrain: index 6 names no vertex");
    m = f_mesh();
    m.material = 1;
    assert_refused(&m, "mesh terrain: there is no material 1");
    m.material = -1;
    assert_refused(&m, "the material rock is not used");
    m = f_mesh();
    m.attributes[1].name = "color";
    assert_refused(&m, "mesh terrain: the attribute color is not as glTF has it");
    m.attributes[1].name = "_KIND";
    assert_refused(&m, "mesh terrain: the attribute _KIND stands twice");
    struct glb_scene none = {0};
    struct error err = {0};
    unsigned char *bytes;
    size_t size;
    assert_int_equal(glb_encode(&none, &bytes, &size, &err), STATUS_FAULT);
    assert_string_equal(err.message, "a scene without meshes");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_f_comes_out_unmirrored_with_y_up),
        cmocka_unit_test(attributes_are_aligned_and_indices_short),
        cmocka_unit_test(large_meshes_have_long_indices),
        cmocka_unit_test(the_same_scene_gives_the_same_bytes),
        cmocka_unit_test(what_would_be_invalid_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
