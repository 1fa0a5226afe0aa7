#include "cmd/explain_print.h"
#include "cmd/print.h"

#include "biome/show.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- shared with explain_json.c ---- */

int32_t explain_main(const struct recipe *recipe, int32_t biome) {
    return biome >= 0 && recipe->biomes[biome].parent >= 0 ? recipe->biomes[biome].parent : biome;
}

int32_t explain_home(const struct explain *e, int32_t *main_biome) {
    int32_t wide = e->cells.x1 - e->cells.x0;
    int32_t home = e->recipe->biome_by_id[e->homes[(e->y - e->cells.y0) * wide + (e->x - e->cells.x0)]];
    *main_biome = explain_main(e->recipe, home);
    return home;
}

size_t explain_near_count(const struct explain *e, int32_t tier) {
    const struct explain_tier *t = &e->tiers[tier];
    size_t count = 0;
    for (size_t i = 0; i < t->count; i++) {
        double dx = t->items[i].c.x_q / 1024.0 - e->x_m, dy = t->items[i].c.y_q / 1024.0 - e->y_m;
        count += t->items[i].state == RIVAL_STANDS && dx * dx + dy * dy < EXPLAIN_AROUND_M * EXPLAIN_AROUND_M;
    }
    return count;
}

const char *explain_asset(const struct explain *e, const struct biome_candidate *c) {
    const struct recipe_size *size = &candidate_species(e->recipe, c)->sizes[c->size];
    int32_t variation = biome_show(e->recipe, c, 0.0f).variation; /* whatever the tint is */
    return variation < 0 ? size->asset : e->recipe->variations[size->variation_first + variation].asset;
}

const char *explain_step_name(const struct recipe *recipe, const struct recipe_step *step) {
    return step->kind == STEP_LAYER   ? recipe->layers[step->layer]
           : step->kind == STEP_VALUE ? "value"
                                      : "group";
}

/* ---- rules ---- */

/* "slope 12.3 (wants 0 to 35)" for each criterion. */
static void print_criteria(const struct explain *e, const struct recipe_rule *rule) {
    for (int32_t k = rule->step_first; k < rule->step_end; k++) {
        const struct recipe_step *step = &e->recipe->steps[k];
        double low = (double)step->ramp[1], high = (double)step->ramp[2];
        print_out("%s%s %.4g, wants ", k > rule->step_first ? "; " : "", e->recipe->layers[step->layer],
                  (double)explain_value(e, step->layer, e->x, e->y));
        if (step->circular)
            print_out("within %.4g of %.4g", high, (double)step->ramp_middle);
        else if (isinf(low))
            print_out("%.4g or less", high);
        else if (isinf(high))
            print_out("%.4g or more", low);
        else
            print_out("%.4g to %.4g", low, high);
    }
    if (rule->criteria == 0)
        print_out("no criteria");
}

void explain_print_rules(const struct explain *e) {
    const struct recipe *recipe = e->recipe;
    struct explain_rule rules[64];
    int32_t main_biome, home = explain_home(e, &main_biome);
    bool painted;
    if (home < 0) {
        print_out("biome: none, something was placed here by hand, or the bare rock of a cliff lies here\n");
        return;
    }
    size_t count = explain_rules(e, main_biome, home, rules, 64, &painted);
    print_out("biome: %s", recipe->biomes[main_biome].name);
    if (home != main_biome)
        print_out(", zone %s%s", recipe->biomes[home].name, painted ? ", which is painted" : "");
    print_out("\n");
    for (size_t i = 0; i < count && i < 64; i++) {
        const struct explain_rule *r = &rules[i];
        print_out("  rule of %s (%s:%" PRId32 "): ", recipe->biomes[r->rule->zone].name,
                  recipe->files[r->rule->file], r->rule->line);
        print_criteria(e, r->rule);
        print_out(": %s%s\n", r->holds ? "holds" : "does not hold",
                  r->wins                            ? ", wins"
                  : r->best && home == main_biome    ? ""
                  : r->best && !painted              ? ", as strong, but the patch here is another zone's"
                  : r->holds && (painted || r->best) ? ", but the zone is painted"
                  : r->holds                         ? ", but another is stronger"
                                                     : "");
    }
}

/* ---- candidates ---- */

static void print_plant(const struct explain *e, const struct biome_candidate *c) {
    const struct recipe_species *s = candidate_species(e->recipe, c);
    print_out("%s %.3g m high (%016" PRIx64 ")", s->name, (double)biome_height_m(e->recipe, c), c->id);
}

static void print_fate(const struct explain *e, const struct explain_one *one, int indent, int depth);

