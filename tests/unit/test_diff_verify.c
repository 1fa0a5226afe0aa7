#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gen/bytes.h"
#include "gen/diff.h"
#include "gen/png_read.h"
#include "gen/png_write.h"
#include "gen/verify.h"
#include "outputs_fixture.h"

/* Two bakes side by side: "a" and "b" inside the test's folder. */
static char both[64];

static double f_altitude_but_two(int32_t x, int32_t y) {
    return f_altitude(x, y) + (x == -100 && y == 20 ? 3 : x == -90 && y == 10 ? -0.5 : 0);
}

struct entities {
    size_t count;
    void (*change)(struct entity *e, size_t i);
};

static void add_points(struct publish *p, const struct world *world, int32_t sx, int32_t sy, size_t count,
                       void (*change)(struct entity *, size_t)) {
    static const struct entity_schema schema = {0};
    struct output_list list;
    assert_int_equal(outputs_list(world, &list, NULL), STATUS_OK);
    unsigned char *part = malloc(entity_part_size(&schema, count) + 1);
    assert_non_null(part);
    unsigned char *first = entity_part_head(&schema, count, part), *at_record = first;
    for (size_t i = 0; i < count; i++, at_record += ENTITY_BYTES) {
        struct entity e = {.x = sx * 65536 + (int64_t)i * 1024,
                           .y = sy * 65536,
                           .qw = 1,
                           .scale = 1,
                           .object_id = 7,
                           .id = (uint64_t)(sx & 255) * 1000 + i + 1};
        if (change)
            change(&e, i);
        entity_encode(&schema, &e, at_record);
    }
    entity_sort(&schema, first, count);
    assert_int_equal(publish_part(p, "job", outputs_find(&list, "points"), sx, sy, part,
                                  entity_part_size(&schema, count), NULL, NULL),
                     STATUS_OK);
    free(part);
    outputs_free(&list);
}

static void change_some(struct entity *e, size_t i) {
    if (i == 2)
        e->x += 3 * 1024, e->y += 4 * 1024; /* moved 5 m */
    if (i == 5)
        e->r = 9; /* changed */
    if (i == 6)
        e->id = 999; /* another one: one added, one removed */
}

static void bake(const char *name, double (*altitude)(int32_t, int32_t), size_t west, size_t east,
                 void (*change)(struct entity *, size_t)) {
    struct world world = make_world(SAMPLES_CELLS);
    snprintf(folder, sizeof folder, "%s/%s", both, name);
    struct publish *p = open_map(&world, -1, 0);
    publish_section(p, &world, -1, 0, altitude);
    if (west)
        add_points(p, &world, -4, 0, west, change);
    if (east)
        add_points(p, &world, -3, 0, east, NULL);
    commit(p);
    assert_int_equal(manifest_world(folder, &world, NULL, NULL), STATUS_OK);
    snprintf(folder, sizeof folder, "%s", both);
}

static int set_up_both(void **state) {
    int made = set_up(state);
    snprintf(both, sizeof both, "%s", folder);
    return made;
}
static int tear_down_both(void **state) {
    snprintf(folder, sizeof folder, "%s", both);
    return tear_down(state);
}

static enum status diff(struct diff_result *result) {
    char a[PATH_TEXT_MAX], b[PATH_TEXT_MAX];
    struct error err = {0}; /* troubles do not set it */
    snprintf(a, sizeof a, "%s", at("a"));
    snprintf(b, sizeof b, "%s", at("b"));
    enum status status = diff_out(a, b, result, &err);
    if (status != STATUS_OK && status != STATUS_DIFFERENT)
        print_message("%s: %s\n", err.file, err.message);
    return status;
}

static void the_same_bake_twice_does_not_differ(void **state) {
    (void)state;
    struct diff_result result;
    bake("a", f_altitude, 9, 3, NULL);
    bake("b", f_altitude, 9, 3, NULL);
    assert_int_equal(diff(&result), STATUS_OK);
    assert_int_equal(result.rasters_compared, 4);
    assert_int_equal(result.entities_compared, 12);
    assert_false(result.manifests_differ);
    diff_free(&result);
}

