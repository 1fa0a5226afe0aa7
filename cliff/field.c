#include "cliff/field.h"

#include "cliff/block.h"
#include "cliff/displace.h"
#include "terrain/hash.h"
#include "terrain/math.h"

#include <math.h>
#include <string.h>

enum { SALT_CHUNK = 0x711ff021 };
static const double chunk_m = 42.0, per_chunk = 1 / 42.0, chunk_fold = 2.0;
static const float cover_m = 0.6f, middle_most_m = 4.0f, plane_most_m = 1.6f;
static const float parting_m = 0.3f, parting_within_m = 0.7f;
static const float round_top_m = 0.2f, round_under_m = 0.1f, round_within_m = 0.5f;
/* Beyond far_m the largest push, the tangent plane's share and a metre; deep_m under it all is rock. */
static const float far_m = 4.6f + 1.2f + 1.2f;
static const double deep_m = 1.0;
enum { UNKNOWN = -2 };
static const double push_most_m = 4.6, bed_half_m = 4.0;

double cliff_highest(const struct cliff_node *n) {
    double slope2 = (double)n->east * (double)n->east + (double)n->north * (double)n->north;
    double up = (double)far_m * sqrt(1 + slope2) + 1.05 * bed_half_m, over = (double)n->over;
    double smooth = (double)n->smooth + (up < over ? up : over);
    double ground = (double)n->ground + (double)n->rough + 1;
    return smooth > ground ? smooth : ground;
}
static double sheet_depth(const struct cliff_node *n) {
    double slope2 = (double)n->east * (double)n->east + (double)n->north * (double)n->north;
    return 1.0 + 0.9 * sqrt(1 + slope2);
}
double cliff_lowest(const struct cliff_node *n) {
    return (double)n->ground - (double)n->rough - sheet_depth(n);
}

/* ---- making ---- */

static bool make_beds(struct cliff_field *f, const double s_lo[STRATA_PRESETS],
                      const double s_hi[STRATA_PRESETS], uint32_t presets) {
    for (int32_t p = 0; p < STRATA_PRESETS; p++)
        for (int32_t g = 0; g < STRATA_GROUPS && (presets >> p & 1); g++) {
            if (!strata_table_make(f->params->seed, g, s_lo[p], s_hi[p], f->scratch, &f->tables[p][g]))
                return false;
            f->first_bed[p][g] = f->bed_count;
            f->bed_count += f->tables[p][g].count;
        }
    f->beds = arena_alloc(f->scratch, (size_t)f->bed_count, sizeof *f->beds);
    if (!f->beds)
        return false;
    for (int32_t p = 0; p < STRATA_PRESETS; p++)
        for (int32_t g = 0; g < STRATA_GROUPS && (presets >> p & 1); g++)
            for (int32_t i = 0; i < f->tables[p][g].count; i++) {
                struct cliff_bed *bed = &f->beds[f->first_bed[p][g] + i];
                cliff_bed_cut(f->params, (uint8_t)p, &f->tables[p][g].beds[i], bed);
                f->reach_m = bed->reach_m > f->reach_m ? bed->reach_m : f->reach_m;
            }
    return true;
}

/* The range of bed coordinates over the box of the nodes. */
static void bed_range(const struct cliff_field *f, int32_t preset, double z_lo, double z_hi, double *lo,
                      double *hi) {
    const struct cliff_nodes *n = f->nodes;
    const struct strata_frame *frame = &f->params->frames[preset];
    double step = f->params->step_m;
    double x[2] = {n->x0 * step, (n->x0 + n->width) * step},
           y[2] = {n->y0 * step, (n->y0 + n->height) * step};
    *lo = 1e18, *hi = -1e18;
    for (int32_t k = 0; k < 4; k++) {
        double s = frame->x * x[k & 1] + frame->y * y[k >> 1];
        *lo = s < *lo ? s : *lo;
        *hi = s > *hi ? s : *hi;
    }
    *lo += frame->z * z_lo - 4;
    *hi += frame->z * z_hi + 4;
}

