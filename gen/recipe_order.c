#include "gen/recipe_order.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "mask_forest" of "distance.mask_forest" as well; "age_oak". NULL: no species writes such a layer. */
static const char *written_name(const char *layer) {
    static const char distance[] = "distance.";
    const char *name =
        strncmp(layer, distance, sizeof distance - 1) == 0 ? layer + sizeof distance - 1 : layer;
    return strncmp(name, "mask_", 5) == 0 || strncmp(layer, "age_", 4) == 0 ? name : NULL;
}

static bool is_age(const char *layer) {
    return strncmp(layer, "age_", 4) == 0;
}

bool recipe_is_written(const char *layer) {
    return written_name(layer) != NULL;
}

static bool writes(const struct recipe *recipe, const struct recipe_species *w, const char *layer) {
    const char *name = written_name(layer);
    if (name && is_age(name))
        return w->age.max_m > 0.0f && strcmp(w->name, name + 4) == 0;
    for (int32_t i = 0; name && i < w->write_count; i++)
        if (w->writes[i].kind == WRITE_MASK && strcmp(recipe->masks[w->writes[i].mask], name + 5) == 0)
            return true;
    return false;
}

/* Whether what a step of a reader's stack names may not be read yet. Ages follow from viability alone,
 * whoever stands: those of earlier species of the same priority are there, and one's own where densities are
 * asked. */
static bool is_early(const struct recipe_species *reader, const struct recipe_species *writer,
                     const char *layer, bool of_density) {
    if (writer->priority != reader->priority || !is_age(layer))
        return writer->priority <= reader->priority;
    return writer == reader ? !of_density : writer > reader;
}

/* The first such step of a stack; -1: none. early: only what may not be read yet. */
static int32_t find_read(const struct recipe *recipe, int32_t first, int32_t end,
                         const struct recipe_species *reader, const struct recipe_species *writer, bool early,
                         bool of_density) {
    for (int32_t k = first; k < end; k++) {
        const struct recipe_step *step = &recipe->steps[k];
        if (step->kind != STEP_LAYER || step->layer < 0)
            continue;
        const char *layer = recipe->layers[step->layer];
        if (writes(recipe, writer, layer) && (!early || is_early(reader, writer, layer, of_density)))
            return k;
    }
    return -1;
}

/* The first step by which `reader` reads what `writer` writes, for where it stands and for its masks; -1:
 * none. What it does to the ground nobody reads: there it may read all. */
static int32_t reads_from(const struct recipe *recipe, const struct recipe_species *reader,
                          const struct recipe_species *writer, bool early) {
    int32_t k = find_read(recipe, reader->step_first, reader->step_end, reader, writer, early, false);
    if (k < 0)
        k = find_read(recipe, reader->density_step_first, reader->density_step_end, reader, writer, early,
                      true);
    for (int32_t i = 0; k < 0 && i < reader->write_count; i++) {
        const struct recipe_write *w = &reader->writes[i];
        if (w->kind == WRITE_MASK)
            k = find_read(recipe, w->step_first, w->step_end, reader, writer, early, true);
    }
    return k;
}

/* ---- chains ---- */

struct chain {
    char text[512];
    size_t size;
};

static void chain_add(struct chain *c, const struct recipe *recipe, int32_t reader, int32_t step,
                      int32_t writer) {
    int n = snprintf(c->text + c->size, sizeof c->text - c->size, "%s'%s' reads %s of '%s'",
                     c->size ? ", " : "", recipe->species[reader].name,
                     recipe->layers[recipe->steps[step].layer], recipe->species[writer].name);
    size_t more = n > 0 ? (size_t)n : 0, left = sizeof c->text - 1 - c->size;
    c->size += more < left ? more : left;
}

/* The shortest way by which species `from` reads, over others, what `to` writes. parent[] has one entry a
 * species. False: there is none. */
