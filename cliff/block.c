#include "cliff/block.h"

#include "cliff/value.h"
#include "terrain/hash.h"
#include "terrain/math.h"

#include <math.h>
#include <string.h>

enum { SALT_CUT = 0x711ff031, SALT_SITE, SALT_BLOCK, SALT_BULGE, SALT_WAVE, SALT_WALL };
enum { BLOCKS_FIRST = 4096, BEDS_UNDER = 8 };
static const double cell_m = 5.6, stretch = 1.18 /* and 1 / 1.18 across: 1.4 in all */, shear = 0.1;
static const float push_least_m = 0.1f, push_most_m = 4.6f, turn_most = 0.18f;
static const double size_most_m = 10.7; /* CLIFF_SITE_M holds 1.3 of it */
/* Share of massive packages whose beds make one wall. */
static const float walls = 0.75f;
static const double bulge_m = 28, wave_m = 15;

/* ---- beds ---- */

void cliff_bed_cut(const struct cliff_params *p, uint8_t preset, const struct strata_bed *bed,
                   struct cliff_bed *out) {
    static const float least_m[] = {1.0f, 0.3f, 0.0f}, most_m[] = {2.6f, 1.9f, 0.7f};
    static const float sound[] = {0.72f, 0.52f, 0.22f};
    static const float upright[] = {0.9f, 0.8f, 0.4f}, flat[] = {0.75f, 0.75f, 0.35f};
    *out = (struct cliff_bed){.bed = *bed, .preset = preset};
    uint64_t wall = hash_place(p->seed, SALT_WALL, bed->package, bed->group, preset);
    bool one = bed->kind == STRATA_MASSIVE && hash_unit(wall) < walls;
    out->s0 = one ? bed->p0 : bed->s0;
    out->s1 = one ? bed->p1 : bed->s1;
    out->middle = 0.5 * (out->s0 + out->s1);
    out->thick_m = (float)(out->s1 - out->s0);
    out->per_z = (float)(1 / p->frames[preset].z);
    /* the beds of a wall share their blocks' outlines, so that joints run through; pairs of thin beds too */
    int32_t number = one ? 0 : bed->kind == STRATA_MASSIVE ? bed->number : bed->number / 2;
    uint64_t h = hash_place(p->seed, SALT_CUT, bed->package, number * STRATA_GROUPS + bed->group, preset);
    double u0 = (double)hash_unit(h), u1 = (double)hash_unit(h << 24),
           u2 = (double)hash_unit(hash_mix(h + 1));
    double thick = (out->s1 - out->s0) / 2.2;
    thick = thick < 0.5 ? 0.5 : thick > 1.3 ? 1.3 : thick;
    double size = cell_m * (0.6 + 1.1 * u0 * u0) * thick, least = 2.5 * p->step_m;
    size = size > size_most_m ? size_most_m : size;
    size = size < least ? least : size;
    /* two sets of joints for each group, with a little play from bed to bed */
    double angle = 0.7 * preset + 0.9 * bed->group + 0.25 * (u1 - 0.5), c = math_cos(angle),
           s = math_sin(angle);
    double lean = shear * (u2 - 0.5) * 2;
    out->u_x = (c + lean * s) / (size * stretch);
    out->u_y = (s - lean * c) / (size * stretch);
    out->v_x = -s * stretch / size;
    out->v_y = c * stretch / size;
    out->u_0 = 16 * u1;
    out->v_0 = 16 * u2;
    out->seed = hash_mix(h ^ SALT_SITE);
    out->size_m = (float)size;
    /* no point of a block is farther from its site than 1.3 of its size; the site's mask looks 2 m around */
    out->reach_m = (float)(1.3 * size + (p->soft_m > 2 ? p->soft_m : 2) + 1);
    float hard = hash_unit(wall << 24), own = one ? 0.1f : 0.6f; /* what beds of a package have in common */
    hard += own * (bed->unit[0] - hard);
    out->push_m = 1.2f * (least_m[bed->kind] + hard * (most_m[bed->kind] - least_m[bed->kind]));
    out->upright = upright[bed->kind];
    out->flat = flat[bed->kind];
    out->sound = sound[bed->kind] + 0.25f * (bed->unit[1] - 0.5f);
    out->wear_m = 1.6f * (float)(out->s1 - out->s0 < 3 ? (out->s1 - out->s0) / 3 : 1);
    out->apron_m = 0.9f;
}

