/* What explain says of plants and of empty places is what a whole field says that is played over, slowly. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gen/explain.h"
#include "gen/geojson.h"
#include "tests/unit/image_files.h"
#include "tests/unit/world_help.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 300, TIERS = 3, PLANTS = 24, PLACES = 34 };

static const char world_text[] = "terrane: 1\nworld: {name: w, size_m: [300, 300], seed: 5}\n"
                                 "height: {files: h.png, z_min_m: 0, z_max_m: 100}\nplaced: house.geojson\n"
                                 "noise: {a: {scale_m: 30}, b: {scale_m: 9}, c: {scale_m: 70}}\n"
                                 "tools: [biomes]\nbiomes: r.yaml\n";
static const char house[] =
    "{\"type\": \"FeatureCollection\", \"features\": [{\"type\": \"Feature\", \"properties\": {\"kind\": "
    "\"footprint\"}, \"geometry\": {\"type\": \"Polygon\", \"coordinates\": [[[100, 100], [180, 100], [180, "
    "170], "
    "[100, 170], [100, 100]]]}}]}\n";
static const char recipe_text[] =
    "recipe: 1\nbiomes: {wood: {zones: {glade: {alone: true, rules: [{noise.c: \">0.7\"}]}}}}\n"
    "defaults: {all: {biomes: wood}}\nspecies:\n"
    "  oak: {priority: 9, density_per_ha: 400, viability_radius_m: 6, height_m: [4, 20], "
    "viability: [{group: [{layer: noise.a, over: 0.3, soft: 0.2}]}]}\n"
    "  elm: {priority: 9, density_per_ha: 700, viability_radius_m: 3.5, height_m: [3, 12], "
    "viability: [{layer: noise.b, floor: 0.3}]}\n"
    "  bush: {biomes: [wood, glade], priority: 4, density_per_ha: 900, viability_radius_m: 1.5, height_m: "
    "[1, 3], "
    "writes: [{mask: bush, falloff_m: 2, output: true}], viability: [{layer: noise.b, over: 0.2, soft: "
    "0.1}]}\n"
    "  fern: {priority: 1, density_per_ha: 1500, viability_radius_m: 1, height_m: [0.5, 1], heeds: {9: "
    "trunk, 4: "
    "0.8}, viability: [{layer: mask_bush, invert: true}, {layer: noise.a, floor: 0.2}]}\n";

/* ---- the field, slowly ---- */

struct slow {
    struct biome_candidate *items;
    uint8_t *state;
    int32_t *round;
    size_t count;
};
struct field {
    struct world *world;
    struct look_options look;
    struct slow tiers[TIERS];
    struct entity *entities;
    size_t entity_count;
};

static enum status take(void *context, const struct window *w, struct hash128 inputs, struct arena *scratch,
                        struct error *err) {
    (void)inputs;
    (void)scratch;
    (void)err;
    struct field *f = context;
    size_t tiles =
        (size_t)(w[0].sections.x1 - w[0].sections.x0) * (size_t)(w[0].sections.y1 - w[0].sections.y0);
    for (int32_t t = 0; t < TIERS; t++)
        for (size_t i = 0; i < tiles; i++) {
            struct slow *s = &f->tiers[t];
            size_t more = w[t].tiles[i]->size / sizeof *s->items;
            s->items = realloc(s->items, (s->count + more + 1) * sizeof *s->items);
            memcpy(s->items + s->count, w[t].tiles[i]->bytes, more * sizeof *s->items);
            s->count += more;
        }
    for (size_t i = 0; i < tiles; i++)
        for (int32_t k = 0; k < SECTORS_PER_SECTION; k++) {
            const struct tile *tile = w[TIERS].tiles[i];
            struct entity_part part = {0};
            size_t size = tile->part_at[k + 1] - tile->part_at[k];
            if (size)
                assert_int_equal(entity_part_open(tile->bytes + tile->part_at[k], size, &part, NULL),
                                 STATUS_OK);
            f->entities = realloc(f->entities, (f->entity_count + part.count + 1) * sizeof *f->entities);
            for (size_t n = 0; n < part.count; n++)
                entity_decode(&part.schema, part.records + n * entity_stride(&part.schema),
                              &f->entities[f->entity_count++]);
        }
    return STATUS_OK;
}

static int64_t squared(const struct biome_candidate *a, const struct biome_candidate *b) {
    int64_t dx = (int64_t)a->x_q - b->x_q, dy = (int64_t)a->y_q - b->y_q;
    return dx * dx + dy * dy;
}

