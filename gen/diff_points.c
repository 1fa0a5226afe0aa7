#include "gen/diff_own.h"
#include "gen/entity.h"
#include "gen/ply.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const diff_change_names[DIFF_CHANGES] = {"added", "removed", "moved", "changed"};

static enum status no_memory(struct error *err) {
    return error_set(err, STATUS_LIMIT, "out of memory");
}

static struct diff_entity describe(enum diff_change change, const struct entity_schema *schema,
                                   const unsigned char *record, int32_t x, int32_t y) {
    struct entity e;
    entity_decode(schema, record, &e);
    return (struct diff_entity){change, e.id, e.object_id, entity_metres(e.x), entity_metres(e.y), 0, x, y};
}

static enum status add_entity(struct diff_result *result, const struct diff_entity *entity,
                              struct error *err) {
    size_t n = result->entity_count;
    if ((n & (n - 1)) == 0) { /* room is the next power of two */
        struct diff_entity *more = realloc(result->entities, (n ? 2 * n : 1) * sizeof *more);
        if (!more)
            return no_memory(err);
        result->entities = more;
    }
    result->entities[result->entity_count++] = *entity;
    return STATUS_OK;
}

static enum status add_loose(struct diff_points *points, enum diff_change change, const struct ply *ply,
                             size_t i, int32_t x, int32_t y, struct error *err) {
    size_t stride = entity_stride(&ply->schema);
    if (points->count == points->room) {
        size_t room = points->room ? 2 * points->room : 256;
        struct diff_loose *more = realloc(points->loose, room * sizeof *more);
        if (!more)
            return no_memory(err);
        points->loose = more;
        points->room = room;
    }
    struct diff_loose *loose = &points->loose[points->count++];
    const unsigned char *record = ply->records + i * stride;
    loose->entity = describe(change, &ply->schema, record, x, y);
    loose->stride = stride;
    memcpy(loose->record, record, stride);
    return STATUS_OK;
}

enum { POSITION_BYTES = 24 }; /* x, y, z lead a record */

/* The same entity on both sides. */
static enum status add_pair(struct diff_result *result, struct diff_entity a, const unsigned char *record_a,
                            const unsigned char *record_b, struct error *err) {
    struct entity e, f;
    static const struct entity_schema plain = {0};
    entity_decode(&plain, record_a, &e);
    entity_decode(&plain, record_b, &f);
    a.change = DIFF_CHANGED;
    if (memcmp(record_a, record_b, POSITION_BYTES) != 0) {
        double dx = entity_metres(f.x) - entity_metres(e.x), dy = entity_metres(f.y) - entity_metres(e.y),
               dz = entity_metres(f.z) - entity_metres(e.z);
        a.change = DIFF_MOVED;
        a.distance_m = sqrt(dx * dx + dy * dy + dz * dz);
    }
    return add_entity(result, &a, err);
}

static enum status open_side(const char *shown, const unsigned char *bytes, size_t size, struct ply *ply,
                             struct error *err) {
    *ply = (struct ply){.count = 0};
    if (!bytes)
        return STATUS_OK;
    enum status status = ply_read(shown, bytes, size, ply, err);
    return status == STATUS_OK ? ply_check(shown, ply, err) : status;
}

