#include "cmd/explain_print.h"
#include "gen/json_text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static json_t *id_json(uint64_t id) {
    char text[24];
    snprintf(text, sizeof text, "%016" PRIx64, id);
    return json_string(text);
}

static json_t *plant_json(const struct explain *e, const struct biome_candidate *c) {
    const struct recipe_species *s = candidate_species(e->recipe, c);
    return json_pack("{s:o, s:s, s:[f,f], s:f, s:f, s:f, s:f, s:i, s:s, s:f}", "id", id_json(c->id),
                     "species", s->name, "at_m", c->x_q / 1024.0, c->y_q / 1024.0, "viability",
                     number_of_float(c->viability), "rank", number_of_float(c->rank), "scale",
                     number_of_float(c->scale), "age", number_of_float((float)c->age / 255.0f), "size",
                     (int)c->size, "asset", explain_asset(e, c), "height_m",
                     number_of_float(biome_height_m(e->recipe, c)));
}

static json_t *fate_json(const struct explain *e, const struct explain_one *one, int depth);

static json_t *rival_json(const struct explain *e, const struct explain_rival *r, int depth) {
    json_t *object = plant_json(e, &r->one->c);
    json_object_set_new(object, "distance_m", json_real(r->distance_m));
    json_object_set_new(object, "radius_m", json_real(r->radius_m));
    if (depth < EXPLAIN_CHAIN)
        json_object_set_new(object, "fate", fate_json(e, r->one, depth + 1));
    return object;
}

static json_t *rivals_json(const struct explain *e, const struct explain_one *one, bool stronger, int depth) {
    struct explain_rival rivals[EXPLAIN_SHOWN];
    size_t count = explain_rivals(e, one, stronger, rivals, EXPLAIN_SHOWN);
    json_t *list = json_array();
    for (size_t i = 0; i < count && i < EXPLAIN_SHOWN; i++)
        json_array_append_new(list, rival_json(e, &rivals[i], stronger ? depth : EXPLAIN_CHAIN));
    return list;
}

/* state, round, and who decided it, as far back as EXPLAIN_CHAIN. */
static json_t *fate_json(const struct explain *e, const struct explain_one *one, int depth) {
    static const char *const states[] = {"undecided", "stands", "out"};
    struct explain_rival by;
    json_t *object = json_pack("{s:s, s:i}", "state", states[one->state], "round", (int)one->round);
    if (explain_beaten_by(e, one, &by))
        json_object_set_new(object, "by", rival_json(e, &by, depth));
    if (one->state == RIVAL_STANDS && depth < EXPLAIN_CHAIN)
        json_object_set_new(object, "stronger", rivals_json(e, one, true, depth + 1));
    return object;
}

json_t *explain_json_rules(const struct explain *e) {
    const struct recipe *recipe = e->recipe;
    struct explain_rule rules[64];
    int32_t main_biome, home = explain_home(e, &main_biome);
    bool painted = false;
    json_t *list = json_array();
    size_t count = home < 0 ? 0 : explain_rules(e, main_biome, home, rules, 64, &painted);
    for (size_t i = 0; i < count && i < 64; i++)
        json_array_append_new(
            list, json_pack("{s:s, s:s, s:i, s:b, s:b}", "zone", recipe->biomes[rules[i].rule->zone].name,
                            "file", recipe->files[rules[i].rule->file], "line", (int)rules[i].rule->line,
                            "holds", rules[i].holds, "wins", rules[i].wins));
    json_t *object = json_pack(
        "{s:s?, s:s?, s:b, s:o}", "biome", home < 0 ? NULL : recipe->biomes[main_biome].name, "zone",
        home < 0 || home == main_biome ? NULL : recipe->biomes[home].name, "painted", painted, "rules", list);
    if (home >= 0) { /* what biome_id.png and zone_id.png hold */
        json_object_set_new(object, "biome_id", json_integer(recipe->biomes[main_biome].id));
        json_object_set_new(object, "zone_id", json_integer(recipe->biomes[home].id));
    }
    return object;
}

json_t *explain_json_near(const struct explain *e) {
    json_t *list = json_array();
    for (int32_t t = 0; t < e->recipe->tier_count; t++) {
        const struct explain_tier *tier = &e->tiers[t];
        size_t count = explain_near_count(e, t), shown = 0;
        json_t *plants = json_array();
        for (size_t i = 0; i < tier->count && shown < EXPLAIN_SHOWN && shown < count; i++)
            if (tier->items[i].state == RIVAL_STANDS) {
                json_array_append_new(plants, plant_json(e, &tier->items[i].c));
                shown++;
            }
        json_array_append_new(list, json_pack("{s:i, s:i, s:I, s:o}", "priority",
                                              (int)e->recipe->tiers[t].priority, "within_m", EXPLAIN_AROUND_M,
                                              "stand", (json_int_t)count, "nearest", plants));
    }
    return list;
}

static json_t *draw_json(const struct explain *e, int32_t tier, const struct biome_story *story) {
    const struct recipe *recipe = e->recipe;
    const char *winner =
        story->winner < 0 ? NULL : recipe->species[recipe->tiers[tier].species[story->winner]].name;
    json_t *object =
        json_pack("{s:[f,f], s:[i,i], s:s?, s:s?, s:i, s:f, s:f, s:f, s:b}", "at_m", story->x_q / 1024.0,
                  story->y_q / 1024.0, "lattice", (int)story->i, (int)story->j, "biome",
                  story->biome < 0 ? NULL : recipe->biomes[story->biome].name, "winner", winner, "drew",
                  (int)story->drew, "key", number_of_float(story->key), "drawn", number_of_float(story->hash),
                  "chance", story->chance, "kept", story->kept);
    if (story->winner >= 0)
        json_object_set_new(object, "id", id_json(story->candidate.id));
    return object;
}