/* Those that would have struck it out, had they not been out themselves. */
static void print_saved(const struct explain *e, const struct explain_one *one, int indent, int depth) {
    struct explain_rival rivals[EXPLAIN_SHOWN];
    size_t count = explain_rivals(e, one, true, rivals, EXPLAIN_SHOWN);
    for (size_t i = 0; i < count && i < EXPLAIN_SHOWN; i++) {
        print_out("%*sstronger, but out before: ", indent, "");
        print_plant(e, &rivals[i].one->c);
        print_out(", %.2f m away, nearer than %.2f m\n", rivals[i].distance_m, rivals[i].radius_m);
        if (depth < EXPLAIN_CHAIN)
            print_fate(e, rivals[i].one, indent + 2, depth + 1);
    }
    if (count > EXPLAIN_SHOWN)
        print_out("%*sand %zu more\n", indent, "", count - EXPLAIN_SHOWN);
}

/* What became of a candidate, and of who decided it. */
static void print_fate(const struct explain *e, const struct explain_one *one, int indent, int depth) {
    struct explain_rival by;
    if (one->state == RIVAL_UNDECIDED) {
        print_out("%*sno round of competition settled it: it was dropped\n", indent, "");
    } else if (one->state == RIVAL_STANDS) {
        print_out("%*sstands since round %d\n", indent, "", one->round);
        print_saved(e, one, indent + 2, depth);
    } else if (!explain_beaten_by(e, one, &by)) {
        print_out("%*sout in round %d\n", indent, "", one->round);
    } else {
        print_out("%*s%s ", indent, "", one->round == 0 ? "cleared by" : "struck out by");
        print_plant(e, &by.one->c);
        print_out(", %.2f m away, nearer than %.2f m", by.distance_m, by.radius_m);
        if (one->round > 0)
            print_out(", in round %d (rank %.4g against %.4g)", one->round, (double)by.one->c.rank,
                      (double)one->c.rank);
        print_out("\n");
        if (depth < EXPLAIN_CHAIN && by.one->round > 1)
            print_fate(e, by.one, indent + 2, depth + 1);
    }
}

/* ---- what stands near ---- */

void explain_print_near(const struct explain *e) {
    print_out("near:\n");
    double area_ha = 3.14159265 * EXPLAIN_AROUND_M * EXPLAIN_AROUND_M / 10000.0;
    for (int32_t t = 0; t < e->recipe->tier_count; t++) {
        const struct explain_tier *tier = &e->tiers[t];
        size_t count = explain_near_count(e, t), shown = 0;
        print_out("  priority %" PRId32 ": %zu stand within %d m, %.0f a hectare\n",
                  e->recipe->tiers[t].priority, count, EXPLAIN_AROUND_M, (double)count / area_ha);
        for (size_t i = 0; i < tier->count && shown < EXPLAIN_SHOWN && shown < count; i++) {
            if (tier->items[i].state != RIVAL_STANDS)
                continue;
            double dx = tier->items[i].c.x_q / 1024.0 - e->x_m, dy = tier->items[i].c.y_q / 1024.0 - e->y_m;
            print_out("    ");
            print_plant(e, &tier->items[i].c);
            print_out(", %.2f m away\n", sqrt(dx * dx + dy * dy));
            shown++;
        }
        if (count > shown)
            print_out("    and %zu more\n", count - shown);
    }
}

/* ---- lattice cells ---- */

static void print_draw(const struct explain *e, int32_t tier, const struct biome_story *story) {
    const struct recipe *recipe = e->recipe;
    if (story->biome < 0) {
        print_out("nothing lives there\n");
    } else if (story->winner < 0) {
        print_out("no species of this priority likes it there (%s)\n", recipe->biomes[story->biome].name);
    } else {
        const struct recipe_species *s = &recipe->species[recipe->tiers[tier].species[story->winner]];
        print_out("%s won the draw of %" PRId32 " species; its density %s (drawn %.3f, chance %.3f)\n",
                  s->name, story->drew, story->kept ? "keeps it" : "drops it", (double)story->hash,
                  story->chance);
    }
}

void explain_print_tiers(const struct explain *e) {
    int32_t x_q = (int32_t)floor(e->x_m * 1024.0), y_q = (int32_t)floor(e->y_m * 1024.0);
    print_out("this spot:\n");
    for (int32_t t = 0; t < e->recipe->tier_count; t++) {
        struct biome_story story;
        if (explain_story(e, t, x_q, y_q, -1, &story, NULL) != STATUS_OK)
            continue;
        print_out("  priority %" PRId32 ": its candidate is at %.2f,%.2f: ", e->recipe->tiers[t].priority,
                  story.x_q / 1024.0, story.y_q / 1024.0);
        print_draw(e, t, &story);
        const struct explain_one *one = story.kept ? explain_find(e, t, story.candidate.id) : NULL;
        if (one)
            print_fate(e, one, 4, 0);
    }
}