static bool make_chunks(struct cliff_field *f, double z_lo, double z_hi) {
    const struct cliff_nodes *n = f->nodes;
    double step = f->params->step_m;
    f->chunk_x0 = (int32_t)floor((n->x0 * step - 8) / chunk_m);
    f->chunk_y0 = (int32_t)floor((n->y0 * step - 8) / chunk_m);
    f->chunk_z0 = (int32_t)floor((z_lo - 8) / chunk_m);
    f->chunk_nx = (int32_t)floor(((n->x0 + n->width) * step + 8) / chunk_m) + 2 - f->chunk_x0;
    f->chunk_ny = (int32_t)floor(((n->y0 + n->height) * step + 8) / chunk_m) + 2 - f->chunk_y0;
    f->chunk_nz = (int32_t)floor((z_hi + 8) / chunk_m) + 2 - f->chunk_z0;
    size_t count = (size_t)f->chunk_nx * (size_t)f->chunk_ny * (size_t)f->chunk_nz;
    f->chunks = arena_alloc(f->scratch, count, sizeof *f->chunks);
    if (!f->chunks)
        return false;
    float *at = f->chunks;
    for (int32_t z = 0; z < f->chunk_nz; z++)
        for (int32_t y = 0; y < f->chunk_ny; y++)
            for (int32_t x = 0; x < f->chunk_nx; x++) {
                uint64_t h = hash_place(f->params->seed, SALT_CHUNK, f->chunk_x0 + x, f->chunk_y0 + y,
                                        (uint32_t)(f->chunk_z0 + z));
                float u = 2 * hash_unit(h) - 1;
                *at++ = u < 0 ? u - 0.3f : u + 0.3f;
            }
    return true;
}

bool cliff_field_make(const struct cliff_params *params, const struct cliff_nodes *nodes, double z_lo,
                      double z_hi, struct arena *scratch, struct cliff_field *f) {
    *f = (struct cliff_field){.params = params, .nodes = nodes, .scratch = scratch};
    uint32_t presets = 0;
    for (size_t i = 0; i < (size_t)nodes->width * (size_t)nodes->height; i++)
        presets |= 1u << nodes->preset[i];
    double s_lo[STRATA_PRESETS], s_hi[STRATA_PRESETS];
    for (int32_t p = 0; p < STRATA_PRESETS; p++)
        bed_range(f, p, z_lo, z_hi, &s_lo[p], &s_hi[p]);
    return make_beds(f, s_lo, s_hi, presets) && make_chunks(f, z_lo, z_hi) && cliff_blocks_make(f);
}

/* ---- places ---- */

/* What follows from the node; at: the nearest of the lattice's nodes. */
static void column_finish(const struct cliff_field *f, size_t at, struct cliff_column *c) {
    const struct cliff_node *n = &c->node;
    c->cosine = 1.0f / sqrtf(1.0f + n->east * n->east + n->north * n->north);
    c->base =
        n->cover > 0.5f && n->closed <= 0.5f ? (double)(n->ground + n->rough + cover_m) : cliff_lowest(n);
    c->preset = f->nodes->preset[at];
    c->far_m = (float)f->nodes->near[at] - NODE_NEAR - (float)f->params->step_m;
    c->chunk = UNKNOWN;
    const struct strata_frame *frame = &f->params->frames[c->preset];
    c->s = frame->x * c->x + frame->y * c->y + (double)n->fold;
    for (int32_t g = 0; g < STRATA_GROUPS; g++) {
        c->at[g].s0 = 1;
        c->at[g].s1 = 0;
    }
}

void cliff_column_at(const struct cliff_field *f, double x, double y, struct cliff_column *c) {
    c->x = x;
    c->y = y;
    cliff_node_at(f, x, y, &c->node);
    int32_t i = (int32_t)floor(x / f->params->step_m + 0.5) - f->nodes->x0;
    int32_t j = (int32_t)floor(y / f->params->step_m + 0.5) - f->nodes->y0;
    i = i < 0 ? 0 : i >= f->nodes->width ? f->nodes->width - 1 : i;
    j = j < 0 ? 0 : j >= f->nodes->height ? f->nodes->height - 1 : j;
    column_finish(f, (size_t)j * (size_t)f->nodes->width + (size_t)i, c);
}

void cliff_column_node(const struct cliff_field *f, int32_t i, int32_t j, struct cliff_column *c) {
    size_t at = (size_t)(j - f->nodes->y0) * (size_t)f->nodes->width + (size_t)(i - f->nodes->x0);
    c->x = i * f->params->step_m;
    c->y = j * f->params->step_m;
    c->node = f->nodes->nodes[at];
    column_finish(f, at, c);
}