static void cells_that_differ_are_counted_measured_and_placed(void **state) {
    (void)state;
    struct diff_result result;
    bake("a", f_altitude, 0, 0, NULL);
    bake("b", f_altitude_but_two, 0, 0, NULL);
    assert_int_equal(diff(&result), STATUS_DIFFERENT);
    assert_int_equal(result.file_count, 1);
    const struct diff_file *f = &result.files[0];
    assert_string_equal(f->path, "maps/x-1_y0/sections/c-1_0/height.png");
    assert_int_equal(f->different, 2);
    assert_int_equal(f->cells, 65536);
    assert_true(f->max_difference == 3);
    assert_string_equal(f->unit, "m");
    assert_int_equal(f->place_count, 2);
    assert_int_equal(f->places[0].x, -100); /* from the north */
    assert_int_equal(f->places[0].y, 20);
    assert_int_equal(f->places[0].b, f->places[0].a + 3 * 64);
    assert_int_equal(f->places[1].x, -90);
    assert_int_equal(f->places[1].y, 10);
    json_t *json = diff_json(&result);
    assert_true(json_is_true(json_object_get(json, "different")));
    json_decref(json);
    diff_free(&result);
}

static void entities_are_matched_by_id(void **state) {
    (void)state;
    struct diff_result result;
    bake("a", f_altitude, 9, 0, NULL);
    bake("b", f_altitude, 9, 2, change_some);
    assert_int_equal(diff(&result), STATUS_DIFFERENT);
    assert_int_equal(result.file_count, 0);
    assert_int_equal(result.sector_count, 2);
    const int64_t expected[2][DIFF_CHANGES] = {{1, 1, 1, 1}, {2, 0, 0, 0}};
    for (size_t s = 0; s < 2; s++) {
        assert_int_equal(result.sectors[s].x, s == 0 ? -4 : -3);
        for (size_t c = 0; c < DIFF_CHANGES; c++)
            assert_int_equal(result.sectors[s].counts[c], expected[s][c]);
    }
    for (size_t i = 0; i < result.entity_count; i++)
        if (result.entities[i].change == DIFF_MOVED)
            assert_true(result.entities[i].distance_m == 5);
    diff_free(&result);
}

static void all_leave(struct entity *e, size_t i) { /* with the ids of the sector in the east */
    e->id = 253 * 1000 + i + 1;
}

static void who_goes_to_another_sector_has_moved(void **state) {
    (void)state;
    struct diff_result result;
    bake("a", f_altitude, 0, 3, NULL);
    bake("b", f_altitude, 3, 0, all_leave);
    assert_int_equal(diff(&result), STATUS_DIFFERENT);
    assert_int_equal(result.entity_count, 3);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(result.entities[i].change, DIFF_MOVED);
        assert_true(result.entities[i].distance_m == 64);
    }
    diff_free(&result);
}

static void what_only_one_side_has_is_named(void **state) {
    (void)state;
    struct diff_result result;
    struct error err;
    bake("a", f_altitude, 0, 0, NULL);
    bake("b", f_altitude, 0, 0, NULL);
    assert_int_equal(os_remove_tree(at("b/maps/x-1_y0"), NULL), STATUS_OK);
    assert_int_equal(diff(&result), STATUS_DIFFERENT);
    assert_int_equal(result.file_count, 4);
    assert_int_equal(result.files[0].side, DIFF_ONLY_A);
    diff_free(&result);
    assert_int_equal(diff_out(at("a"), at("nowhere"), &result, &err), STATUS_FILE);
    assert_string_equal(err.message, "there is no such folder");
    diff_free(&result);
}

/* ---- manifests that lie ---- */

/* Replaces a part of a's map's manifest. */
static void forge(const char *from, const char *to) {
    unsigned char *bytes;
    size_t size;
    char path[PATH_TEXT_MAX];
    snprintf(path, sizeof path, "%s", at("a/maps/x-1_y0/manifest.json"));
    assert_int_equal(os_read_file(path, 1 << 20, &bytes, &size, NULL), STATUS_OK);
    char *text = malloc(size + strlen(to) + 1), *place;
    assert_non_null(text);
    memcpy(text, bytes, size);
    text[size] = '\0';
    place = strstr(text, from);
    assert_non_null(place);
    memmove(place + strlen(to), place + strlen(from), strlen(place + strlen(from)) + 1);
    memcpy(place, to, strlen(to));
    assert_int_equal(os_write_file(path, text, strlen(text), NULL), STATUS_OK);
    free(text);
    free(bytes);
}

/* Both verify and diff say it, and compare the rest. */
static void assert_forged(const char *message, enum status status) {
    struct verify_result verified;
    struct diff_result result;
    char a[PATH_TEXT_MAX];
    snprintf(a, sizeof a, "%s", at("a"));
    assert_int_equal(verify_out(a, &verified, NULL), STATUS_DIFFERENT);
    assert_int_equal(verified.problems[0].kind, VERIFY_DAMAGED);
    assert_string_equal(verified.problems[0].path, "maps/x-1_y0/manifest.json");
    assert_string_equal(verified.problems[0].detail, message);
    verify_free(&verified);
    assert_int_equal(diff(&result), status);
    assert_int_equal(result.troubles.count, 1);
    assert_string_equal(result.troubles.items[0].message, message);
    diff_free(&result);
}