static bool rivals(const struct recipe *r, const struct biome_candidate *a, const struct biome_candidate *b) {
    int64_t p = biome_radius_q(r, a), q = biome_radius_q(r, b), most = p > q ? p : q;
    return squared(a, b) < most * most;
}

/* Every pair, round by round. */
static void play(const struct recipe *r, struct field *f, int32_t t) {
    struct slow *s = &f->tiers[t];
    s->state = calloc(s->count + 1, 1);
    s->round = calloc(s->count + 1, sizeof *s->round);
    for (size_t i = 0; i < s->count; i++) {
        s->round[i] = -1;
        for (int32_t h = 0; h < t && s->round[i] < 0; h++)
            for (size_t k = 0; k < f->tiers[h].count && s->round[i] < 0; k++) {
                int64_t q = biome_heed_q(r, &f->tiers[h].items[k], &s->items[i]);
                if (f->tiers[h].state[k] == RIVAL_STANDS &&
                    squared(&f->tiers[h].items[k], &s->items[i]) < q * q) {
                    s->state[i] = RIVAL_STRUCK;
                    s->round[i] = 0;
                }
            }
    }
    for (int32_t round = 1; round <= RECIPE_ROUNDS; round++) {
        for (size_t i = 0; i < s->count; i++) {
            bool first = s->state[i] == RIVAL_UNDECIDED || s->round[i] == round;
            for (size_t k = 0; first && k < s->count; k++)
                first = k == i || (s->state[k] != RIVAL_UNDECIDED && s->round[k] != round) ||
                        !rivals(r, &s->items[i], &s->items[k]) || biome_outranks(&s->items[i], &s->items[k]);
            if (first && s->state[i] == RIVAL_UNDECIDED) {
                s->state[i] = RIVAL_STANDS;
                s->round[i] = round;
            }
        }
        for (size_t i = 0; i < s->count; i++)
            for (size_t k = 0; s->state[i] == RIVAL_UNDECIDED && k < s->count; k++)
                if (s->state[k] == RIVAL_STANDS && s->round[k] == round &&
                    rivals(r, &s->items[i], &s->items[k])) {
                    s->state[i] = RIVAL_STRUCK;
                    s->round[i] = round;
                }
    }
}

static int make_field(void **state) {
    struct field *f = calloc(1, sizeof *f);
    static char store[IMAGE_PATH_MAX];
    struct error err = {0};
    image_folder_make(state);
    put_zero16("h.png", SIDE, SIDE);
    put_text("house.geojson", house);
    put_text("r.yaml", recipe_text);
    f->world = load_text(world_text, NULL, "");
    snprintf(store, sizeof store, "%s", image_path("store"));
    f->look = (struct look_options){store, 1, (uint64_t)512 << 20};
    static const struct exec_input inputs[] = {
        {"candidates.0", 0}, {"candidates.1", 0}, {"candidates.2", 0}, {"entities", 0}};
    struct exec_job job = {
        .cells = f->world->extent.cells, .input_count = 4, .inputs = inputs, .run = take, .context = f};
    if (look_jobs(f->world, &f->look, &job, 1, &err) != STATUS_OK)
        fail_msg("%s", err.message);
    for (int32_t t = 0; t < TIERS; t++)
        play(f->world->recipe, f, t);
    *state = f;
    return 0;
}

static int remove_field(void **state) {
    struct field *f = *state;
    for (int32_t t = 0; t < TIERS; t++) {
        free(f->tiers[t].items);
        free(f->tiers[t].state);
        free(f->tiers[t].round);
    }
    free(f->entities);
    world_free(f->world);
    free(f);
    return image_folder_remove(state);
}

static const struct biome_candidate *slow_find(const struct slow *s, uint64_t id, size_t *at) {
    for (*at = 0; *at < s->count; ++*at)
        if (s->items[*at].id == id)
            return &s->items[*at];
    return NULL;
}

/* ---- what explain says ---- */

/* State and round, and who decided it. */
static void assert_fate(const struct field *f, const struct explain *e, const struct explain_one *one) {
    const struct slow *s = &f->tiers[one->c.tier];
    struct explain_rival by;
    size_t at, of;
    assert_non_null(slow_find(s, one->c.id, &at));
    assert_int_equal(one->state, s->state[at]);
    assert_int_equal(one->round, s->round[at]);
    if (!explain_beaten_by(e, one, &by)) {
        assert_int_not_equal(one->state, RIVAL_STRUCK);
        return;
    }
    const struct slow *other = &f->tiers[by.one->c.tier];
    assert_non_null(slow_find(other, by.one->c.id, &of));
    assert_int_equal(other->state[of], RIVAL_STANDS);
    assert_true(one->round == 0 ? by.one->c.tier < one->c.tier : other->round[of] == one->round);
    double d = sqrt((double)squared(&other->items[of], &s->items[at])) / 1024.0;
    assert_true(d == by.distance_m && d < by.radius_m);
}

