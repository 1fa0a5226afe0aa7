/* Entities as bytes, parts of points layers, points files. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gen/bytes.h"
#include "gen/entity.h"
#include "gen/ply.h"
#include "terrain/hash.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct entity_schema plain = {0};
static const struct entity_schema two = {2, {"health", "row_2"}};

static struct entity some(int32_t i) {
    uint64_t h = hash_place(3, 1, i, 0, 0);
    return (struct entity){.x = (int64_t)(h % 1000000) - 500000,
                           .y = -(int64_t)(h % 77777),
                           .z = 1024 * i + 1,
                           .qz = 0.6f,
                           .qw = 0.8f,
                           .scale = 1.25f,
                           .object_id = 0xdeadbeef,
                           .id = hash_mix(h),
                           .r = 1,
                           .g = 2,
                           .b = 253,
                           .tool = 5,
                           .viability = 2.5f,
                           .age = 0.25f,
                           .extra = {(float)i, -1.5f}};
}

static void a_record_has_these_bytes(void **state) {
    (void)state;
    struct entity e = some(0);
    e.x = 1024 * 3;
    e.y = -512;
    e.z = 1;
    e.id = 0x1122334455667788u;
    unsigned char record[ENTITY_BYTES + 8];
    entity_encode(&two, &e, record);
    static const unsigned char expected[] = {
        0,    0,    0,    0,    0,    0,    0x08, 0x40, 0, 0, 0,    0,    0,    0,    0xe0, 0xbf,
        0,    0,    0,    0,    0,    0,    0x50, 0x3f, 0, 0, 0,    0,    0,    0,    0,    0,
        0x9a, 0x99, 0x19, 0x3f, 0xcd, 0xcc, 0x4c, 0x3f, 0, 0, 0xa0, 0x3f, 0xef, 0xbe, 0xad, 0xde,
        0x88, 0x77, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11, 1, 2, 253,  5,    0,    0,    0x20, 0x40,
        0,    0,    0x80, 0x3e, 0,    0,    0,    0,    0, 0, 0xc0, 0xbf};
    assert_int_equal(sizeof expected, sizeof record);
    assert_memory_equal(record, expected, sizeof expected);
    assert_true(entity_record_id(record) == e.id);
}

static void records_come_back_as_they_went(void **state) {
    (void)state;
    for (int32_t i = 0; i < 1000; i++) {
        struct entity e = some(i), back;
        unsigned char record[ENTITY_BYTES + 8], again[ENTITY_BYTES + 8];
        entity_encode(&two, &e, record);
        assert_null(entity_wrong(&two, record));
        entity_decode(&two, record, &back);
        assert_true(back.x == e.x && back.y == e.y && back.z == e.z && back.id == e.id);
        entity_encode(&two, &back, again);
        assert_memory_equal(record, again, sizeof record);
    }
}

static void metres_round_to_the_lattice(void **state) {
    (void)state;
    assert_true(entity_lattice(1.0) == 1024);
    assert_true(entity_lattice(0.5 / 1024) == 1 && entity_lattice(-0.5 / 1024) == 0);
    assert_true(entity_lattice(-1.4999 / 1024) == -1);
    assert_true(entity_metres(-512) == -0.5);
}

static void wrong_numbers_are_named(void **state) {
    (void)state;
    static const struct {
        int at; /* byte of the record */
        bool wide;
        double value;
        const char *expected;
    } cases[] = {{0, true, (double)NAN, "its position is no number or too far away"},
                 {16, true, 1e300, "its position is no number or too far away"},
                 {8, true, 0.3, "its position is not on the 1/1024 m lattice"},
                 {24, false, 0.5, "its quaternion is not of length 1"},
                 {24, false, (double)NAN, "its quaternion is not of length 1"},
                 {40, false, 0, "its scale is not above 0"},
                 {40, false, (double)INFINITY, "its scale is not above 0"},
                 {60, false, -1, "its viability is not 0 or more"},
                 {60, false, (double)NAN, "its viability is not 0 or more"},
                 {64, false, (double)INFINITY, "its age is no number"},
                 {72, false, (double)NAN, "one of its attributes is no number"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct entity e = some(1);
        unsigned char record[ENTITY_BYTES + 8];
        entity_encode(&two, &e, record);
        if (cases[i].wide)
            put_f64(record + cases[i].at, cases[i].value);
        else
            put_f32(record + cases[i].at, (float)cases[i].value);
        assert_string_equal(entity_wrong(&two, record), cases[i].expected);
        entity_decode(&two, record, &e); /* takes any bytes */
    }
}