/* ---- the diagram ---- */

/* Half box, half Euclid: walls that are straight and meet at large angles. */
static float metric(float u, float v) {
    float a = fabsf(u), b = fabsf(v);
    return 0.5f * (a > b ? a : b) + 0.5f * sqrtf(u * u + v * v);
}
static void metric_gradient(float u, float v, float g[2]) {
    float length = sqrtf(u * u + v * v), per = length > 1e-6f ? 0.5f / length : 0;
    bool wide = fabsf(u) > fabsf(v);
    g[0] = per * u + (wide ? (u < 0 ? -0.5f : 0.5f) : 0);
    g[1] = per * v + (wide ? 0 : (v < 0 ? -0.5f : 0.5f));
}

/* Where the site of a cell lies in it. So far from the rim that the nearest of 3 x 3 is the nearest. */
static const float SITE_FROM = 0.1f, SITE_SPREAD = 0.8f;
static void site_in(uint64_t seed, int32_t u, int32_t v, float out[2]) {
    uint64_t h = hash_mix(seed ^ (((uint64_t)(uint32_t)v << 32) | (uint32_t)u));
    out[0] = SITE_FROM + SITE_SPREAD * hash_unit(h);
    out[1] = SITE_FROM + SITE_SPREAD * hash_unit(h << 24);
}

struct nearest {
    int32_t u, v, next_u, next_v;
    float best, next; /* distances in cells */
};

/* How near a site of the cell i to the side can be. */
static float gap(int32_t i, float p) {
    return i == 0 ? 0 : i > 0 ? 1.0f + SITE_FROM - p : p + SITE_FROM;
}

/* The cell whose site is nearest; of equals the first in the order below. two: the next as well. */
static struct nearest find_nearest(const struct cliff_bed *bed, double x, double y, bool two) {
    static const int8_t order[9][2] = {{0, 0},   {-1, 0}, {1, 0},  {0, -1}, {0, 1},
                                       {-1, -1}, {1, -1}, {-1, 1}, {1, 1}};
    double u = bed->u_x * x + bed->u_y * y + bed->u_0, v = bed->v_x * x + bed->v_y * y + bed->v_0;
    double fu = floor(u), fv = floor(v);
    int32_t cu = (int32_t)fu, cv = (int32_t)fv;
    float pu = (float)(u - fu), pv = (float)(v - fv);
    struct nearest n = {0, 0, 0, 0, 1e9f, 1e9f};
    for (int32_t k = 0; k < 9; k++) {
        int32_t i = order[k][0], j = order[k][1];
        float gu = gap(i, pu), gv = gap(j, pv), most = two ? n.next : n.best, site[2];
        if (gu >= most || gv >= most || metric(gu, gv) >= most)
            continue;
        site_in(bed->seed, cu + i, cv + j, site);
        float d = metric((float)i + site[0] - pu, (float)j + site[1] - pv);
        if (d < n.best) {
            n.next = n.best, n.next_u = n.u, n.next_v = n.v;
            n.best = d, n.u = cu + i, n.v = cv + j;
        } else if (d < n.next) {
            n.next = d, n.next_u = cu + i, n.next_v = cv + j;
        }
    }
    return n;
}