static struct explain *make(const struct field *f, double x_m, double y_m, uint64_t id) {
    struct explain *e;
    struct error err = {0};
    if (explain_make(f->world, &f->look, &(struct explain_request){x_m, y_m, id}, &e, &err) != STATUS_OK)
        fail_msg("%s", err.message);
    return e;
}

/* Every other one stands only since a later round. */
static const struct entity *pick(const struct field *f, int32_t n) {
    uint64_t h = hash_place(1, 2, n, 0, 0);
    const struct slow *s = &f->tiers[n / 2 % TIERS];
    size_t at = h % s->count, tries = 0;
    if (n % 2 == 0)
        return &f->entities[h % f->entity_count];
    while (tries++ < s->count && !(s->state[at] == RIVAL_STANDS && s->round[at] > 1))
        at = (at + 1) % s->count;
    for (size_t i = 0; i < f->entity_count; i++)
        if (f->entities[i].id == s->items[at].id)
            return &f->entities[i];
    return &f->entities[0];
}

static void every_plant_has_its_story(void **state) {
    const struct field *f = *state;
    const struct recipe *r = f->world->recipe;
    size_t later = 0, stronger = 0;
    assert_true(f->entity_count > 3000);
    for (size_t n = 0; n < PLANTS; n++) {
        const struct entity *plant = pick(f, (int32_t)n);
        struct explain_origin origin;
        struct explain_why why;
        assert_true(explain_find_id(f->world, plant->id, &origin));
        assert_true(origin.story.x_q == plant->x && origin.story.y_q == plant->y);
        struct explain *e = make(f, entity_metres(plant->x), entity_metres(plant->y), plant->id);
        assert_int_equal(explain_why_not(e, origin.species, &why, NULL), STATUS_OK);
        assert_int_equal(why.reason, EXPLAIN_STANDS);
        assert_true(e->found && e->entity.z == plant->z && e->entity.object_id == plant->object_id);
        const struct explain_one *one = why.one;
        assert_true(one->c.id == plant->id && one->c.scale == plant->scale &&
                    one->c.viability == plant->viability);
        assert_memory_equal(&one->c, &why.story.candidate, sizeof one->c);
        assert_fate(f, e, one);
        /* its rivals: all that the field has, and what became of each */
        struct explain_rival out[64];
        size_t expected = 0, count = explain_rivals(e, one, false, out, 64), at, mine;
        slow_find(&f->tiers[one->c.tier], one->c.id, &mine);
        const struct slow *s = &f->tiers[one->c.tier];
        for (size_t i = 0; i < s->count; i++)
            expected += i != mine && s->state[i] == RIVAL_STRUCK && s->round[i] == s->round[mine] &&
                        rivals(r, &s->items[i], &s->items[mine]);
        assert_int_equal(count, expected);
        for (size_t i = 0; i < count; i++)
            assert_true(slow_find(s, out[i].one->c.id, &at) &&
                        biome_outranks(&s->items[mine], &s->items[at]));
        count = explain_rivals(e, one, true, out, 64);
        for (size_t i = 0; i < count; i++) {
            assert_true(biome_outranks(&out[i].one->c, &one->c) && out[i].one->round < one->round);
            assert_fate(f, e, out[i].one);
        }
        stronger += count;
        later += one->round > 1;
        explain_free(e);
    }
    assert_true(later > 3 && stronger > 3);
}