void cliff_column_edge(const struct cliff_field *f, int32_t i, int32_t j, int32_t axis, double t,
                       struct cliff_column *c) {
    size_t at = (size_t)(j - f->nodes->y0) * (size_t)f->nodes->width + (size_t)(i - f->nodes->x0);
    size_t next = axis == 0 ? at + 1 : at + (size_t)f->nodes->width;
    c->x = i * f->params->step_m + (axis == 0 ? t * f->params->step_m : 0);
    c->y = j * f->params->step_m + (axis == 1 ? t * f->params->step_m : 0);
    cliff_node_between(&f->nodes->nodes[at], &f->nodes->nodes[next], (float)t, &c->node);
    column_finish(f, t < 0.5 ? at : next, c);
}

/* ---- the field ---- */

/* The chunks' values around a place, between its four neighbours in plan, at the two heights around z. */
static void find_chunks(const struct cliff_field *f, struct cliff_column *c, int32_t k) {
    double by = chunk_fold * (double)c->node.fold;
    double u = (c->x + by) * per_chunk - f->chunk_x0, v = (c->y - by) * per_chunk - f->chunk_y0;
    u = u < 0 ? 0 : u, v = v < 0 ? 0 : v;
    int32_t i = (int32_t)u, j = (int32_t)v;
    i = i > f->chunk_nx - 2 ? f->chunk_nx - 2 : i;
    j = j > f->chunk_ny - 2 ? f->chunk_ny - 2 : j;
    float s = (float)(u - i), t = (float)(v - j);
    const float *a = f->chunks + ((size_t)k * (size_t)f->chunk_ny + (size_t)j) * (size_t)f->chunk_nx + i;
    const float *b = a + f->chunk_nx, *layer = a + (ptrdiff_t)f->chunk_nx * f->chunk_ny;
    const float *d = layer + f->chunk_nx;
    c->chunk = k;
    c->low = (a[0] + s * (a[1] - a[0])) * (1 - t) + (b[0] + s * (b[1] - b[0])) * t;
    c->high = (layer[0] + s * (layer[1] - layer[0])) * (1 - t) + (d[0] + s * (d[1] - d[0])) * t;
}

/* Which of the two groups of beds: a threshold of trilinear noise. */
static inline int32_t group_at(const struct cliff_field *f, struct cliff_column *c, double z) {
    double w = (z + chunk_fold * (double)c->node.fold) * per_chunk - f->chunk_z0;
    w = w < 0 ? 0 : w;
    int32_t k = (int32_t)w;
    k = k > f->chunk_nz - 2 ? f->chunk_nz - 2 : k;
    if (k != c->chunk)
        find_chunks(f, c, k);
    return c->low + (float)(w - k) * (c->high - c->low) > 0;
}

static double bed_coordinate(const struct cliff_field *f, const struct cliff_column *c, double z) {
    return c->s + f->params->frames[c->preset].z * z;
}

int32_t cliff_bed_at(const struct cliff_field *f, struct cliff_column *c, double z) {
    int32_t g = group_at(f, c, z);
    return f->first_bed[c->preset][g] + strata_find(&f->tables[c->preset][g], bed_coordinate(f, c, z));
}

/* Height of the face's middle above the point, less than 4 m. */
static float to_middle(const struct cliff_bed *bed, double s) {
    float up = (float)(bed->middle - s) * bed->per_z;
    return up > middle_most_m ? middle_most_m : up < -middle_most_m ? -middle_most_m : up;
}

/* The worn top of a bed reaches farther down, and the debris at its foot farther up, than in fresh rock. */
static void prepare(const struct cliff_field *f, const struct cliff_column *c, const struct cliff_block *b,
                    struct cliff_face *out) {
    const struct cliff_bed *bed = &f->beds[b->bed];
    float worn = c->node.worn, thick = bed->thick_m;
    out->rx = (float)(c->x - b->x);
    out->ry = (float)(c->y - b->y);
    out->plane = b->east * out->rx + b->north * out->ry;
    for (int32_t k = 0; k < CLIFF_CUTS; k++)
        out->cut[k] = b->cut[k].east * out->rx + b->cut[k].north * out->ry - b->cut[k].less;
    float top_m = round_within_m + 1.7f * worn, foot_m = round_within_m + 1.0f * worn;
    out->top_m = top_m > 0.7f * thick ? 0.7f * thick : top_m;
    out->foot_m = foot_m > 0.4f * thick ? 0.4f * thick : foot_m;
    out->per_top = 1 / out->top_m;
    out->per_foot = 1 / out->foot_m;
    out->top_by_m = round_top_m + bed->wear_m * worn;
    out->foot_by_m = round_under_m - bed->apron_m * worn;
}

