#include "mesh_kit.h"

#include "gen/bytes.h"
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- reading ---- */

struct file {
    json_t *json;
    const unsigned char *bin;
    size_t bin_size;
};

static json_t *member(const struct file *f, const char *list, json_t *number) {
    json_t *array = json_object_get(f->json, list);
    return json_is_integer(number) ? json_array_get(array, (size_t)json_integer_value(number)) : NULL;
}
static size_t number_of(json_t *object, const char *key, size_t otherwise) {
    json_t *v = json_object_get(object, key);
    return json_is_integer(v) ? (size_t)json_integer_value(v) : otherwise;
}

/* Elements of an accessor; NULL when it is absent or does not fit the file. */
static const unsigned char *elements(const struct file *f, json_t *number, size_t element, size_t *count) {
    json_t *accessor = member(f, "accessors", number);
    json_t *view = accessor ? member(f, "bufferViews", json_object_get(accessor, "bufferView")) : NULL;
    if (!view)
        return NULL;
    size_t offset = number_of(view, "byteOffset", 0) + number_of(accessor, "byteOffset", 0);
    *count = number_of(accessor, "count", 0);
    if (number_of(view, "byteStride", element) != element || offset + *count * element > f->bin_size)
        return NULL;
    return f->bin + offset;
}

static bool open_file(struct file *f, const unsigned char *bytes, size_t size) {
    if (size < 28 || memcmp(bytes, "glTF", 4) != 0)
        return false;
    size_t text = get_u32(bytes + 12);
    if (28 + text > size)
        return false;
    f->bin = bytes + 28 + text;
    f->bin_size = get_u32(bytes + 20 + text);
    f->json = 28 + text + f->bin_size <= size ? json_loadb((const char *)bytes + 20, text, 0, NULL) : NULL;
    return f->json != NULL;
}

static bool place_of(const unsigned char *at, const double shift[3], int32_t place[3]) {
    double gl[3];
    for (int32_t k = 0; k < 3; k++)
        gl[k] = ((double)get_f32(at + 4 * k) + shift[k]) * MESH_QUANTUM;
    double world[3] = {gl[0], -gl[2], gl[1]};
    for (int32_t k = 0; k < 3; k++) {
        if (!(fabs(world[k]) < 2e9) || world[k] != floor(world[k]))
            return false;
        place[k] = (int32_t)world[k];
    }
    return true;
}

static bool add_node(struct mesh_kit *kit, const struct file *f, json_t *node) {
    json_t *primitive =
        json_array_get(json_object_get(member(f, "meshes", json_object_get(node, "mesh")), "primitives"), 0);
    json_t *attributes = json_object_get(primitive, "attributes"),
           *move = json_object_get(node, "translation");
    json_t *numbers = member(f, "accessors", json_object_get(primitive, "indices"));
    size_t wide = number_of(numbers, "componentType", 0) == 5123 ? 2 : 4, count, vertices, normal_count;
    double shift[3] = {0, 0, 0};
    for (size_t k = 0; k < 3 && move; k++)
        shift[k] = json_number_value(json_array_get(move, k));
    const unsigned char *index = elements(f, json_object_get(primitive, "indices"), wide, &count);
    const unsigned char *places = elements(f, json_object_get(attributes, "POSITION"), 12, &vertices);
    const unsigned char *normals = elements(f, json_object_get(attributes, "NORMAL"), 12, &normal_count);
    if (!index || !places || count % 3 != 0 || (normals && normal_count != vertices))
        return false;
    if (kit->count + count > kit->room) {
        kit->room = 2 * (kit->count + count);
        kit->corners = realloc(kit->corners, kit->room * sizeof *kit->corners);
        if (!kit->corners)
            return false;
    }
    for (size_t i = 0; i < count; i++) {
        size_t v =
            wide == 2 ? (size_t)(index[2 * i] | index[2 * i + 1] << 8) : (size_t)get_u32(index + 4 * i);
        struct mesh_vertex *to = &kit->corners[kit->count++];
        *to = (struct mesh_vertex){.part = kit->parts};
        if (v >= vertices || !place_of(places + 12 * v, shift, to->place))
            return false;
        for (size_t k = 0; k < 3 && normals; k++)
            to->normal[k] = get_f32(normals + 12 * v + 4 * k);
        to->normal[2] *= -1; /* x, z, -y of the file */
        float up = to->normal[1];
        to->normal[1] = to->normal[2];
        to->normal[2] = up;
    }
    return true;
}

bool mesh_kit_add(struct mesh_kit *kit, const unsigned char *bytes, size_t size, const char *name) {
    struct file f;
    if (!open_file(&f, bytes, size))
        return false;
    bool found = false;
    size_t i;
    json_t *node;
    json_array_foreach(json_object_get(f.json, "nodes"), i, node) {
        const char *is = json_string_value(json_object_get(node, "name"));
        if (!found && is && strcmp(is, name) == 0)
            found = add_node(kit, &f, node);
    }
    json_decref(f.json);
    kit->parts++;
    return found;
}

void mesh_kit_free(struct mesh_kit *kit) {
    free(kit->corners);
    *kit = (struct mesh_kit){0};
}