static void assert_why(const struct field *f, const struct explain *e, int32_t species, size_t *seen) {
    const struct recipe *r = f->world->recipe;
    const struct recipe_species *s = &r->species[species];
    struct explain_why why;
    size_t at;
    assert_int_equal(explain_why_not(e, species, &why, NULL), STATUS_OK);
    seen[why.reason]++;
    uint64_t id = hash_place(f->world->seed, s->salt, why.story.i, why.story.j, 2);
    const struct biome_candidate *c = slow_find(&f->tiers[s->tier], id, &at);
    const struct slow *slow = &f->tiers[s->tier];
    if (why.reason == EXPLAIN_STANDS)
        assert_true(c && slow->state[at] == RIVAL_STANDS);
    else if (why.reason == EXPLAIN_CLEARED)
        assert_true(c && slow->state[at] == RIVAL_STRUCK && slow->round[at] == 0);
    else if (why.reason == EXPLAIN_STRUCK)
        assert_true(c && slow->state[at] == RIVAL_STRUCK && slow->round[at] > 0);
    else if (why.reason == EXPLAIN_UNDECIDED)
        assert_true(c && slow->state[at] == RIVAL_UNDECIDED);
    else if (!why.at_place)
        assert_null(c);
    if (why.one)
        assert_fate(f, e, why.one);
    if (why.reason == EXPLAIN_DRAW)
        assert_true(why.story.key > why.story.asked_key);
    if (why.reason == EXPLAIN_DENSITY)
        assert_true((double)why.story.hash >= why.story.chance);
    /* the cell's own reasons, from the layers */
    int32_t x = why.at_place ? e->x : why.story.x, y = why.at_place ? e->y : why.story.y;
    static const char *const names[] = {"placed", "zone_id", "noise.a", "noise.b", "mask_bush"};
    float v[5];
    if (why.reason != EXPLAIN_PLACED && why.reason != EXPLAIN_HOME && why.reason != EXPLAIN_VIABILITY)
        return;
    assert_int_equal(look_at(f->world, &f->look, names, 5, x, y, v, NULL), STATUS_OK);
    bool glade = strcmp(r->biomes[r->biome_by_id[(int)v[1]]].name, "glade") == 0;
    if (why.reason == EXPLAIN_PLACED)
        assert_true(v[0] > 0.0f && x >= 99 && x <= 180);
    if (why.reason == EXPLAIN_HOME)
        assert_true(glade && strcmp(s->name, "bush") != 0);
    if (why.reason == EXPLAIN_VIABILITY) {
        assert_true(strcmp(s->name, "oak") == 0    ? v[2] <= 0.1f
                    : strcmp(s->name, "bush") == 0 ? v[3] <= 0.1f
                                                   : v[4] >= 1.0f);
        assert_int_equal(r->steps[why.step].kind, STEP_LAYER);
    }
}

/* As many stand around as the field has. */
static void assert_around(const struct field *f, const struct explain *e, int32_t species) {
    const struct recipe *r = f->world->recipe;
    const struct slow *s = &f->tiers[r->species[species].tier];
    size_t counts[EXPLAIN_REASONS], stand = 0, out = 0;
    assert_int_equal(explain_around(e, species, counts, NULL), STATUS_OK);
    for (size_t i = 0; i < s->count; i++) {
        double dx = s->items[i].x_q / 1024.0 - e->x_m, dy = s->items[i].y_q / 1024.0 - e->y_m;
        if (candidate_species(r, &s->items[i]) != &r->species[species] ||
            dx * dx + dy * dy >= (double)EXPLAIN_AROUND_M * EXPLAIN_AROUND_M)
            continue;
        stand += s->state[i] == RIVAL_STANDS;
        out += s->state[i] == RIVAL_STRUCK;
    }
    assert_int_equal(counts[EXPLAIN_STANDS], stand);
    assert_int_equal(counts[EXPLAIN_CLEARED] + counts[EXPLAIN_STRUCK], out);
}

static void every_absence_has_its_reason(void **state) {
    const struct field *f = *state;
    const struct recipe *r = f->world->recipe;
    size_t seen[EXPLAIN_REASONS] = {0};
    for (int32_t n = 0; n < PLACES; n++) {
        uint64_t h = hash_place(4, 2, n, 0, 0);
        double x_m = (double)(h % 300000) / 1000.0, y_m = (double)((h >> 32) % 300000) / 1000.0;
        const struct biome_candidate *c = &f->tiers[n % TIERS].items[h % f->tiers[n % TIERS].count];
        struct explain *e = n % 2 ? make(f, x_m, y_m, 0) : make(f, c->x_q / 1024.0, c->y_q / 1024.0, 0);
        for (int32_t s = 0; s < r->species_count; s++)
            assert_why(f, e, s, seen);
        assert_around(f, e, n % r->species_count);
        explain_free(e);
    }
    for (int32_t k = 0; k < EXPLAIN_REASONS; k++)
        if (k != EXPLAIN_OUTSIDE && k != EXPLAIN_ROCK && k != EXPLAIN_UNDECIDED && seen[k] == 0)
            fail_msg("no place was without a species for the reason '%s'", explain_reason_names[k]);
}

static void ids_that_nobody_has(void **state) {
    const struct field *f = *state;
    struct explain_origin origin;
    assert_false(explain_find_id(f->world, 12345, &origin));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_plant_has_its_story),
        cmocka_unit_test(every_absence_has_its_reason),
        cmocka_unit_test(ids_that_nobody_has),
    };
    return cmocka_run_group_tests(tests, make_field, remove_field);
}