/* How far the face lies back because the bed's top is worn and its underside is blunt, or, below 0, out
 * because debris lies there; *along: how that grows upwards. */
static float worn_away(const struct cliff_bed *bed, const struct cliff_face *at, double s, float *along) {
    float below_top = (float)(bed->s1 - s), above_foot = (float)(s - bed->s0), back = 0, slope = 0;
    if (below_top < at->top_m) {
        float top = 1 - below_top * at->per_top;
        back = at->top_by_m * top * top;
        slope = 2 * at->top_by_m * at->per_top * top;
    }
    if (above_foot < at->foot_m) {
        float foot = 1 - above_foot * at->per_foot;
        back += at->foot_by_m * foot * foot;
        slope -= 2 * at->foot_by_m * at->per_foot * foot;
    }
    float below_parting = (float)(bed->bed.s1 - s);
    if (below_parting < parting_within_m && bed->bed.s1 < bed->s1) {
        back += parting_m * (1 - below_parting * (1 / parting_within_m));
        slope += parting_m / parting_within_m;
    }
    *along = slope;
    return back;
}

/* A face at a point: what its gradient is made of. */
struct face {
    float plane;   /* share of the tangent plane in it */
    float middle;  /* [m] height of the bed's middle over the point */
    float along;   /* how it changes along the bedding's normal where tops are worn and debris lies */
    int32_t which; /* the chipped edge that counts; CLIFF_CUTS: rock stands no higher here; -1: the face */
};

/* The largest of the face, its chipped edges and its height. */
static inline float face_at(const struct cliff_field *f, const struct cliff_column *c,
                            const struct cliff_block *b, const struct cliff_face *at, double s, double z,
                            struct face *out) {
    const struct cliff_bed *bed = &f->beds[b->bed];
    float middle = to_middle(bed, s);
    double zz = z + (double)(b->upright * middle);
    float ground = (float)(zz - (double)c->node.smooth) * c->cosine;
    float more = ((float)(zz - (double)b->height) - at->plane) * b->cosine - ground;
    bool held = more > plane_most_m || more < -plane_most_m;
    more = more > plane_most_m ? plane_most_m : more < -plane_most_m ? -plane_most_m : more;
    float push = b->push_m - c->node.cleft;
    if (f->params->image_count) {
        push += cliff_displace(f->params->images, f->params->image_count, c->x, c->y, z, b->east, b->north);
        push = push > (float)push_most_m ? (float)push_most_m : push;
    }
    float whole = ground + bed->flat * more - push + worn_away(bed, at, s, &out->along), most = whole;
    out->plane = held ? 0 : bed->flat;
    out->middle = middle;
    out->which = -1;
    for (int32_t k = 0; k < CLIFF_CUTS; k++) {
        float edge = b->cut[k].along * whole + at->cut[k] - b->cut[k].up * middle;
        if (edge > most) {
            most = edge;
            out->which = k;
        }
    }
    float over = ((float)(z - (double)c->node.smooth) - c->node.over) * c->cosine;
    if (over > most) {
        most = over;
        out->which = CLIFF_CUTS;
    }
    return most;
}

/* More than the field can be below what the smooth ground says: no need to look for blocks there. */
static bool far_out(const struct cliff_field *f, const struct cliff_column *c, int32_t bed, double s,
                    double z) {
    const struct cliff_bed *cut = &f->beds[bed];
    float middle = to_middle(cut, s);
    float most = cut->upright + 0.25f, least = cut->upright - 0.25f;
    double zz = z + (double)(middle < 0 ? most * middle : least * middle);
    return (float)(zz - (double)c->node.smooth) * c->cosine > far_m;
}

struct cliff_sample cliff_field_at(struct cliff_field *f, struct cliff_column *c, double z) {
    struct cliff_sample base = {(float)(z - c->base) * c->cosine, CLIFF_BASE};
    if (z < c->base - deep_m || c->node.closed > 0.5f)
        return base;
    int32_t g = group_at(f, c, z);
    double s = bed_coordinate(f, c, z);
    if (!(s >= c->at[g].s0 && s < c->at[g].s1)) {
        int32_t bed = f->first_bed[c->preset][g] + strata_find(&f->tables[c->preset][g], s);
        c->at[g].s0 = f->beds[bed].bed.s0;
        c->at[g].s1 = f->beds[bed].bed.s1;
        c->at[g].bed = bed;
        c->at[g].block = UNKNOWN;
    }
    if (c->at[g].block == UNKNOWN) {
        if (c->far_m > f->beds[c->at[g].bed].reach_m || far_out(f, c, c->at[g].bed, s, z))
            return base;
        c->at[g].block = cliff_block_at(f, c->at[g].bed, c->x, c->y);
        prepare(f, c, &f->blocks[c->at[g].block], &c->at[g].face);
    }
    const struct cliff_block *b = &f->blocks[c->at[g].block];
    if (!b->exists && !(b->thin && c->node.cover > 0.5f))
        return base;
    struct face face;
    struct cliff_sample out = {face_at(f, c, b, &c->at[g].face, s, z, &face), c->at[g].block};
    return out.f >= 0 && base.f < 0 ? base : out;
}

