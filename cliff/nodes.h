/* Owns what the rock's field reads of the ground: one record at each node of the surface's lattice in plan,
 * between which everything is bilinear. So a value at a place depends on world-aligned nodes alone, never on
 * the window. */
#ifndef CLIFF_NODES_H
#define CLIFF_NODES_H
#include "cliff/displace.h"
#include "cliff/strata.h"
#include "terrain/grid.h"

struct cliff_params {
    double cell_m;   /* [m] > 0: of the ground and the masks */
    bool posts;      /* ground is sampled on cell corners */
    double step_m;   /* [m] 0.25..4, 1: lattice in plan; a sector is a whole number of steps */
    double step_z_m; /* [m] 0.25..2, 0.5: lattice in height */
    double soft_m;   /* [m] 0..16, 0: how far from steep ground single blocks stand, fewer and fewer */
    uint64_t seed;
    struct strata_frame frames[STRATA_PRESETS];
    int32_t image_count;
    struct cliff_image images[CLIFF_IMAGES_MAX];
};

struct cliff_node {
    float ground; /* [m] height */
    float rough;  /* [m] how far the ground itself is from what is between the nodes, at most */
    float smooth; /* [m] height, Gaussian of 2 m */
    float east;   /* rise of smooth per metre */
    float north;  /* the same */
    float fold;   /* [m] added to the bed coordinate */
    float cleft;  /* [m] how deep master joints and flutes lie behind the face */
    float worn;   /* 0..1: how far the tops of beds are worn and debris lies at their feet */
    float over;   /* [m] how high rock may stand above smooth */
    float cover;  /* 0..1: above a half where the ground must not be seen */
    float closed; /* 0..1: above a half where no rock may be */
};
/* What blocks are decided by, at their sites. */
struct cliff_site {
    float mask;   /* 0..1: share of rock within 2 m, grown 2.5 m downhill */
    float wide;   /* 0..1: the same within 7 m */
    float soft;   /* 0..1: the same within params.soft_m */
    float broken; /* 0..1: how fractured the rock is */
};

enum { NODE_KNOWN = 1, NODE_NEAR = 2 };

/* Node (i, j) lies at i * step_m, j * step_m. */
struct cliff_nodes {
    struct cliff_node *nodes;
    struct cliff_site *sites;
    uint8_t *preset; /* 0..STRATA_PRESETS - 1 */
    uint8_t *near; /* NODE_NEAR + metres to steep ground at least; NODE_KNOWN: too far for rock, made for its
                      neighbours; 0: not made */
    int32_t x0, y0, width, height;
};
/* How far, in metres, a block's site may lie from a point of the block. */
static const double CLIFF_SITE_M = 14.0;
enum { CLIFF_RIM = 3 }; /* columns around its window that a surface is made of, and what holds them */
/* How far, in metres, a block's site may lie from that of the block whose face it takes. */
static const double CLIFF_PANEL_M = 20.0;

/* Master joints divide the rock in pillars, cells of a Voronoi diagram in plan, alike for all beds. */
struct cliff_pillar {
    double x, y;    /* [m] its site */
    double joint_m; /* [m] from the place to the joint */
    uint64_t hash;  /* the pillar's */
    uint64_t joint; /* the joint's, from both sides the same */
};
struct cliff_pillar cliff_pillar_at(uint64_t seed, double x, double y);

/* Nodes beyond a window of the surface, for the field. */
int32_t cliff_nodes_margin(const struct cliff_params *params);
/* How far from steep ground a point of the rock can be [m]. */
double cliff_run_over(const struct cliff_params *params);
/* Cells that ground, steep, closed and strata must reach beyond the surface's cells. */
int32_t cliff_nodes_reach(const struct cliff_params *params);

struct cliff_masks {
    const struct grid_u8 *steep, *closed, *strata;
};

/* ground [m], finite; steep: not 0 where rock shall be; closed: not 0 where none may be, or NULL (nowhere);
 * strata: preset of each cell, or NULL (all 0). Fills nodes x0..y1 of `window`. Ground and masks reach at
 * least 10 m beyond it, steep so far as cliff_nodes_reach says. False: too little scratch. */
bool cliff_nodes_make(const struct cliff_params *params, const struct grid_f32 *ground,
                      const struct cliff_masks *masks, const int32_t window[4], struct arena *scratch,
                      struct cliff_nodes *out);

#endif
