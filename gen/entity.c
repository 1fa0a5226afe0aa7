#include "gen/entity.h"

#include "gen/bytes.h"
#include <assert.h>
#include <math.h>
#include <stdlib.h>

/* Byte offsets of a record. */
enum { AT_X = 0, AT_Q = 24, AT_SCALE = 40, AT_OBJECT = 44, AT_ID = 48, AT_RGB = 56, AT_VIABILITY = 60 };
enum { PART_MAGIC = 0x32545054 /* "TPT2" */, PART_HEAD = 28 };

int64_t entity_lattice(double m) {
    return (int64_t)floor(m * 1024.0 + 0.5);
}

void entity_encode(const struct entity_schema *schema, const struct entity *e, unsigned char *at) {
    at = put_f64(at, entity_metres(e->x));
    at = put_f64(at, entity_metres(e->y));
    at = put_f64(at, entity_metres(e->z));
    at = put_f32(at, e->qx);
    at = put_f32(at, e->qy);
    at = put_f32(at, e->qz);
    at = put_f32(at, e->qw);
    at = put_f32(at, e->scale);
    at = put_u32(at, e->object_id);
    at = put_u64(at, e->id);
    at = put_u8(at, e->r);
    at = put_u8(at, e->g);
    at = put_u8(at, e->b);
    at = put_u8(at, e->tool);
    at = put_f32(at, e->viability);
    at = put_f32(at, e->age);
    for (int32_t i = 0; i < schema->extra_count; i++)
        at = put_f32(at, e->extra[i]);
}

/* Any double: what is no lattice coordinate becomes 0 (entity_wrong tells). */
static int64_t lattice_of(const unsigned char *at) {
    double v = get_f64(at) * 1024.0;
    return v >= -0x1p52 && v <= 0x1p52 ? (int64_t)v : 0;
}

void entity_decode(const struct entity_schema *schema, const unsigned char *at, struct entity *e) {
    *e = (struct entity){.x = lattice_of(at + AT_X),
                         .y = lattice_of(at + AT_X + 8),
                         .z = lattice_of(at + AT_X + 16),
                         .qx = get_f32(at + AT_Q),
                         .qy = get_f32(at + AT_Q + 4),
                         .qz = get_f32(at + AT_Q + 8),
                         .qw = get_f32(at + AT_Q + 12),
                         .scale = get_f32(at + AT_SCALE),
                         .object_id = get_u32(at + AT_OBJECT),
                         .id = get_u64(at + AT_ID),
                         .r = at[AT_RGB],
                         .g = at[AT_RGB + 1],
                         .b = at[AT_RGB + 2],
                         .tool = at[AT_RGB + 3],
                         .viability = get_f32(at + AT_VIABILITY),
                         .age = get_f32(at + AT_VIABILITY + 4)};
    for (int32_t i = 0; i < schema->extra_count; i++)
        e->extra[i] = get_f32(at + ENTITY_BYTES + 4 * i);
}

uint64_t entity_record_id(const unsigned char *record) {
    return get_u64(record + AT_ID);
}

const char *entity_wrong(const struct entity_schema *schema, const unsigned char *record) {
    for (int i = 0; i < 3; i++) {
        double v = get_f64(record + AT_X + 8 * i) * 1024.0;
        if (!(v >= -0x1p52 && v <= 0x1p52))
            return "its position is no number or too far away";
        if (floor(v) != v)
            return "its position is not on the 1/1024 m lattice";
    }
    double length2 = 0;
    for (int i = 0; i < 4; i++) {
        double q = (double)get_f32(record + AT_Q + 4 * i);
        length2 += q * q;
    }
    if (!(length2 >= 0.998 && length2 <= 1.002))
        return "its quaternion is not of length 1";
    float scale = get_f32(record + AT_SCALE);
    if (!(scale > 0) || isinf(scale))
        return "its scale is not above 0";
    float viability = get_f32(record + AT_VIABILITY);
    if (!(viability >= 0) || isinf(viability))
        return "its viability is not 0 or more";
    if (!isfinite(get_f32(record + AT_VIABILITY + 4)))
        return "its age is no number";
    for (int32_t i = 0; i < schema->extra_count; i++)
        if (!isfinite(get_f32(record + ENTITY_BYTES + 4 * i)))
            return "one of its attributes is no number";
    return NULL;
}

/* qsort has no context argument: one comparison for each possible stride. */
static int compare(const void *a, const void *b, size_t stride) {
    uint64_t ia = entity_record_id(a), ib = entity_record_id(b);
    if (ia != ib)
        return ia < ib ? -1 : 1;
    return memcmp(a, b, stride);
}
#define COMPARE(n)                                                                                           \
    static int compare_##n(const void *a, const void *b) {                                                   \
        return compare(a, b, ENTITY_BYTES + 4 * (n));                                                        \
    }
COMPARE(0)
COMPARE(1)
COMPARE(2)
COMPARE(3)
COMPARE(4)
COMPARE(5)
COMPARE(6)
COMPARE(7)
COMPARE(8)