/* ---- viability ---- */

static void print_step(const struct recipe *recipe, const struct biome_trace *t, int indent) {
    const struct recipe_step *step = &recipe->steps[t->step];
    print_out("%*s%-9s %-22s", indent + t->depth * 2, "", recipe_combine_names[step->combine],
              explain_step_name(recipe, step));
    print_out(" reads %-10.4g", (double)t->read);
    if (step->ranged || step->invert)
        print_out(" %s %.3f", step->invert ? "inverted" : "ramp", (double)t->ramp);
    const char *file = recipe->files[step->file], *slash = strrchr(file, '/');
    print_out(" gives %.3f -> %.3f   (%s:%" PRId32 ")\n", (double)t->given, (double)t->result,
              slash ? slash + 1 : file, step->line);
}

void explain_print_steps(const struct explain *e, const struct recipe_species *s, int32_t x, int32_t y,
                         int indent) {
    int32_t count = s->step_end - s->step_first;
    struct biome_trace *trace = calloc((size_t)count + 1, sizeof *trace);
    float v = trace ? explain_viability(e, s, x, y, trace) : -1.0f;
    print_out("%*sviability of %s: %.3f\n", indent, "", s->name, (double)v);
    for (int32_t i = 0; v >= 0.0f && i < count; i++)
        print_step(e->recipe, &trace[i], indent + 2);
    free(trace);
}

/* ---- why not ---- */

static void print_nearest(const struct explain *e, int32_t species) {
    const struct recipe_species *s = &e->recipe->species[species];
    const struct explain_tier *tier = &e->tiers[s->tier];
    for (size_t i = 0; i < tier->count; i++) {
        const struct explain_one *one = &tier->items[i];
        if (one->state != RIVAL_STANDS || candidate_species(e->recipe, &one->c) != s)
            continue;
        double dx = one->c.x_q / 1024.0 - e->x_m, dy = one->c.y_q / 1024.0 - e->y_m;
        print_out("the nearest that stands: ");
        print_plant(e, &one->c);
        print_out(", %.2f m away\n", sqrt(dx * dx + dy * dy));
        return;
    }
    print_out("none stands near\n");
}

/* "of 60 spots within 10 m: 52 density, 5 draw, 3 stands". */
static void print_around(const struct explain *e, int32_t species) {
    size_t counts[EXPLAIN_REASONS], sum = 0;
    if (explain_around(e, species, counts, NULL) != STATUS_OK)
        return;
    for (int k = 0; k < EXPLAIN_REASONS; k++)
        sum += counts[k];
    print_out("of %zu spots of this priority within %d m:", sum, EXPLAIN_AROUND_M);
    const char *comma = "";
    for (int k = 0; k < EXPLAIN_REASONS; k++)
        if (counts[k] > 0) {
            print_out("%s %s %zu", comma, explain_reason_names[k], counts[k]);
            comma = ",";
        }
    print_out("\n");
}

void explain_print_why_not(const struct explain *e, int32_t species, const struct explain_why *why) {
    explain_print_why(e, species, why);
    print_around(e, species);
    if (why->reason != EXPLAIN_STANDS)
        print_nearest(e, species);
}