static bool find_chain(const struct recipe *recipe, int32_t from, int32_t to, int32_t *parent,
                       int32_t *queue) {
    int32_t head = 0, tail = 0;
    for (int32_t i = 0; i < recipe->species_count; i++)
        parent[i] = -1;
    queue[tail++] = from;
    parent[from] = from;
    while (head < tail) {
        int32_t at = queue[head++];
        for (int32_t next = 0; next < recipe->species_count; next++) {
            if (parent[next] >= 0 ||
                reads_from(recipe, &recipe->species[at], &recipe->species[next], false) < 0)
                continue;
            parent[next] = at;
            if (next == to)
                return true;
            queue[tail++] = next;
        }
    }
    return false;
}

/* "'a' reads mask_m of 'b', 'b' reads mask_n of 'a'": nothing when b does not wait for a. */
static void describe_chain(const struct recipe *recipe, int32_t reader, int32_t step, int32_t writer,
                           struct chain *c) {
    int32_t *parent = malloc(2 * (size_t)recipe->species_count * sizeof *parent);
    c->size = 0;
    c->text[0] = '\0';
    if (parent && find_chain(recipe, writer, reader, parent, parent + recipe->species_count)) {
        int32_t *way = parent + recipe->species_count, count = 0;
        for (int32_t at = reader; at != writer; at = parent[at])
            way[count++] = at;
        chain_add(c, recipe, reader, step, writer);
        for (int32_t at = writer; count > 0; at = way[count]) {
            int32_t next = way[--count];
            chain_add(c, recipe, at, reads_from(recipe, &recipe->species[at], &recipe->species[next], false),
                      next);
        }
    }
    free(parent);
}

/* ---- the check ---- */

static void complain(struct recipe_reading *r, int32_t reader, int32_t step, int32_t writer) {
    const struct recipe *recipe = r->recipe;
    const struct recipe_species *s = &recipe->species[reader], *w = &recipe->species[writer];
    const char *layer = recipe->layers[recipe->steps[step].layer];
    struct chain chain;
    describe_chain(recipe, reader, step, writer, &chain);
    if (s == w) {
        report_add(r->report, REPORT_ERROR, STATUS_INPUT, recipe->files[recipe->steps[step].file],
                   recipe->steps[step].line, recipe->steps[step].column,
                   "species '%s' reads %s, which it writes itself", s->name, layer);
        return;
    }
    const char *why = w->priority < s->priority ? " later"
                      : is_age(layer)           ? ": it stands later in the recipe"
                                                : ": it could displace what it reads";
    report_add(r->report, REPORT_ERROR, STATUS_INPUT, recipe->files[recipe->steps[step].file],
               recipe->steps[step].line, recipe->steps[step].column,
               "species '%s' (priority %d) reads %s, which '%s' (priority %d) writes%s%s%s", s->name,
               (int)s->priority, layer, w->name, (int)w->priority, why,
               chain.size      ? "; they wait for each other: "
               : is_age(layer) ? ""
                               : "; a reader needs a lower priority than every writer",
               chain.text);
}

/* What is read too early: one message for each mask or age, however many read it or write it. */
struct early {
    const char *name;
    size_t item, count; /* of the report; pairs of a reader and a writer */
};
enum { EARLY_MAX = 64 };

static struct early *find_early(struct early *all, size_t *count, const char *name) {
    size_t i = 0;
    while (i < *count && strcmp(all[i].name, name) != 0)
        i++;
    if (i == EARLY_MAX)
        return NULL;
    if (i == *count)
        all[(*count)++] = (struct early){.name = name};
    return &all[i];
}

void recipe_check_order(struct recipe_reading *r) {
    const struct recipe *recipe = r->recipe;
    struct early all[EARLY_MAX];
    size_t count = 0;
    for (int32_t s = 0; s < recipe->species_count; s++)
        for (int32_t w = 0; w < recipe->species_count; w++) {
            int32_t step = reads_from(recipe, &recipe->species[s], &recipe->species[w], true);
            if (step < 0)
                continue;
            struct early *e =
                find_early(all, &count, written_name(recipe->layers[recipe->steps[step].layer]));
            if (e && e->count++ == 0) {
                e->item = r->report->count;
                complain(r, s, step, w);
            }
        }
    for (size_t i = 0; i < count; i++)
        if (all[i].count > 1)
            report_extend(r->report, all[i].item, " (and %zu more of who reads and who writes it)",
                          all[i].count - 1);
}
