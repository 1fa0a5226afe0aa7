#include "terrain/flow_fill_world.h"

#include "terrain/flow_fill.h"
#include "terrain/flow_graph.h"

struct fill_node_section {
    struct flow_section at;
    struct flow_fill_summary sum;
    int32_t first; /* node of label 0 */
};

struct edge_list {
    struct flow_edge *edges;
    size_t count;
};

static size_t most_edges(const struct fill_node_section *s) {
    /* spills, outlets, three neighbours for each cell of the east and north sides, two corners */
    return (size_t)s->sum.spills + (size_t)s->sum.perimeter +
           3 * ((size_t)s->at.width + (size_t)s->at.height) + 2;
}

/* Cells come along a border: an edge between the same nodes as the last one is merged with it. */
static void add(struct edge_list *list, int32_t a, int32_t b, int32_t level) {
    struct flow_edge *last = list->count ? &list->edges[list->count - 1] : NULL;
    if (last && last->a == a && last->b == b)
        last->level = level < last->level ? level : last->level;
    else
        list->edges[list->count++] = (struct flow_edge){a, b, level};
}

/* The edge between perimeter cells of two sections (world coordinates). */
static void cross(struct edge_list *list, const struct fill_node_section *s, int32_t sx, int32_t sy,
                  const struct fill_node_section *t, int32_t tx, int32_t ty) {
    int32_t p = flow_perimeter_index(s->at.width, s->at.height, sx - s->at.x0, sy - s->at.y0);
    int32_t q = flow_perimeter_index(t->at.width, t->at.height, tx - t->at.x0, ty - t->at.y0);
    int32_t z = s->sum.height[p], u = t->sum.height[q];
    add(list, s->first + s->sum.label[p], t->first + t->sum.label[q], z > u ? z : u);
}

static void cross_east(struct edge_list *list, const struct fill_node_section *s,
                       const struct fill_node_section *t) {
    int32_t x = t->at.x0, y0 = s->at.y0, y1 = y0 + s->at.height;
    for (int32_t y = y0; y < y1; y++)
        for (int32_t v = y > y0 ? y - 1 : y; v <= y + 1 && v < y1; v++)
            cross(list, s, x - 1, y, t, x, v);
}

static void cross_north(struct edge_list *list, const struct fill_node_section *s,
                        const struct fill_node_section *t) {
    int32_t y = t->at.y0, x0 = s->at.x0, x1 = x0 + s->at.width;
    for (int32_t x = x0; x < x1; x++)
        for (int32_t u = x > x0 ? x - 1 : x; u <= x + 1 && u < x1; u++)
            cross(list, s, x, y - 1, t, u, y);
}

static void inside(struct edge_list *list, const struct flow_layout *layout,
                   const struct fill_node_section *s) {
    for (int32_t i = 0; i < s->sum.spills; i++) {
        const int32_t *e = s->sum.spill + 3 * i;
        add(list, s->first + e[0], s->first + e[1], e[2]);
    }
    for (int32_t p = 0; p < s->sum.perimeter; p++) {
        int32_t x, y;
        flow_perimeter_cell(s->at.width, s->at.height, p, &x, &y);
        if (flow_on_edge(layout, s->at.x0 + x, s->at.y0 + y))
            add(list, s->first + s->sum.label[p], -1, s->sum.height[p]);
    }
}

static void edges_of(struct edge_list *list, const struct flow_layout *layout,
                     const struct fill_node_section *all, int32_t i, int32_t j) {
    int32_t columns = flow_columns(layout), rows = flow_rows(layout);
    const struct fill_node_section *s = all + (ptrdiff_t)j * columns + i;
    inside(list, layout, s);
    int32_t x0 = s->at.x0, x1 = x0 + s->at.width, y1 = s->at.y0 + s->at.height;
    if (i + 1 < columns)
        cross_east(list, s, s + 1);
    if (j + 1 < rows)
        cross_north(list, s, s + columns);
    if (i + 1 < columns && j + 1 < rows)
        cross(list, s, x1 - 1, y1 - 1, s + columns + 1, x1, y1);
    if (i > 0 && j + 1 < rows)
        cross(list, s, x0, y1 - 1, s + columns - 1, x0 - 1, y1);
}

static enum status read_all(const struct flow_layout *layout, const struct flow_record *summaries,
                            struct fill_node_section *all, size_t *nodes, size_t *edges, struct error *err) {
    int32_t columns = flow_columns(layout), rows = flow_rows(layout);
    *nodes = *edges = 0;
    for (int32_t j = 0; j < rows; j++)
        for (int32_t i = 0; i < columns; i++) {
            struct fill_node_section *s = all + (ptrdiff_t)j * columns + i;
            s->at = flow_section_of(layout, i, j);
            enum status status =
                flow_fill_summary_read(summaries[(ptrdiff_t)j * columns + i],
                                       flow_perimeter_count(s->at.width, s->at.height), &s->sum, err);
            if (status != STATUS_OK)
                return error_context(err, "section %d,%d", flow_floor_div(s->at.x0, layout->side),
                                     flow_floor_div(s->at.y0, layout->side));
            s->first = (int32_t)*nodes;
            *nodes += (size_t)s->sum.labels;
            *edges += most_edges(s);
            if (*edges > INT32_MAX)
                return error_set(err, STATUS_LIMIT, "the world has too many sections for filling");
        }
    return STATUS_OK;
}

enum status terrain_fill_world(const struct flow_layout *layout, const struct flow_record *summaries,
                               struct flow_record *levels, struct arena *arena, struct error *err) {
    int32_t columns = flow_columns(layout), rows = flow_rows(layout);
    size_t sections = (size_t)columns * (size_t)rows, nodes, room;
    struct fill_node_section *all = arena_alloc(arena, sections, sizeof *all);
    if (!all)
        return error_set(err, STATUS_LIMIT, "out of memory for filling %zu sections", sections);
    enum status status = read_all(layout, summaries, all, &nodes, &room, err);
    if (status != STATUS_OK)
        return status;
    struct edge_list list = {arena_alloc(arena, room, sizeof *list.edges), 0};
    if (!list.edges)
        return error_set(err, STATUS_LIMIT, "out of memory for filling %zu sections", sections);
    for (int32_t j = 0; j < rows; j++)
        for (int32_t i = 0; i < columns; i++)
            edges_of(&list, layout, all, i, j);
    struct flow_flood flood;
    status = flow_flood((int32_t)nodes, list.edges, (int32_t)list.count, &flood, arena, err);
    if (status != STATUS_OK)
        return status;
    for (size_t k = 0; k < sections; k++)
        levels[k] =
            (struct flow_record){flood.level + all[k].first, (size_t)all[k].sum.labels * sizeof(int32_t)};
    return STATUS_OK;
}