/* ---- judging ---- */

struct side {
    int32_t a[3], b[3]; /* the lesser place first */
    int32_t turn;       /* 1: a to b, -1: b to a */
};
static int place_order(const int32_t a[3], const int32_t b[3]) {
    for (int32_t k = 0; k < 3; k++)
        if (a[k] != b[k])
            return a[k] < b[k] ? -1 : 1;
    return 0;
}
static int side_order(const void *left, const void *right) {
    const struct side *l = left, *r = right;
    int order = place_order(l->a, r->a);
    return order ? order : place_order(l->b, r->b);
}

static void find_open(const struct mesh_kit *kit, mesh_may_open *may_open, const void *context,
                      struct mesh_faults *out) {
    struct side *sides = malloc((kit->count + 1) * sizeof *sides);
    if (!sides)
        abort();
    for (size_t i = 0; i < kit->count; i++) {
        const int32_t *a = kit->corners[i].place, *b = kit->corners[i % 3 == 2 ? i - 2 : i + 1].place;
        bool ahead = place_order(a, b) < 0;
        memcpy(sides[i].a, ahead ? a : b, sizeof sides[i].a);
        memcpy(sides[i].b, ahead ? b : a, sizeof sides[i].b);
        sides[i].turn = ahead ? 1 : -1;
    }
    qsort(sides, kit->count, sizeof *sides, side_order);
    for (size_t i = 0, end; i < kit->count; i = end) {
        int32_t sum = 0;
        for (end = i; end < kit->count && side_order(&sides[i], &sides[end]) == 0; end++)
            sum += sides[end].turn;
        if (sum == 0 || may_open(context, sides[i].a, sides[i].b))
            continue;
        if (out->open++ == 0)
            memcpy(out->at, sides[i].a, sizeof out->at);
    }
    free(sides);
}

struct face {
    int32_t place[3][3]; /* sorted */
    int32_t part;
};
static int face_order(const void *left, const void *right) {
    const struct face *l = left, *r = right;
    int order = 0;
    for (int32_t k = 0; k < 3 && !order; k++)
        order = place_order(l->place[k], r->place[k]);
    return order ? order : (l->part > r->part) - (l->part < r->part);
}

static void find_backs(const struct mesh_kit *kit, struct mesh_faults *out) {
    size_t count = kit->count / 3;
    struct face *faces = malloc((count + 1) * sizeof *faces);
    if (!faces)
        abort();
    for (size_t t = 0; t < count; t++) {
        int32_t order[3] = {0, 1, 2};
        const struct mesh_vertex *c = kit->corners + 3 * t;
        for (int32_t pass = 0; pass < 2; pass++)
            for (int32_t k = 0; k < 2; k++)
                if (place_order(c[order[k]].place, c[order[k + 1]].place) > 0) {
                    int32_t other = order[k];
                    order[k] = order[k + 1];
                    order[k + 1] = other;
                }
        for (int32_t k = 0; k < 3; k++)
            memcpy(faces[t].place[k], c[order[k]].place, sizeof faces[t].place[k]);
        faces[t].part = c->part;
    }
    qsort(faces, count, sizeof *faces, face_order);
    for (size_t t = 1; t < count; t++)
        out->back += face_order(&faces[t - 1], &faces[t]) == 0;
    free(faces);
}

static void find_flat_and_shade(const struct mesh_kit *kit, struct mesh_faults *out) {
    for (size_t t = 0; t < kit->count; t += 3) {
        const struct mesh_vertex *c = kit->corners + t;
        int64_t u[3], w[3];
        for (int32_t k = 0; k < 3; k++) {
            u[k] = (int64_t)c[1].place[k] - c[0].place[k];
            w[k] = (int64_t)c[2].place[k] - c[0].place[k];
        }
        int64_t n[3] = {u[1] * w[2] - u[2] * w[1], u[2] * w[0] - u[0] * w[2], u[0] * w[1] - u[1] * w[0]};
        if (n[0] == 0 && n[1] == 0 && n[2] == 0) {
            out->flat++;
            continue;
        }
        double length =
            sqrt((double)n[0] * (double)n[0] + (double)n[1] * (double)n[1] + (double)n[2] * (double)n[2]);
        for (int32_t k = 0; k < 3; k++) {
            double m[3] = {(double)c[k].normal[0], (double)c[k].normal[1], (double)c[k].normal[2]};
            double unit = sqrt(m[0] * m[0] + m[1] * m[1] + m[2] * m[2]);
            double along = (m[0] * (double)n[0] + m[1] * (double)n[1] + m[2] * (double)n[2]) / length;
            bool none = unit == 0;
            out->shade += !none && (fabs(unit - 1) > 1e-3 || along < 0.8);
        }
    }
}

struct mesh_faults mesh_kit_judge(const struct mesh_kit *kit, mesh_may_open *may_open, const void *context) {
    struct mesh_faults out = {0};
    find_open(kit, may_open, context, &out);
    find_flat_and_shade(kit, &out);
    find_backs(kit, &out);
    return out;
}