enum { MANY = 300 };
static unsigned char *records_of(const struct entity_schema *schema, bool reversed) {
    unsigned char *records = malloc(MANY * entity_stride(schema));
    assert_non_null(records);
    for (int32_t i = 0; i < MANY; i++) {
        struct entity e = some(reversed ? MANY - 1 - i : i);
        entity_encode(schema, &e, records + (size_t)i * entity_stride(schema));
    }
    return records;
}

static void sorting_forgets_the_order_before(void **state) {
    (void)state;
    const struct entity_schema *schemas[] = {&plain, &two};
    for (int s = 0; s < 2; s++) {
        unsigned char *a = records_of(schemas[s], false), *b = records_of(schemas[s], true);
        size_t stride = entity_stride(schemas[s]);
        entity_sort(schemas[s], a, MANY);
        entity_sort(schemas[s], b, MANY);
        assert_memory_equal(a, b, MANY * stride);
        for (size_t i = 1; i < MANY; i++)
            assert_true(entity_record_id(a + (i - 1) * stride) < entity_record_id(a + i * stride));
        free(a);
        free(b);
    }
}

static void parts_name_their_schema(void **state) {
    (void)state;
    unsigned char *records = records_of(&two, false);
    size_t size = entity_part_size(&two, MANY);
    unsigned char *part = malloc(size + 2 * ENTITY_CLASS_BYTES);
    assert_non_null(part);
    memcpy(entity_part_head(&two, MANY, part), records, MANY * entity_stride(&two));
    struct entity_part open;
    struct error err = {0};
    const struct entity_class classes[2] = {{5, MANY - 1}, {0xffff0012u, 1}};
    assert_int_equal(entity_part_open(part, size, &open, &err), STATUS_OK);
    assert_int_equal(open.class_count, 0);
    entity_part_set_classes(part, classes, 2);
    assert_int_equal(entity_part_open(part, size, &open, &err), STATUS_INPUT);
    size += 2 * ENTITY_CLASS_BYTES;
    const struct entity_stock stock = {900, 77, 9};
    entity_part_set_stock(part, &stock);
    assert_int_equal(entity_part_open(part, size, &open, &err), STATUS_OK);
    assert_int_equal(open.count, MANY);
    assert_true(entity_schema_equal(&open.schema, &two));
    assert_memory_equal(open.records, records, MANY * entity_stride(&two));
    assert_memory_equal(&open.stock, &stock, sizeof stock);
    assert_int_equal(open.class_count, 2);
    for (size_t i = 0; i < 2; i++) {
        struct entity_class class = entity_part_class(&open, i);
        assert_memory_equal(&class, &classes[i], sizeof class);
    }
    assert_int_equal(entity_part_open(part, size - 1, &open, &err), STATUS_INPUT);
    assert_string_equal(err.message, "a part of a points layer is cut short");
    part[0] ^= 1;
    assert_int_equal(entity_part_open(part, size, &open, &err), STATUS_INPUT);
    assert_string_equal(err.message, "not a part of a points layer");
    assert_int_equal(entity_part_size(&two, 0), 0);
    assert_int_equal(entity_part_open(NULL, 0, &open, &err), STATUS_OK);
    assert_int_equal(open.count, 0);
    free(part);
    free(records);
}

static unsigned char *file_of(const struct entity_schema *schema, const unsigned char *records,
                              uint64_t count, size_t *size) {
    FILE *f = tmpfile();
    assert_non_null(f);
    ply_write(f, schema, records, count);
    *size = (size_t)ftell(f);
    unsigned char *bytes = malloc(*size);
    assert_non_null(bytes);
    rewind(f);
    assert_int_equal(fread(bytes, 1, *size, f), *size);
    fclose(f);
    return bytes;
}

static void the_header_is_this_text(void **state) {
    (void)state;
    char header[PLY_HEADER_MAX + 1];
    header[ply_header(&two, 12345, header)] = 0;
    assert_string_equal(header, "ply\n"
                                "format binary_little_endian 1.0\n"
                                "comment terrane points 1\n"
                                "element vertex 12345\n"
                                "property double x\n"
                                "property double y\n"
                                "property double z\n"
                                "property float qx\n"
                                "property float qy\n"
                                "property float qz\n"
                                "property float qw\n"
                                "property float scale\n"
                                "property uint object_id\n"
                                "property uint id_lo\n"
                                "property uint id_hi\n"
                                "property uchar r\n"
                                "property uchar g\n"
                                "property uchar b\n"
                                "property uchar tool\n"
                                "property float viability\n"
                                "property float age\n"
                                "property float health\n"
                                "property float row_2\n"
                                "end_header\n");
    /* the longest header fits */
    struct entity_schema full = {.extra_count = ENTITY_EXTRAS_MAX};
    for (int i = 0; i < ENTITY_EXTRAS_MAX; i++)
        snprintf(full.extras[i], ENTITY_NAME_MAX, "a_name_of_thirty_one_letters_%02d", i);
    assert_true(entity_schema_valid(&full));
    assert_true(ply_header(&full, UINT64_MAX, header) < PLY_HEADER_MAX);
}