bool cliff_side_normal(const struct cliff_field *f, const struct cliff_block *b, double x, double y,
                       int32_t neighbour, float normal[3]) {
    const struct cliff_bed *bed = &f->beds[b->bed];
    double u = bed->u_x * x + bed->u_y * y + bed->u_0, v = bed->v_x * x + bed->v_y * y + bed->v_0;
    int32_t other_u, other_v;
    if (neighbour != CLIFF_BASE) {
        other_u = f->blocks[neighbour].u;
        other_v = f->blocks[neighbour].v;
    } else {
        struct nearest n = find_nearest(bed, x, y, true);
        bool first = n.u != b->u || n.v != b->v;
        other_u = first ? n.u : n.next_u;
        other_v = first ? n.v : n.next_v;
    }
    if (other_u == b->u && other_v == b->v)
        return false;
    float site[2], own[2], there[2];
    site_in(bed->seed, b->u, b->v, site);
    metric_gradient((float)(u - b->u) - site[0], (float)(v - b->v) - site[1], own);
    site_in(bed->seed, other_u, other_v, site);
    metric_gradient((float)(u - other_u) - site[0], (float)(v - other_v) - site[1], there);
    float du = own[0] - there[0], dv = own[1] - there[1];
    normal[0] = du * (float)bed->u_x + dv * (float)bed->v_x;
    normal[1] = du * (float)bed->u_y + dv * (float)bed->v_y;
    normal[2] = 0;
    return normal[0] * normal[0] + normal[1] * normal[1] > 1e-8f;
}

/* ---- blocks ---- */

struct between {
    size_t at, above; /* the node in the south-west and the one north of it */
    float w[4];
};
static struct between find_nodes(const struct cliff_field *f, double x, double y) {
    const struct cliff_nodes *n = f->nodes;
    double u = x / f->params->step_m, v = y / f->params->step_m, fu = floor(u), fv = floor(v);
    int32_t i = (int32_t)fu - n->x0, j = (int32_t)fv - n->y0;
    i = i < 0 ? 0 : i > n->width - 2 ? n->width - 2 : i;
    j = j < 0 ? 0 : j > n->height - 2 ? n->height - 2 : j;
    float s = (float)(u - fu), t = (float)(v - fv);
    size_t at = (size_t)j * (size_t)n->width + (size_t)i;
    return (struct between){at, at + (size_t)n->width, {(1 - s) * (1 - t), s * (1 - t), (1 - s) * t, s * t}};
}

#define NODE_FIELDS(DO)                                                                                      \
    DO(ground)                                                                                               \
    DO(rough) DO(smooth) DO(east) DO(north) DO(fold) DO(cleft) DO(worn) DO(over) DO(cover) DO(closed)
_Static_assert(sizeof(struct cliff_node) == 11 * sizeof(float), "all of a node's fields are blended");

#define BLEND(field)                                                                                         \
    out->field = n.w[0] * a[0].field + n.w[1] * a[1].field + n.w[2] * b[0].field + n.w[3] * b[1].field;
void cliff_node_at(const struct cliff_field *f, double x, double y, struct cliff_node *out) {
    struct between n = find_nodes(f, x, y);
    const struct cliff_node *a = f->nodes->nodes + n.at, *b = f->nodes->nodes + n.above;
    NODE_FIELDS(BLEND)
}
float cliff_ground_at(const struct cliff_field *f, double x, double y) {
    struct between n = find_nodes(f, x, y);
    const struct cliff_node *a = f->nodes->nodes + n.at, *b = f->nodes->nodes + n.above;
    return n.w[0] * (a[0].ground - a[0].rough) + n.w[1] * (a[1].ground - a[1].rough) +
           n.w[2] * (b[0].ground - b[0].rough) + n.w[3] * (b[1].ground - b[1].rough);
}
static bool node_known(const struct cliff_field *f, double x, double y) {
    struct between n = find_nodes(f, x, y);
    const uint8_t *a = f->nodes->near + n.at, *b = f->nodes->near + n.above;
    return a[0] && a[1] && b[0] && b[1];
}
void cliff_site_at(const struct cliff_field *f, double x, double y, struct cliff_site *out) {
    struct between n = find_nodes(f, x, y);
    const struct cliff_site *a = f->nodes->sites + n.at, *b = f->nodes->sites + n.above;
    BLEND(mask)
    BLEND(wide)
    BLEND(soft)
    BLEND(broken)
}
#undef BLEND

#define BLEND(field) out->field = (1 - t) * a->field + t * b->field;
void cliff_node_between(const struct cliff_node *a, const struct cliff_node *b, float t,
                        struct cliff_node *out) {
    NODE_FIELDS(BLEND)
}
#undef BLEND
#undef NODE_FIELDS

