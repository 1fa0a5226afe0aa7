/* The parts of water_stream_lines: the graph of all cells that carry enough, and the ways through flats. Only
 * stream_*.c include it. */
#ifndef WATER_STREAM_OWN_H
#define WATER_STREAM_OWN_H
#include "water/stream.h"

enum { NODE_NONE = -1 };

/* A cell of the records, or (from cell_count on) a flat. */
struct stream_node {
    uint64_t area, passed; /* cells; of them carried by what is drawn */
    int32_t down;          /* NODE_NONE: out of the world */
    int32_t main;          /* the stream that goes on here, NODE_NONE */
    bool active;           /* a stream is drawn here */
    bool joint;            /* a line ends here: a point of the line through it */
    double x, y;           /* of its line, meaned; flats: none */
};

struct stream_flat {
    int32_t x0, y0, x1, y1;   /* half open */
    int32_t mouth_x, mouth_y; /* the cell of it from which all of it flows */
    uint64_t size;
    bool open, cut;                  /* no mouth is known yet; section borders cut it */
    bool beside, lake, wide;         /* a drawn line in it; a lake or an end; too large to cross */
    uint32_t first_run, run_count;   /* of flat_runs */
    uint32_t first_path, path_count; /* of paths: one for each inlet, the largest first */
};

/* From an inlet over a flat: cells from the first in the flat to where it ends: at the mouth, at a cell of an
 * earlier path (joint_path >= 0), or at drawn water (drawn: its cell, or NODE_NONE inside a lake). */
struct stream_path {
    int32_t inlet;
    uint32_t count;
    int32_t *cells; /* x, y each */
    double *xy;     /* meaned */
    bool *joint;
    int32_t joint_path, drawn;
    uint32_t joint_at;
    bool ends_drawn;
};

struct stream_section {
    const struct stream_cell *cells;
    const struct stream_run *runs;
    uint32_t cell_count, run_count, first_cell, first_run;
};

struct stream_graph {
    const struct flow_layout *layout;
    double cell_m;
    uint64_t least;
    struct stream_section *sections;
    int32_t columns, rows;
    uint32_t cell_count, run_count, flat_count, path_count;
    const struct stream_cell **cells; /* all, section by section */
    const struct stream_run **runs;
    struct stream_node *nodes; /* cells, then flats */
    struct stream_flat *flats;
    uint32_t *flat_of_run, *flat_runs;
    struct stream_path *paths;
    int32_t *path_of_inlet; /* a cell each */
};

int32_t stream_find_cell(const struct stream_graph *g, int32_t x, int32_t y); /* NODE_NONE: none */
int32_t stream_find_run(const struct stream_graph *g, int32_t x, int32_t y);
static inline bool stream_is_flat(const struct stream_graph *g, int32_t node) {
    return node >= (int32_t)g->cell_count;
}
static inline struct stream_flat *stream_flat_at(const struct stream_graph *g, int32_t node) {
    return &g->flats[node - (int32_t)g->cell_count];
}
/* Whether a stream goes on below the flat as the one that came in. */
static inline bool stream_runs_through(const struct stream_flat *f) {
    return !f->beside && !f->lake && !f->wide;
}
/* Whether node a goes on where both meet. */
bool stream_before(const struct stream_graph *g, int32_t a, int32_t b);

enum status stream_graph_make(struct stream_graph *g, const struct flow_record *records, struct arena *arena,
                              struct error *err);
enum status stream_cross_flats(struct stream_graph *g, struct arena *arena, struct error *err);

#endif