static void bake_both(void) {
    bake("a", f_altitude, 9, 2, NULL);
    bake("b", f_altitude, 9, 2, NULL);
}

static void nothing_outside_the_folder_is_read(void **state) {
    (void)state;
    static const char *const paths[] = {"../../../b/objects.json",
                                        "/etc/hostname",
                                        "sections/c0_0/../../x.png",
                                        "sections/c1_1/..",
                                        "..",
                                        "a\\\\b",
                                        ".fresh.json"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        char entry[128], message[160], shown[64];
        bake_both();
        snprintf(entry, sizeof entry, "\"outputs\": {\"%s\": {\"encoding\": \"file\", \"hash\": \"0\"},",
                 paths[i]);
        snprintf(shown, sizeof shown, "%s", strchr(paths[i], '\\') ? "a\\b" : paths[i]);
        snprintf(message, sizeof message,
                 "names an output '%s', which is none of a map's: bake the map again", shown);
        forge("\"outputs\": {", entry);
        assert_forged(message, STATUS_INPUT);
    }
}

static void numbers_out_of_any_range_are_told(void **state) {
    (void)state;
    static const char *const numbers[][2] = {
        {"\"entities\": 9", "\"entities\": 9223372036854775807"},
        {"\"entities\": 9", "\"entities\": -9223372036854775808"},
    };
    for (size_t i = 0; i < 2; i++) {
        bake_both();
        forge(numbers[i][0], numbers[i][1]);
        assert_forged(
            "gives the output 'sectors/s-4_0.points.ply' a number out of any range: bake the map again",
            STATUS_INPUT);
        struct verify_result healed;
        bake("a", f_altitude, 9, 2, NULL);
        assert_int_equal(verify_out(at("a"), &healed, NULL), STATUS_OK);
        verify_free(&healed);
    }
    bake_both();
    forge("\"origin\": [", "\"origin\": [2147483647, ");
    assert_forged(
        "gives the output 'sections/c-1_0/height.png' a number out of any range: bake the map again",
        STATUS_INPUT);
    bake_both();
    forge("\"origin\": [", "\"origin\": 7, \"was\": [");
    struct diff_result result;
    assert_int_equal(diff(&result), STATUS_DIFFERENT);
    diff_free(&result);
}

static void a_damaged_manifest_ends_nothing(void **state) {
    (void)state;
    bake_both();
    assert_int_equal(os_write_file(at("a/maps/x-1_y0/manifest.json"), "{\n", 2, NULL), STATUS_OK);
    assert_forged("is damaged (string or '}' expected near end of file): bake the map again", STATUS_INPUT);
    /* nothing else is said of the map's files */
    struct verify_result result;
    assert_int_equal(verify_out(at("a"), &result, NULL), STATUS_DIFFERENT);
    assert_int_equal(result.count, 1);
    verify_free(&result);
}

static void a_map_that_is_none_is_told(void **state) {
    (void)state;
    bake("a", f_altitude, 0, 0, NULL);
    assert_int_equal(os_write_file(at("a/manifest.json"), "{\"maps\": {\"../..\": \"0\"}}", 24, NULL),
                     STATUS_OK);
    struct verify_result result;
    assert_int_equal(verify_out(at("a"), &result, NULL), STATUS_DIFFERENT);
    assert_string_equal(result.problems[0].path, "manifest.json");
    assert_string_equal(result.problems[0].detail, "names a map '../..', which is none");
    verify_free(&result);
}

/* ---- verify ---- */

static void expect(const char *name, enum verify_kind kind, const char *path) {
    struct verify_result result;
    assert_int_equal(verify_out(at(name), &result, NULL), STATUS_DIFFERENT);
    bool found = false;
    for (size_t i = 0; i < result.count; i++)
        found |= result.problems[i].kind == kind && strcmp(result.problems[i].path, path) == 0;
    if (!found)
        fail_msg("%s %s was not found among %zu problems", verify_kind_names[kind], path, result.count);
    verify_free(&result);
}