void explain_print_why(const struct explain *e, int32_t species, const struct explain_why *why) {
    const struct recipe *recipe = e->recipe;
    const struct recipe_species *s = &recipe->species[species];
    const struct biome_story *story = &why->story;
    const char *name = s->name;
    if (!why->at_place)
        print_out("this spot's candidate is at %.2f,%.2f: ", story->x_q / 1024.0, story->y_q / 1024.0);
    switch (why->reason) {
    case EXPLAIN_OUTSIDE:
        print_out("that is beyond the world's edge\n");
        break;
    case EXPLAIN_PLACED:
        print_out("something was placed there by hand\n");
        break;
    case EXPLAIN_ROCK:
        print_out("the rock of a cliff lies there, and it is no ledge\n");
        break;
    case EXPLAIN_HOME:
        print_out("%s does not live in %s\n", name,
                  why->biome < 0 ? "nothing" : recipe->biomes[why->biome].name);
        break;
    case EXPLAIN_VIABILITY:
        print_out("the viability of %s is 0: %s brings it there (%s:%" PRId32 ")\n", name,
                  explain_step_name(recipe, &recipe->steps[why->step]),
                  recipe->files[recipe->steps[why->step].file], recipe->steps[why->step].line);
        explain_print_steps(e, s, why->at_place ? e->x : story->x, why->at_place ? e->y : story->y, 2);
        break;
    case EXPLAIN_DRAW:
        print_out("%s lost the draw to %s: %.4g against %.4g (viability %.3f against %.3f)\n", name,
                  recipe->species[recipe->tiers[s->tier].species[story->winner]].name,
                  (double)story->asked_key, (double)story->key, (double)story->asked_viability,
                  (double)story->candidate.viability);
        break;
    case EXPLAIN_DENSITY:
        print_out("%s won the draw, but its density drops it: drawn %.3f, chance %.3f\n", name,
                  (double)story->hash, story->chance);
        break;
    case EXPLAIN_STANDS:
        print_out("it stands: ");
        print_plant(e, &why->one->c);
        print_out("\n");
        print_fate(e, why->one, 2, 0);
        break;
    case EXPLAIN_CLEARED:
    case EXPLAIN_STRUCK:
    case EXPLAIN_UNDECIDED:
        print_out("%s was a candidate\n", name);
        if (why->one)
            print_fate(e, why->one, 2, 0);
        break;
    case EXPLAIN_REASONS:
        break;
    }
}

/* ---- a plant ---- */

static void print_size(const struct explain *e, const struct biome_candidate *c) {
    const struct recipe_species *s = candidate_species(e->recipe, c);
    float age = (float)c->age / 255.0f;
    print_out("size: class %d of %" PRId32 ", %s, from viability %.3f%s; scale %.3f, %.3g m high\n",
              (int)c->size + 1, s->size_count, explain_asset(e, c),
              (double)biome_size_value(s, c->viability, age), s->age.max_m > 0.0f ? " and age" : "",
              (double)c->scale, (double)biome_height_m(e->recipe, c));
    if (s->age.max_m > 0.0f)
        print_out("age: %.3f\n", (double)age);
    print_out("radii: %.2f m to its own priority, %.2f m to lower ones\n",
              biome_radius_q(e->recipe, c) / 1024.0, biome_priority_q(e->recipe, c) / 1024.0);
}

static void print_beaten(const struct explain *e, const struct explain_one *one) {
    struct explain_rival rivals[EXPLAIN_SHOWN];
    size_t count = explain_rivals(e, one, false, rivals, EXPLAIN_SHOWN);
    print_out("rivals struck out in round %d: %zu\n", one->round, count);
    for (size_t i = 0; i < count && i < EXPLAIN_SHOWN; i++) {
        print_out("  ");
        print_plant(e, &rivals[i].one->c);
        print_out(", %.2f m away, nearer than %.2f m (rank %.4g against %.4g)\n", rivals[i].distance_m,
                  rivals[i].radius_m, (double)rivals[i].one->c.rank, (double)one->c.rank);
    }
    if (count > EXPLAIN_SHOWN)
        print_out("  and %zu more\n", count - EXPLAIN_SHOWN);
}

void explain_print_entity(const struct explain *e, const struct explain_origin *origin,
                          const struct explain_why *why) {
    const struct recipe_species *s = &e->recipe->species[origin->species];
    const struct biome_story *story = &why->story;
    print_out("%s, priority %" PRId32 ", lattice cell %" PRId32 ",%" PRId32 " of %.3f m\n", s->name,
              s->priority, story->i, story->j, e->recipe->tiers[s->tier].cell_q / 1024.0);
    if (why->reason != EXPLAIN_STANDS) {
        print_out("it does not stand: ");
        explain_print_why(e, origin->species, why);
        return;
    }
    print_out("draw: ");
    print_draw(e, s->tier, story);
    explain_print_steps(e, s, story->x, story->y, 0);
    print_out("rank: %.4g\n", (double)why->one->c.rank);
    print_size(e, &why->one->c);
    if (e->found)
        print_out("entity: object %" PRIu32 " at %.3f,%.3f,%.3f, tint %d %d %d, turn %.3f %.3f %.3f %.3f\n",
                  e->entity.object_id, entity_metres(e->entity.x), entity_metres(e->entity.y),
                  entity_metres(e->entity.z), e->entity.r, e->entity.g, e->entity.b, (double)e->entity.qx,
                  (double)e->entity.qy, (double)e->entity.qz, (double)e->entity.qw);
    print_beaten(e, why->one);
    print_fate(e, why->one, 0, 0);
}
