#include "gen/cliff_part.h"

#include "gen/bytes.h"

/* PLACE_MOST: 65 km, in quanta; products of two differences fit 64 bits. */
enum { PLACE_MOST = 1 << 26, HEAD_BYTES = 12, VERTEX_BYTES = 12, QUAD_BYTES = 20 };

bool cliff_part_write(const struct cliff_mesh *m, struct arena *scratch, const void **part, size_t *size) {
    *part = NULL;
    *size = 0;
    if (m->quad_count == 0)
        return true;
    size_t bytes = HEAD_BYTES + VERTEX_BYTES * (size_t)m->vertex_count + QUAD_BYTES * (size_t)m->quad_count;
    unsigned char *at = arena_alloc(scratch, bytes, 1);
    if (!at)
        return false;
    *part = at;
    *size = bytes;
    at = put_u32(at, m->vertex_count);
    at = put_u32(at, m->own_count);
    at = put_u32(at, m->quad_count);
    for (uint32_t v = 0; v < m->vertex_count; v++) {
        at = put_u32(at, (uint32_t)m->vertices[v].x);
        at = put_u32(at, (uint32_t)m->vertices[v].y);
        at = put_u32(at, (uint32_t)m->vertices[v].z);
    }
    for (uint32_t q = 0; q < m->quad_count; q++) {
        for (int32_t k = 0; k < 4; k++)
            at = put_u32(at, m->quads[q].v[k]);
        at = put_u32(at, m->quads[q].bed);
    }
    return true;
}

bool cliff_part_read(const struct tile *tile, int32_t sector, struct arena *scratch, struct cliff_mesh *m) {
    *m = (struct cliff_mesh){0};
    size_t from = tile->part_at[sector], size = tile->part_at[sector + 1] - from;
    if (size == 0)
        return true;
    const unsigned char *at = tile->bytes + from;
    if (size < HEAD_BYTES)
        return false;
    m->vertex_count = get_u32(at);
    m->own_count = get_u32(at + 4);
    m->quad_count = get_u32(at + 8);
    if (m->own_count > m->quad_count || m->quad_count == 0)
        return false;
    if (size != HEAD_BYTES + VERTEX_BYTES * (size_t)m->vertex_count + QUAD_BYTES * (size_t)m->quad_count)
        return false;
    m->vertices = arena_alloc(scratch, m->vertex_count, sizeof *m->vertices);
    m->quads = arena_alloc(scratch, m->quad_count, sizeof *m->quads);
    if (!m->vertices || !m->quads)
        return false;
    at += HEAD_BYTES;
    for (uint32_t v = 0; v < m->vertex_count; v++, at += VERTEX_BYTES) {
        int32_t place[3];
        for (int32_t k = 0; k < 3; k++) {
            place[k] = (int32_t)get_u32(at + 4 * k);
            if (place[k] < -PLACE_MOST || place[k] > PLACE_MOST)
                return false;
        }
        m->vertices[v] = (struct cliff_vertex){place[0], place[1], place[2]};
    }
    for (uint32_t q = 0; q < m->quad_count; q++, at += QUAD_BYTES) {
        for (int32_t k = 0; k < 4; k++) {
            m->quads[q].v[k] = get_u32(at + 4 * k);
            if (m->quads[q].v[k] >= m->vertex_count)
                return false;
        }
        m->quads[q].bed = get_u32(at + 16);
    }
    return true;
}