float cliff_block_field(const struct cliff_field *f, const struct cliff_column *c, int32_t block, double z) {
    struct cliff_face at;
    struct face face;
    prepare(f, c, &f->blocks[block], &at);
    return face_at(f, c, &f->blocks[block], &at, bed_coordinate(f, c, z), z, &face);
}

/* ---- normals ---- */

static void unit(float v[3]) {
    float length = sqrtf(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    if (!(length > 1e-6f)) {
        v[0] = v[1] = 0;
        v[2] = length = 1;
    }
    for (int32_t k = 0; k < 3; k++)
        v[k] /= length;
}

static void block_gradient(const struct cliff_field *f, const struct cliff_column *c,
                           const struct cliff_block *b, double z, float v[3]) {
    const struct strata_frame *frame = &f->params->frames[c->preset];
    struct cliff_face at;
    struct face face;
    prepare(f, c, b, &at);
    face_at(f, c, b, &at, bed_coordinate(f, c, z), z, &face);
    int32_t which = face.which;
    float of_ground = (1 - face.plane) * c->cosine, of_plane = face.plane * b->cosine, k = b->upright;
    bool held = face.middle >= middle_most_m || face.middle <= -middle_most_m;
    float lean = held ? 0 : k / (float)frame->z, rise = (of_ground + of_plane);
    v[0] = -rise * lean * (float)frame->x - of_ground * c->node.east - of_plane * b->east;
    v[1] = -rise * lean * (float)frame->y - of_ground * c->node.north - of_plane * b->north;
    v[2] = rise * (held ? 1 : 1 - k);
    v[0] += face.along * (float)frame->x;
    v[1] += face.along * (float)frame->y;
    v[2] += face.along * (float)frame->z;
    if (which == CLIFF_CUTS) {
        v[0] = -c->node.east;
        v[1] = -c->node.north;
        v[2] = 1;
    } else if (which >= 0) {
        v[0] = b->cut[which].along * v[0] + b->cut[which].east;
        v[1] = b->cut[which].along * v[1] + b->cut[which].north;
        v[2] = b->cut[which].along * v[2] + b->cut[which].up;
    }
}

void cliff_face_normal(const struct cliff_field *f, struct cliff_column *c, double z, int32_t solid,
                       int32_t air, int32_t axis, float towards, float normal[3]) {
    normal[0] = normal[1] = normal[2] = 0;
    if (solid == CLIFF_BASE) {
        normal[0] = -c->node.east;
        normal[1] = -c->node.north;
        normal[2] = 1;
    } else if (solid == air) {
        block_gradient(f, c, &f->blocks[solid], z, normal);
    } else {
        const struct cliff_block *b = &f->blocks[solid];
        int32_t other = air == CLIFF_BASE ? cliff_bed_at(f, c, z) : f->blocks[air].bed;
        const struct cliff_bed *here = &f->beds[b->bed], *there = &f->beds[other];
        if (axis == 2 && here->preset == there->preset && here->bed.group == there->bed.group) {
            const struct strata_frame *frame = &f->params->frames[here->preset];
            normal[0] = towards * (float)frame->x;
            normal[1] = towards * (float)frame->y;
            normal[2] = towards * (float)frame->z;
        } else if (other == b->bed && cliff_side_normal(f, b, c->x, c->y, air, normal)) {
        } else if (b->bed != other && here->preset == there->preset && here->bed.group == there->bed.group) {
            const struct strata_frame *frame = &f->params->frames[here->preset];
            float sign = there->bed.s0 > here->bed.s0 ? 1.0f : -1.0f;
            normal[0] = sign * (float)frame->x;
            normal[1] = sign * (float)frame->y;
            normal[2] = sign * (float)frame->z;
        } else {
            normal[axis] = towards;
        }
    }
    unit(normal);
}
