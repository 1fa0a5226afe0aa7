#include "gen/glb_count.h"

#include "gen/bytes.h"
#include <string.h>

enum { HEAD_BYTES = 20 };

static json_int_t whole(const json_t *object, const char *key) {
    return json_integer_value(json_object_get(object, key));
}
static json_t *item(const json_t *root, const char *list, json_int_t i) {
    return i < 0 ? NULL : json_array_get(json_object_get(root, list), (size_t)i);
}

json_t *glb_triangles(const unsigned char *bytes, size_t size) {
    if (size < HEAD_BYTES || memcmp(bytes, "glTF", 4) != 0)
        return NULL;
    size_t text = get_u32(bytes + 12);
    if (text > size - HEAD_BYTES)
        return NULL;
    json_t *root = json_loadb((const char *)bytes + HEAD_BYTES, text, 0, NULL), *node,
           *counts = root ? json_object() : NULL;
    size_t i;
    json_array_foreach(json_object_get(root, "nodes"), i, node) {
        const char *name = json_string_value(json_object_get(node, "name"));
        const json_t *mesh = item(root, "meshes", whole(node, "mesh"));
        const json_t *primitive = json_array_get(json_object_get(mesh, "primitives"), 0);
        const json_t *indices = item(root, "accessors", whole(primitive, "indices"));
        if (counts && name && indices)
            json_object_set_new(counts, name, json_integer(whole(indices, "count") / 3));
    }
    json_decref(root);
    return counts;
}