/* Edges broken off: two upright corners of the face and its top. flush: the face goes on in neighbours, and
 * its joints are tight. */
static void chip(const struct cliff_bed *bed, const float u[8], bool flush, struct cliff_block *b) {
    float slope = sqrtf(b->east * b->east + b->north * b->north);
    float tx = slope > 1e-4f ? -b->north / slope : 1, ty = slope > 1e-4f ? b->east / slope : 0;
    float half = 0.5f * bed->size_m, thick = 0.5f * (float)(bed->s1 - bed->s0);
    for (int32_t k = 0; k < CLIFF_CUTS; k++) {
        b->cut[k].less = 1e6f; /* none */
        b->cut[k].along = b->cut[k].east = b->cut[k].north = b->cut[k].up = 0;
        float odds = !flush ? 0.65f : k < 2 ? 0.12f : 0.3f;
        if (u[2 * k] > odds)
            continue;
        float sine = 0.35f + 0.48f * u[2 * k] / odds, cosine = sqrtf(1 - sine * sine);
        float from = 0.25f + 0.6f * u[2 * k + 1];
        b->cut[k].along = cosine;
        if (k < 2) {
            float side = k == 0 ? sine : -sine;
            b->cut[k].east = side * tx;
            b->cut[k].north = side * ty;
            b->cut[k].less = sine * half * from;
        } else {
            b->cut[k].up = sine;
            b->cut[k].less = sine * thick * from;
        }
    }
}

static void place_of(const struct cliff_bed *bed, int32_t u, int32_t v, double out[2]) {
    float site[2];
    site_in(bed->seed, u, v, site);
    double du = u + (double)site[0] - bed->u_0, dv = v + (double)site[1] - bed->v_0;
    double det = bed->u_x * bed->v_y - bed->u_y * bed->v_x;
    out[0] = (du * bed->v_y - dv * bed->u_y) / det;
    out[1] = (dv * bed->u_x - du * bed->v_x) / det;
}

/* Whether the masks give rock to a block with this site. A soft border has fewer and fewer blocks. */
static bool wanted(const struct cliff_bed *bed, int32_t u, int32_t v, const struct cliff_site *site) {
    uint64_t h = hash_place(bed->seed, SALT_BLOCK, u, v, 0);
    return site->mask > 0.34f + 0.22f * hash_unit(h) || site->soft > 0.02f + 0.48f * hash_unit(h << 24);
}

/* Whether blocks of all beds under a block stand below its front, down to the ground: no slab floats. */
static bool grounded(const struct cliff_field *f, const struct cliff_block *b, const struct cliff_node *n) {
    const struct cliff_bed *bed = &f->beds[b->bed];
    const struct strata_frame *frame = &f->params->frames[bed->preset];
    float slope = sqrtf(n->east * n->east + n->north * n->north);
    double out = slope > 0.01f ? 0.35 * (double)bed->size_m / (double)slope : 0;
    double x = b->x - out * (double)n->east, y = b->y - out * (double)n->north;
    struct cliff_node front;
    cliff_node_at(f, x, y, &front);
    int32_t first = f->first_bed[bed->preset][bed->bed.group];
    for (int32_t i = b->bed; i > first && i > b->bed - BEDS_UNDER; i--) {
        double under = (f->beds[i].bed.s0 - (double)front.fold - frame->x * x - frame->y * y) / frame->z;
        if (under < (double)front.ground + 0.3)
            return true;
        const struct cliff_bed *lower = &f->beds[i - 1];
        struct nearest at = find_nearest(lower, x, y, false);
        double place[2];
        struct cliff_site site;
        place_of(lower, at.u, at.v, place);
        cliff_site_at(f, place[0], place[1], &site);
        if (!wanted(lower, at.u, at.v, &site))
            return false;
    }
    return true;
}

/* Blocks at a patch's rim stand out less, and those of small patches. */
static float at_rim(const struct cliff_site *site) {
    float whole = 0.45f + 0.55f * (site->mask - 0.3f) * 1.6f, large = 0.35f + 1.6f * site->wide;
    whole = whole > 1 ? 1 : whole < 0.45f ? 0.45f : whole;
    return whole * (large > 1 ? 1 : large);
}