static void files_come_back_as_they_went(void **state) {
    (void)state;
    const struct entity_schema *schemas[] = {&plain, &two};
    for (int s = 0; s < 2; s++)
        for (uint64_t count = 0; count <= MANY; count += MANY) {
            unsigned char *records = records_of(schemas[s], false);
            size_t size;
            entity_sort(schemas[s], records, MANY);
            unsigned char *bytes = file_of(schemas[s], records, count, &size);
            struct ply ply;
            struct error err = {0};
            assert_int_equal(ply_read("a.ply", bytes, size, &ply, &err), STATUS_OK);
            assert_int_equal(ply.count, count);
            assert_true(entity_schema_equal(&ply.schema, schemas[s]));
            assert_memory_equal(ply.records, records, count * entity_stride(schemas[s]));
            assert_int_equal(ply_check("a.ply", &ply, &err), STATUS_OK);
            free(bytes);
            free(records);
        }
}

static void assert_unread(const char *text, size_t size, int32_t line, const char *message) {
    struct ply ply;
    struct error err = {0};
    unsigned char *exact = malloc(size + 1);
    assert_non_null(exact);
    memcpy(exact, text, size);
    assert_int_equal(ply_read("a.ply", exact, size, &ply, &err), STATUS_INPUT);
    assert_string_equal(err.message, message);
    assert_int_equal(err.line, line);
    assert_string_equal(err.file, "a.ply");
    free(exact);
}

static void other_files_are_refused_with_their_line(void **state) {
    (void)state;
    assert_unread("", 0, 1, "not a points file: \"ply\" is expected here");
    assert_unread("PLY\n", 4, 1, "not a points file: \"ply\" is expected here");
    assert_unread("ply\nformat ascii 1.0\n", 21, 2,
                  "not a points file: \"format binary_little_endian 1.0\" is expected here");
    char header[PLY_HEADER_MAX + 64];
    size_t size = ply_header(&two, 1, header);
    assert_unread(header, size, 0, "76 bytes of records are expected behind the header, 0 are there");
    assert_unread(header, size - 1, 24,
                  "not a points file: \"property float NAME\" or \"end_header\" is expected here");
    char *count = strstr(header, "vertex 1");
    count[7] = '-';
    assert_unread(header, size, 4, "not a points file: \"element vertex COUNT\" is expected here");
    count[7] = '1';
    memcpy(strstr(header, "row_2"), "Row_2", 5);
    assert_unread(header, size, 23, "attribute \"Row_2\" stands twice or is not named by a-z, 0-9 and _");
    memcpy(strstr(header, "float qw"), "float qq", 8);
    assert_unread(header, size, 11, "not a points file: \"property float qw\" is expected here");
}

static void wrong_vertices_are_named(void **state) {
    (void)state;
    unsigned char *records = records_of(&plain, false);
    entity_sort(&plain, records, MANY);
    put_f32(records + 7 * ENTITY_BYTES + 40, -1);
    size_t size;
    unsigned char *bytes = file_of(&plain, records, MANY, &size);
    struct ply ply;
    struct error err = {0};
    assert_int_equal(ply_read("a.ply", bytes, size, &ply, &err), STATUS_OK);
    assert_int_equal(ply_check("a.ply", &ply, &err), STATUS_INPUT);
    assert_string_equal(err.message, "vertex 7: its scale is not above 0");
    memcpy(records + 7 * ENTITY_BYTES, records + 6 * ENTITY_BYTES, ENTITY_BYTES);
    free(bytes);
    bytes = file_of(&plain, records, MANY, &size);
    assert_int_equal(ply_read("a.ply", bytes, size, &ply, &err), STATUS_OK);
    assert_int_equal(ply_check("a.ply", &ply, &err), STATUS_INPUT);
    assert_string_equal(err.message, "vertex 7: its id is not above the one before");
    free(bytes);
    free(records);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_record_has_these_bytes),
        cmocka_unit_test(records_come_back_as_they_went),
        cmocka_unit_test(metres_round_to_the_lattice),
        cmocka_unit_test(wrong_numbers_are_named),
        cmocka_unit_test(sorting_forgets_the_order_before),
        cmocka_unit_test(parts_name_their_schema),
        cmocka_unit_test(the_header_is_this_text),
        cmocka_unit_test(files_come_back_as_they_went),
        cmocka_unit_test(other_files_are_refused_with_their_line),
        cmocka_unit_test(wrong_vertices_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