void entity_sort(const struct entity_schema *schema, unsigned char *records, size_t count) {
    static int (*const by_extras[])(const void *, const void *) = {
        compare_0, compare_1, compare_2, compare_3, compare_4, compare_5, compare_6, compare_7, compare_8};
    if (count > 1)
        qsort(records, count, entity_stride(schema), by_extras[schema->extra_count]);
}

size_t entity_part_size(const struct entity_schema *schema, size_t count) {
    if (count == 0)
        return 0;
    return PART_HEAD + (size_t)schema->extra_count * ENTITY_NAME_MAX + count * entity_stride(schema);
}

unsigned char *entity_part_head(const struct entity_schema *schema, size_t count, unsigned char *part) {
    assert(count > 0 && count <= UINT32_MAX);
    part = put_u32(part, PART_MAGIC);
    part = put_u32(part, (uint32_t)schema->extra_count);
    part = put_u32(part, (uint32_t)count);
    for (int i = 0; i < 4; i++)
        part = put_u32(part, 0);
    for (int32_t i = 0; i < schema->extra_count; i++) {
        memset(part, 0, ENTITY_NAME_MAX);
        memcpy(part, schema->extras[i], strnlen(schema->extras[i], ENTITY_NAME_MAX - 1));
        part += ENTITY_NAME_MAX;
    }
    return part;
}

void entity_part_set_stock(unsigned char *part, const struct entity_stock *stock) {
    part = put_u32(part + 12, stock->candidates);
    part = put_u32(part, stock->undecided);
    put_u32(part, stock->rounds);
}

void entity_part_set_classes(unsigned char *part, const struct entity_class *classes, size_t count) {
    struct entity_schema schema = {.extra_count = (int32_t)get_u32(part + 4)};
    unsigned char *at = part + entity_part_size(&schema, get_u32(part + 8));
    put_u32(part + 24, (uint32_t)count);
    for (size_t i = 0; i < count; i++) {
        at = put_u32(at, classes[i].code);
        at = put_u32(at, classes[i].count);
    }
}

struct entity_class entity_part_class(const struct entity_part *part, size_t i) {
    const unsigned char *at = part->classes + i * ENTITY_CLASS_BYTES;
    return (struct entity_class){get_u32(at), get_u32(at + 4)};
}

enum status entity_part_open(const unsigned char *part, size_t size, struct entity_part *out,
                             struct error *err) {
    *out = (struct entity_part){0};
    if (size == 0)
        return STATUS_OK;
    if (size < PART_HEAD || get_u32(part) != PART_MAGIC || get_u32(part + 4) > ENTITY_EXTRAS_MAX)
        return error_set(err, STATUS_INPUT, "not a part of a points layer");
    out->schema.extra_count = (int32_t)get_u32(part + 4);
    uint64_t count = get_u32(part + 8), class_count = get_u32(part + 24);
    size_t head = PART_HEAD + (size_t)out->schema.extra_count * ENTITY_NAME_MAX;
    uint64_t body = count * entity_stride(&out->schema);
    if (size != head + body + class_count * ENTITY_CLASS_BYTES)
        return error_set(err, STATUS_INPUT, "a part of a points layer is cut short");
    for (int32_t i = 0; i < out->schema.extra_count; i++)
        memcpy(out->schema.extras[i], part + PART_HEAD + i * ENTITY_NAME_MAX, ENTITY_NAME_MAX);
    if (!entity_schema_valid(&out->schema))
        return error_set(err, STATUS_INPUT, "a part of a points layer has an attribute without a name");
    out->records = part + head;
    out->count = (size_t)count;
    out->stock = (struct entity_stock){get_u32(part + 12), get_u32(part + 16), get_u32(part + 20)};
    out->classes = part + head + body;
    out->class_count = (size_t)class_count;
    return STATUS_OK;
}

static bool name_valid(const char *name) {
    size_t n = strnlen(name, ENTITY_NAME_MAX);
    if (n == 0 || n == ENTITY_NAME_MAX || name[0] < 'a' || name[0] > 'z')
        return false;
    for (size_t i = 0; i < n; i++)
        if (!((name[i] >= 'a' && name[i] <= 'z') || (name[i] >= '0' && name[i] <= '9') || name[i] == '_'))
            return false;
    return true;
}

bool entity_schema_valid(const struct entity_schema *schema) {
    if (schema->extra_count < 0 || schema->extra_count > ENTITY_EXTRAS_MAX)
        return false;
    for (int32_t i = 0; i < schema->extra_count; i++) {
        if (!name_valid(schema->extras[i]))
            return false;
        for (int32_t k = 0; k < i; k++)
            if (strcmp(schema->extras[i], schema->extras[k]) == 0)
                return false;
    }
    return true;
}

bool entity_schema_equal(const struct entity_schema *a, const struct entity_schema *b) {
    if (a->extra_count != b->extra_count)
        return false;
    for (int32_t i = 0; i < a->extra_count; i++)
        if (strcmp(a->extras[i], b->extras[i]) != 0)
            return false;
    return true;
}