/* The pillar that gives a whole block its face, so that a pillar's blocks make one plane. False: it lies too
 * far away. */
static bool leader(const struct cliff_field *f, const struct cliff_block *b, double place[2]) {
    struct cliff_pillar pillar = cliff_pillar_at(f->params->seed, b->x, b->y);
    double x = pillar.x - b->x, y = pillar.y - b->y;
    place[0] = pillar.x;
    place[1] = pillar.y;
    return x * x + y * y < CLIFF_PANEL_M * CLIFF_PANEL_M && node_known(f, place[0], place[1]);
}

/* Plane and push of the face at the block's place. loose: 0..1, how far the block has moved. */
static void own_face(const struct cliff_field *f, const struct cliff_node *n, float loose,
                     struct cliff_block *b) {
    const struct cliff_bed *bed = &f->beds[b->bed];
    const struct strata_frame *frame = &f->params->frames[bed->preset];
    float r[3];
    for (uint32_t k = 0; k < 3; k++)
        r[k] = 2 * hash_unit(hash_place(bed->seed, SALT_BLOCK, b->u, b->v, 1 + k)) - 1;
    double turn = (double)(loose * turn_most * r[0]), c = math_cos(turn), s = math_sin(turn);
    b->height = n->smooth;
    b->east = (float)(c * (double)n->east - s * (double)n->north);
    b->north = (float)(s * (double)n->east + c * (double)n->north);
    b->cosine = 1 / sqrtf(1 + b->east * b->east + b->north * b->north);
    double middle = 0.5 * (bed->s0 + bed->s1);
    double z = (middle - (double)n->fold - frame->x * b->x - frame->y * b->y) / frame->z;
    b->push_m = 1.0f + bed->push_m;
    b->push_m += 1.9f * cliff_value(f->params->seed, SALT_BULGE, b->x / bulge_m, b->y / bulge_m, z / bulge_m);
    b->push_m +=
        1.1f * cliff_value(f->params->seed, SALT_WAVE, b->x / wave_m, b->y / wave_m, middle / (0.4 * wave_m));
    b->push_m += 0.7f * loose * r[1];
    b->upright = bed->upright + (0.06f + 0.16f * loose) * r[2];
    b->upright = b->upright > 1.05f ? 1.05f : b->upright;
}

/* How far a block has moved, 0..1: rock is broken in places, and more so in thin beds. */
static float looseness(const struct cliff_bed *bed, const struct cliff_site *site, float u) {
    float t = (site->broken - bed->sound) * 2.5f + 0.5f * (u - 0.5f);
    return t < 0 ? 0 : t > 1 ? 1 : t;
}

/* The face, the block's own or its pillar's. True: the pillar's. */
static bool take_face(const struct cliff_field *f, const struct cliff_node *n, float loose,
                      struct cliff_block *b) {
    const struct cliff_bed *bed = &f->beds[b->bed];
    struct cliff_block other = {.bed = b->bed}; /* u, v: one play of the lean for all of a bed */
    double place[2];
    if (loose > 0.3f || !leader(f, b, place)) {
        own_face(f, n, loose, b);
        return false;
    }
    struct cliff_node there;
    cliff_node_at(f, place[0], place[1], &there);
    other.x = place[0];
    other.y = place[1];
    own_face(f, &there, 0, &other);
    b->height = other.height + other.east * (float)(b->x - other.x) + other.north * (float)(b->y - other.y);
    b->east = other.east;
    b->north = other.north;
    b->cosine = other.cosine;
    float play = hash_unit(hash_place(bed->seed, SALT_BLOCK, b->u, b->v, 2)) - 0.5f;
    b->push_m = other.push_m + (0.25f + 0.6f * loose) * play;
    b->upright = other.upright;
    return true;
}