enum status diff_points_sector(struct diff_result *result, struct diff_points *points, int32_t x, int32_t y,
                               char shown[2][PATH_TEXT_MAX], const unsigned char *a, size_t a_size,
                               const unsigned char *b, size_t b_size, struct error *err) {
    struct ply pa, pb;
    enum status status = open_side(shown[0], a, a_size, &pa, err);
    if (status == STATUS_OK)
        status = open_side(shown[1], b, b_size, &pb, err);
    if (status != STATUS_OK)
        return status;
    size_t sa = entity_stride(&pa.schema), sb = entity_stride(&pb.schema);
    bool same_schema = entity_schema_equal(&pa.schema, &pb.schema);
    for (size_t i = 0, j = 0; (i < pa.count || j < pb.count) && status == STATUS_OK;) {
        const unsigned char *ra = i < pa.count ? pa.records + i * sa : NULL;
        const unsigned char *rb = j < pb.count ? pb.records + j * sb : NULL;
        uint64_t ia = ra ? entity_record_id(ra) : UINT64_MAX, ib = rb ? entity_record_id(rb) : UINT64_MAX;
        if (!rb || (ra && ia < ib)) {
            status = add_loose(points, DIFF_REMOVED, &pa, i++, x, y, err);
        } else if (!ra || ib < ia) {
            status = add_loose(points, DIFF_ADDED, &pb, j++, x, y, err);
        } else {
            result->entities_compared++;
            if (!same_schema || memcmp(ra, rb, sa) != 0)
                status = add_pair(result, describe(DIFF_CHANGED, &pa.schema, ra, x, y), ra, rb, err);
            i++;
            j++;
        }
    }
    return status;
}

static int by_id_removed_first(const void *a, const void *b) {
    const struct diff_loose *p = a, *q = b;
    if (p->entity.id != q->entity.id)
        return p->entity.id < q->entity.id ? -1 : 1;
    if (p->entity.change != q->entity.change)
        return p->entity.change == DIFF_REMOVED ? -1 : 1;
    if (p->entity.sector_y != q->entity.sector_y)
        return p->entity.sector_y < q->entity.sector_y ? -1 : 1;
    return (p->entity.sector_x > q->entity.sector_x) - (p->entity.sector_x < q->entity.sector_x);
}

static enum status pair_loose(struct diff_result *result, struct diff_points *points, struct error *err) {
    enum status status = STATUS_OK;
    if (points->count > 1)
        qsort(points->loose, points->count, sizeof *points->loose, by_id_removed_first);
    for (size_t i = 0; i < points->count && status == STATUS_OK; i++) {
        const struct diff_loose *p = &points->loose[i], *q = p + 1;
        bool pair = i + 1 < points->count && p->entity.id == q->entity.id &&
                    p->entity.change == DIFF_REMOVED && q->entity.change == DIFF_ADDED;
        status = pair ? add_pair(result, p->entity, p->record, q->record, err)
                      : add_entity(result, &p->entity, err);
        i += pair;
    }
    return status;
}

static int by_sector_then_id(const void *a, const void *b) {
    const struct diff_entity *p = a, *q = b;
    if (p->sector_y != q->sector_y)
        return p->sector_y < q->sector_y ? -1 : 1;
    if (p->sector_x != q->sector_x)
        return p->sector_x < q->sector_x ? -1 : 1;
    if (p->id != q->id)
        return p->id < q->id ? -1 : 1;
    return (p->change > q->change) - (p->change < q->change);
}

static enum status count_sectors(struct diff_result *result, struct error *err) {
    if (result->entity_count == 0)
        return STATUS_OK;
    qsort(result->entities, result->entity_count, sizeof *result->entities, by_sector_then_id);
    result->sectors = calloc(result->entity_count, sizeof *result->sectors);
    if (!result->sectors)
        return no_memory(err);
    for (size_t i = 0; i < result->entity_count; i++) {
        const struct diff_entity *e = &result->entities[i];
        struct diff_sector *s = result->sector_count ? &result->sectors[result->sector_count - 1] : NULL;
        if (!s || s->x != e->sector_x || s->y != e->sector_y) {
            s = &result->sectors[result->sector_count++];
            s->x = e->sector_x;
            s->y = e->sector_y;
        }
        s->counts[e->change]++;
    }
    return STATUS_OK;
}

enum status diff_points_finish(struct diff_result *result, struct diff_points *points, struct error *err) {
    enum status status = pair_loose(result, points, err);
    free(points->loose);
    *points = (struct diff_points){NULL, 0, 0};
    return status == STATUS_OK ? count_sectors(result, err) : status;
}