json_t *explain_json_tiers(const struct explain *e) {
    int32_t x_q = (int32_t)floor(e->x_m * 1024.0), y_q = (int32_t)floor(e->y_m * 1024.0);
    json_t *list = json_array();
    for (int32_t t = 0; t < e->recipe->tier_count; t++) {
        struct biome_story story;
        if (explain_story(e, t, x_q, y_q, -1, &story, NULL) != STATUS_OK)
            continue;
        json_t *tier = json_pack("{s:i, s:o}", "priority", (int)e->recipe->tiers[t].priority, "candidate",
                                 draw_json(e, t, &story));
        const struct explain_one *one = story.kept ? explain_find(e, t, story.candidate.id) : NULL;
        if (one)
            json_object_set_new(tier, "fate", fate_json(e, one, 0));
        json_array_append_new(list, tier);
    }
    return list;
}

static json_t *step_json(const struct recipe *recipe, const struct biome_trace *t) {
    const struct recipe_step *step = &recipe->steps[t->step];
    return json_pack("{s:s, s:s, s:i, s:f, s:b, s:f, s:f, s:f, s:s, s:i}", "combine",
                     recipe_combine_names[step->combine], "reads",
                     step->kind == STEP_LAYER ? recipe->layers[step->layer] : "", "depth", (int)t->depth,
                     "value", number_of_float(t->read), "invert", (int)step->invert, "ramp",
                     number_of_float(t->ramp), "given", number_of_float(t->given), "result",
                     number_of_float(t->result), "file", recipe->files[step->file], "line", (int)step->line);
}

json_t *explain_json_steps(const struct explain *e, const struct recipe_species *s, int32_t x, int32_t y) {
    int32_t count = s->step_end - s->step_first;
    struct biome_trace *trace = calloc((size_t)count + 1, sizeof *trace);
    float v = trace ? explain_viability(e, s, x, y, trace) : -1.0f;
    json_t *steps = json_array();
    for (int32_t i = 0; v >= 0.0f && i < count; i++)
        json_array_append_new(steps, step_json(e->recipe, &trace[i]));
    free(trace);
    return json_pack("{s:s, s:f, s:o}", "species", s->name, "viability", number_of_float(v), "steps", steps);
}

json_t *explain_json_why(const struct explain *e, int32_t species, const struct explain_why *why) {
    const struct recipe *recipe = e->recipe;
    const struct recipe_species *s = &recipe->species[species];
    json_t *object = json_pack("{s:s, s:s, s:b}", "species", s->name, "reason",
                               explain_reason_names[why->reason], "at_place", why->at_place);
    if (!why->at_place && why->reason >= EXPLAIN_DRAW)
        json_object_set_new(object, "candidate", draw_json(e, s->tier, &why->story));
    if (why->reason == EXPLAIN_HOME)
        json_object_set_new(object, "biome",
                            why->biome < 0 ? json_null() : json_string(recipe->biomes[why->biome].name));
    if (why->reason == EXPLAIN_VIABILITY)
        json_object_set_new(object, "step",
                            json_pack("{s:s, s:s, s:i}", "reads",
                                      explain_step_name(recipe, &recipe->steps[why->step]), "file",
                                      recipe->files[recipe->steps[why->step].file], "line",
                                      (int)recipe->steps[why->step].line));
    if (why->reason == EXPLAIN_DRAW)
        json_object_set_new(object, "key", json_real(number_of_float(why->story.asked_key)));
    if (why->one) {
        json_object_set_new(object, "plant", plant_json(e, &why->one->c));
        json_object_set_new(object, "fate", fate_json(e, why->one, 0));
    }
    return object;
}

json_t *explain_json_around(const struct explain *e, int32_t species) {
    size_t counts[EXPLAIN_REASONS];
    json_t *object = json_object();
    bool known = explain_around(e, species, counts, NULL) == STATUS_OK;
    for (int k = 0; known && k < EXPLAIN_REASONS; k++)
        if (counts[k] > 0)
            json_object_set_new(object, explain_reason_names[k], json_integer((json_int_t)counts[k]));
    return object;
}

json_t *explain_json_entity(const struct explain *e, const struct explain_origin *origin,
                            const struct explain_why *why) {
    const struct recipe_species *s = &e->recipe->species[origin->species];
    json_t *object = explain_json_why(e, origin->species, why);
    if (why->reason != EXPLAIN_STANDS)
        return object;
    json_object_set_new(object, "candidate", draw_json(e, s->tier, &why->story));
    json_object_set_new(object, "viability", explain_json_steps(e, s, why->story.x, why->story.y));
    json_object_set_new(object, "radius_m", json_real(biome_radius_q(e->recipe, &why->one->c) / 1024.0));
    json_object_set_new(object, "priority_radius_m",
                        json_real(biome_priority_q(e->recipe, &why->one->c) / 1024.0));
    json_object_set_new(object, "beaten", rivals_json(e, why->one, false, EXPLAIN_CHAIN));
    if (e->found)
        json_object_set_new(object, "entity",
                            json_pack("{s:o, s:I, s:[f,f,f], s:[i,i,i], s:[f,f,f,f]}", "id",
                                      id_json(e->entity.id), "object_id", (json_int_t)e->entity.object_id,
                                      "at_m", entity_metres(e->entity.x), entity_metres(e->entity.y),
                                      entity_metres(e->entity.z), "tint", (int)e->entity.r, (int)e->entity.g,
                                      (int)e->entity.b, "turn", number_of_float(e->entity.qx),
                                      number_of_float(e->entity.qy), number_of_float(e->entity.qz),
                                      number_of_float(e->entity.qw)));
    return object;
}