static void make_block(struct cliff_field *f, struct cliff_block *b) {
    const struct cliff_bed *bed = &f->beds[b->bed];
    double place[2];
    place_of(bed, b->u, b->v, place);
    b->x = place[0];
    b->y = place[1];
    struct cliff_site site;
    cliff_site_at(f, b->x, b->y, &site);
    if (site.wide <= 0 && site.soft <= 0)
        return; /* far from all rock */
    struct cliff_node n;
    cliff_node_at(f, b->x, b->y, &n);
    b->exists = wanted(bed, b->u, b->v, &site) && grounded(f, b, &n);
    b->thin = !b->exists;
    float u[8];
    for (uint32_t k = 0; k < 8; k++)
        u[k] = hash_unit(hash_place(bed->seed, SALT_BLOCK, b->u, b->v, 8 + k));
    float loose = looseness(bed, &site, u[7]);
    bool flush = take_face(f, &n, loose, b);
    if (u[6] < 0.03f || u[6] > 1 - 0.06f * loose) /* niches, and what stands out */
        b->push_m += u[6] < 0.05f ? -0.7f - 0.8f * u[7] : 0.5f + 0.6f * u[7];
    b->push_m *= at_rim(&site);
    if (b->thin) /* bedded cover of steep ground that carries no block */
        b->push_m = 0.3f + 0.35f * u[7];
    b->push_m = b->push_m < push_least_m ? push_least_m : b->push_m > push_most_m ? push_most_m : b->push_m;
    chip(bed, u, flush, b);
}

/* ---- the table ---- */

bool cliff_blocks_make(struct cliff_field *f) {
    f->block_room = BLOCKS_FIRST;
    f->slot_count = 2 * BLOCKS_FIRST;
    f->blocks = arena_alloc(f->scratch, BLOCKS_FIRST, sizeof *f->blocks);
    f->slots = arena_alloc(f->scratch, f->slot_count, sizeof *f->slots);
    if (!f->blocks || !f->slots)
        return false;
    memset(f->slots, 0, f->slot_count * sizeof *f->slots);
    return true;
}

static uint32_t slot_of(int32_t bed, int32_t u, int32_t v, uint32_t slots) {
    uint64_t h = hash_mix((((uint64_t)(uint32_t)u << 32) | (uint32_t)v) +
                          (uint64_t)(uint32_t)bed * 0x9e3779b97f4a7c15u);
    return (uint32_t)h & (slots - 1);
}

static bool grow(struct cliff_field *f) {
    struct cliff_block *blocks = arena_alloc(f->scratch, 2 * (size_t)f->block_room, sizeof *blocks);
    uint32_t slot_count = 2 * f->slot_count;
    int32_t *slots = arena_alloc(f->scratch, slot_count, sizeof *slots);
    if (!blocks || !slots)
        return false;
    memcpy(blocks, f->blocks, (size_t)f->block_count * sizeof *blocks);
    memset(slots, 0, slot_count * sizeof *slots);
    for (int32_t i = 0; i < f->block_count; i++) {
        uint32_t at = slot_of(blocks[i].bed, blocks[i].u, blocks[i].v, slot_count);
        while (slots[at])
            at = (at + 1) & (slot_count - 1);
        slots[at] = i + 1;
    }
    f->blocks = blocks;
    f->block_room *= 2;
    f->slots = slots;
    f->slot_count = slot_count;
    return true;
}

int32_t cliff_block_at(struct cliff_field *f, int32_t bed, double x, double y) {
    struct nearest n = find_nearest(&f->beds[bed], x, y, false);
    uint32_t at = slot_of(bed, n.u, n.v, f->slot_count);
    for (; f->slots[at]; at = (at + 1) & (f->slot_count - 1)) {
        const struct cliff_block *b = &f->blocks[f->slots[at] - 1];
        if (b->bed == bed && b->u == n.u && b->v == n.v)
            return f->slots[at] - 1;
    }
    if (f->block_count == f->block_room) {
        if (!grow(f)) {
            f->full = true;
            return 0;
        }
        return cliff_block_at(f, bed, x, y);
    }
    struct cliff_block *b = &f->blocks[f->block_count++];
    *b = (struct cliff_block){.bed = bed, .u = n.u, .v = n.v};
    make_block(f, b);
    f->slots[at] = f->block_count;
    return f->block_count - 1;
}