static void a_whole_bake_is_right(void **state) {
    (void)state;
    struct verify_result result;
    bake("a", f_altitude, 9, 2, NULL);
    assert_int_equal(verify_out(at("a"), &result, NULL), STATUS_OK);
    assert_int_equal(result.count, 0);
    assert_int_equal(result.files, 4 + 2 + 2); /* and the manifests */
    verify_free(&result);
}

static void every_kind_of_damage_is_found_in_one_go(void **state) {
    (void)state;
    bake("a", f_altitude, 9, 2, NULL);
    struct raster image;
    unsigned char *bytes;
    size_t size;
    assert_int_equal(png_read_file(at("a/maps/x-1_y0/sections/c-1_0/height.png"), &image, NULL), STATUS_OK);
    image.samples[1000] ^= 1;
    assert_int_equal(png_encode(&image, &bytes, &size, NULL), STATUS_OK);
    assert_int_equal(os_write_file(at("a/maps/x-1_y0/sections/c-1_0/height.png"), bytes, size, NULL),
                     STATUS_OK);
    assert_int_equal(os_write_file(at("a/maps/x-1_y0/sections/c-1_0/tint.png"), bytes, size - 9, NULL),
                     STATUS_OK);
    free(bytes);
    raster_free(&image);
    assert_int_equal(os_remove(at("a/maps/x-1_y0/sections/c-1_0/texture_id.png"), NULL), STATUS_OK);
    assert_int_equal(os_write_file(at("a/maps/x-1_y0/sections/c-1_0/more.png"), "x", 1, NULL), STATUS_OK);
    assert_int_equal(os_read_file(at("a/maps/x-1_y0/sectors/s-4_0.points.ply"), 1 << 20, &bytes, &size, NULL),
                     STATUS_OK);
    bytes[size - 12] ^= 1; /* a tint: a whole file, another content */
    assert_int_equal(os_write_file(at("a/maps/x-1_y0/sectors/s-4_0.points.ply"), bytes, size, NULL),
                     STATUS_OK);
    free(bytes);
    expect("a", VERIFY_ALTERED, "maps/x-1_y0/sections/c-1_0/height.png");
    expect("a", VERIFY_DAMAGED, "maps/x-1_y0/sections/c-1_0/tint.png");
    expect("a", VERIFY_MISSING, "maps/x-1_y0/sections/c-1_0/texture_id.png");
    expect("a", VERIFY_EXTRA, "maps/x-1_y0/sections/c-1_0/more.png");
    expect("a", VERIFY_ALTERED, "maps/x-1_y0/sectors/s-4_0.points.ply");
    struct verify_result result;
    assert_int_equal(verify_out(at("a"), &result, NULL), STATUS_DIFFERENT);
    assert_int_equal(result.count, 5);
    verify_free(&result);
}

static void an_altered_manifest_is_found(void **state) {
    (void)state;
    bake("a", f_altitude, 0, 0, NULL);
    bake("b", f_altitude_but_two, 0, 0, NULL);
    char *text = text_of("b/maps/x-1_y0/manifest.json");
    assert_int_equal(os_write_file(at("a/maps/x-1_y0/manifest.json"), text, strlen(text), NULL), STATUS_OK);
    free(text);
    expect("a", VERIFY_ALTERED, "maps/x-1_y0/manifest.json");
    text = text_of("b/manifest.json");
    size_t digit = 0;
    while (text[digit] != '\0' && strncmp(text + digit, "\"hash\": \"", 9) != 0)
        digit++;
    digit += 9;
    text[digit] = text[digit] == '0' ? '1' : '0';
    assert_int_equal(os_write_file(at("b/manifest.json"), text, strlen(text), NULL), STATUS_OK);
    free(text);
    expect("b", VERIFY_ALTERED, "manifest.json");
}

int main(void) {
#define IN_BOTH(f) cmocka_unit_test_setup_teardown(f, set_up_both, tear_down_both)
    const struct CMUnitTest tests[] = {
        IN_BOTH(the_same_bake_twice_does_not_differ),
        IN_BOTH(cells_that_differ_are_counted_measured_and_placed),
        IN_BOTH(entities_are_matched_by_id),
        IN_BOTH(who_goes_to_another_sector_has_moved),
        IN_BOTH(what_only_one_side_has_is_named),
        IN_BOTH(nothing_outside_the_folder_is_read),
        IN_BOTH(numbers_out_of_any_range_are_told),
        IN_BOTH(a_damaged_manifest_ends_nothing),
        IN_BOTH(a_map_that_is_none_is_told),
        IN_BOTH(a_whole_bake_is_right),
        IN_BOTH(every_kind_of_damage_is_found_in_one_go),
        IN_BOTH(an_altered_manifest_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
