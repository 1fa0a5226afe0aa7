#include "gen/features_own.h"

#include "gen/bytes.h"
#include "terrain/hash.h"
#include <stdlib.h>
#define XXH_STATIC_LINKING_ONLY /* the state as a value, not on the heap */
#include <xxhash.h>

const char *const feature_kind_names[FEATURE_KINDS] = {
    "river", "stream", "ditch", "lake",       "river_area",  "road",     "track",
    "path",  "fence",  "wall",  "power_line", "power_tower", "footprint"};

/* Memory in blocks that grow with the set. */
enum { BLOCK_BYTES = 1 << 16 };
struct features_pool {
    struct features_pool *next;
    size_t used, size;
    _Alignas(16) unsigned char bytes[];
};

struct features *features_new(enum features_purpose purpose) {
    struct features *f = calloc(1, sizeof *f);
    if (f)
        f->purpose = purpose;
    return f;
}

void features_free(struct features *f) {
    if (!f)
        return;
    for (struct features_pool *block = f->pool, *next; block; block = next) {
        next = block->next;
        free(block);
    }
    features_index_free(f->index);
    free(f->items);
    free(f);
}

void *features_alloc(struct features *f, size_t count, size_t size) {
    if (size != 0 && count > (SIZE_MAX - 64) / size)
        return NULL;
    size_t bytes = (count * size + 15) & ~(size_t)15;
    if (!f->pool || f->pool->size - f->pool->used < bytes) {
        size_t room = bytes > BLOCK_BYTES ? bytes : BLOCK_BYTES;
        struct features_pool *block = calloc(1, sizeof *block + room);
        if (!block)
            return NULL;
        *block = (struct features_pool){.next = f->pool, .size = room};
        f->pool = block;
    }
    void *out = f->pool->bytes + f->pool->used;
    f->pool->used += bytes;
    return out;
}

char *features_text(struct features *f, const char *text) {
    size_t size = strlen(text) + 1;
    char *copy = features_alloc(f, size, 1);
    return copy ? memcpy(copy, text, size) : NULL;
}

struct feature *features_add(struct features *f) {
    if (f->count == UINT32_MAX)
        return NULL;
    if (f->count == f->room) {
        size_t room = f->room ? f->room * 2 : 64;
        struct feature *items = realloc(f->items, room * sizeof *items);
        if (!items)
            return NULL;
        f->items = items;
        f->room = room;
    }
    struct feature *item = &f->items[f->count++];
    *item = (struct feature){0};
    return item;
}

/* Everything as bytes in the order of files, so that the hash is the same on every machine. */
static void hash_count(XXH3_state_t *h, uint64_t v) {
    unsigned char bytes[8];
    put_u64(bytes, v);
    XXH3_128bits_update(h, bytes, sizeof bytes);
}
static void hash_string(XXH3_state_t *h, const char *text) {
    size_t size = strlen(text);
    hash_count(h, size);
    XXH3_128bits_update(h, text, size);
}
static void hash_numbers(XXH3_state_t *h, const double *v, size_t count) {
    hash_count(h, count);
    for (size_t i = 0; i < count; i++) {
        unsigned char bytes[8];
        put_f64(bytes, v[i]);
        XXH3_128bits_update(h, bytes, sizeof bytes);
    }
}

static void box_add(struct feature *f, const double *xy, size_t count) {
    for (size_t i = 0; i < count; i++) {
        double x = xy[2 * i], y = xy[2 * i + 1];
        f->x0 = x < f->x0 ? x : f->x0;
        f->x1 = x > f->x1 ? x : f->x1;
        f->y0 = y < f->y0 ? y : f->y0;
        f->y1 = y > f->y1 ? y : f->y1;
    }
}

size_t feature_runs(const struct feature *f) {
    return f->shape == FEATURE_POINT ? 0 : f->shape == FEATURE_LINE ? 1 : f->ring_count;
}

struct curve feature_curve(const struct feature *f, size_t run) {
    size_t first = run > 0 ? f->ring_end[run - 1] : 0;
    size_t end = f->shape == FEATURE_LINE ? f->count : f->ring_end[run];
    return (struct curve){f->xy + 2 * first, end - first, f->shape == FEATURE_POLYGON, f->smooth};
}

static struct hash128 content_of(const struct feature *f) {
    XXH3_state_t h;
    XXH3_INITSTATE(&h);
    XXH3_128bits_reset(&h);
    hash_string(&h, f->kind_text);
    hash_count(&h, f->shape);
    hash_count(&h, f->smooth);
    hash_string(&h, f->id ? f->id : "");
    hash_count(&h, (uint64_t)f->part);
    hash_numbers(&h, f->xy, 2 * f->count);
    if (f->cut)
        hash_numbers(&h, &f->whole_m2, 1);
    hash_count(&h, f->ring_count);
    for (size_t i = 0; i < f->ring_count; i++)
        hash_count(&h, f->ring_end[i]);
    hash_count(&h, f->attribute_count);
    for (size_t i = 0; i < f->attribute_count; i++) {
        const struct feature_attribute *a = &f->attributes[i];
        hash_string(&h, a->name);
        hash_count(&h, a->type);
        if (a->type == ATTRIBUTE_TEXT)
            hash_string(&h, a->text);
        else
            hash_numbers(&h, a->type == ATTRIBUTE_NUMBER ? &a->number : a->numbers,
                         a->type == ATTRIBUTE_NUMBER ? 1 : f->count);
    }
    XXH128_hash_t d = XXH3_128bits_digest(&h);
    return (struct hash128){d.low64, d.high64};
}

void feature_seal(struct feature *f) {
    f->content = content_of(f);
    f->x0 = f->x1 = f->xy[0];
    f->y0 = f->y1 = f->xy[1];
    for (size_t i = 0; i < f->count; i++)
        box_add(f, f->xy + 2 * i, 1);
    for (size_t r = 0, runs = f->smooth ? feature_runs(f) : 0; r < runs; r++) {
        struct curve curve = feature_curve(f, r);
        double control[8];
        for (size_t i = 0; i < curve_segments(&curve); i++) {
            terrain_curve_bezier(&curve, i, control);
            box_add(f, control, 4);
        }
    }
}

#define ORDER(a, b)                                                                                          \
    if ((a) != (b))                                                                                          \
    return (a) < (b) ? -1 : 1

int feature_compare_points(const struct feature *a, const struct feature *b) {
    ORDER(a->shape, b->shape);
    for (size_t i = 0; i < 2 * a->count && i < 2 * b->count; i++)
        ORDER(a->xy[i], b->xy[i]);
    ORDER(a->count, b->count);
    ORDER(a->ring_count, b->ring_count);
    for (size_t i = 0; i < a->ring_count; i++)
        ORDER(a->ring_end[i], b->ring_end[i]);
    return 0;
}

static int compare_attributes(const struct feature *a, const struct feature *b) {
    ORDER(a->attribute_count, b->attribute_count);
    for (size_t i = 0; i < a->attribute_count; i++) {
        const struct feature_attribute *s = &a->attributes[i], *t = &b->attributes[i];
        int by_name = strcmp(s->name, t->name);
        if (by_name)
            return by_name;
        ORDER(s->type, t->type);
        if (s->type == ATTRIBUTE_TEXT && strcmp(s->text, t->text) != 0)
            return strcmp(s->text, t->text);
        if (s->type == ATTRIBUTE_NUMBER)
            ORDER(s->number, t->number);
        for (size_t k = 0; s->type == ATTRIBUTE_NUMBERS && k < a->count; k++)
            ORDER(s->numbers[k], t->numbers[k]);
    }
    return 0;
}

int feature_compare(const struct feature *a, const struct feature *b) {
    ORDER(a->kind, b->kind);
    int order = strcmp(a->kind_text, b->kind_text);
    if (!order)
        order = feature_compare_points(a, b);
    if (order)
        return order;
    ORDER(a->smooth, b->smooth);
    order = strcmp(a->id ? a->id : "", b->id ? b->id : "");
    if (order)
        return order;
    ORDER(a->part, b->part);
    return compare_attributes(a, b);
}

const struct feature_attribute *feature_attribute(const struct feature *f, const char *name) {
    size_t lo = 0, hi = f->attribute_count;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        int order = strcmp(f->attributes[mid].name, name);
        if (order == 0)
            return &f->attributes[mid];
        if (order < 0)
            lo = mid + 1;
        else
            hi = mid;
    }
    return NULL;
}

double feature_number(const struct feature *f, const char *name, size_t point, double fallback) {
    const struct feature_attribute *a = feature_attribute(f, name);
    if (!a || a->type == ATTRIBUTE_TEXT)
        return fallback;
    return a->type == ATTRIBUTE_NUMBER ? a->number : a->numbers[point];
}

const char *feature_text(const struct feature *f, const char *name, const char *fallback) {
    const struct feature_attribute *a = feature_attribute(f, name);
    return a && a->type == ATTRIBUTE_TEXT ? a->text : fallback;
}
