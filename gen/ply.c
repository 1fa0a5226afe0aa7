#include "gen/ply.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

static const char *const fixed[] = {
    "property double x",       "property double y",   "property double z",   "property float qx",
    "property float qy",       "property float qz",   "property float qw",   "property float scale",
    "property uint object_id", "property uint id_lo", "property uint id_hi", "property uchar r",
    "property uchar g",        "property uchar b",    "property uchar tool", "property float viability",
    "property float age"};
enum { FIXED = sizeof fixed / sizeof fixed[0] };
static const char *const head[] = {"ply", "format binary_little_endian 1.0", "comment terrane points 1"};
enum { HEAD = sizeof head / sizeof head[0] };

size_t ply_header(const struct entity_schema *schema, uint64_t count, char out[PLY_HEADER_MAX]) {
    assert(entity_schema_valid(schema));
    size_t at = 0;
    for (int i = 0; i < HEAD; i++)
        at += (size_t)snprintf(out + at, PLY_HEADER_MAX - at, "%s\n", head[i]);
    at += (size_t)snprintf(out + at, PLY_HEADER_MAX - at, "element vertex %" PRIu64 "\n", count);
    for (int i = 0; i < FIXED; i++)
        at += (size_t)snprintf(out + at, PLY_HEADER_MAX - at, "%s\n", fixed[i]);
    for (int32_t i = 0; i < schema->extra_count; i++)
        at += (size_t)snprintf(out + at, PLY_HEADER_MAX - at, "property float %s\n", schema->extras[i]);
    at += (size_t)snprintf(out + at, PLY_HEADER_MAX - at, "end_header\n");
    assert(at < PLY_HEADER_MAX);
    return at;
}

void ply_write(FILE *stream, const struct entity_schema *schema, const unsigned char *records,
               uint64_t count) {
    char header[PLY_HEADER_MAX];
    size_t size = ply_header(schema, count, header);
    fwrite(header, 1, size, stream);
    if (count > 0)
        fwrite(records, entity_stride(schema), (size_t)count, stream);
}

/* The header being read, line by line. */
struct lines {
    const char *file;
    const unsigned char *at, *end;
    int32_t line; /* of `text`, 1-based */
    char text[128];
};

/* Takes the next line; false at the end of the bytes or when the line is longer than any of ours. */
static bool next_line(struct lines *l) {
    size_t room = sizeof l->text - 1, left = (size_t)(l->end - l->at);
    const unsigned char *nl = memchr(l->at, '\n', left < room ? left : room);
    l->line++;
    l->text[0] = 0;
    if (!nl)
        return false;
    size_t n = (size_t)(nl - l->at);
    memcpy(l->text, l->at, n);
    l->text[n] = 0;
    l->at = nl + 1;
    return strlen(l->text) == n;
}

static enum status expect(struct lines *l, const char *text, struct error *err) {
    if (next_line(l) && strcmp(l->text, text) == 0)
        return STATUS_OK;
    return error_at(err, STATUS_INPUT, l->file, l->line, 1, "not a points file: \"%s\" is expected here",
                    text);
}

/* "element vertex N": decimal, no sign, no leading zero, below 2^48. */
static enum status read_count(struct lines *l, uint64_t *count, struct error *err) {
    static const char prefix[] = "element vertex ";
    if (next_line(l) && strncmp(l->text, prefix, sizeof prefix - 1) == 0) {
        const char *digits = l->text + sizeof prefix - 1;
        size_t n = strspn(digits, "0123456789");
        if (n > 0 && n < 15 && digits[n] == 0 && (n == 1 || digits[0] != '0')) {
            *count = 0;
            for (size_t i = 0; i < n; i++)
                *count = *count * 10 + (uint64_t)(digits[i] - '0');
            return STATUS_OK;
        }
    }
    return error_at(err, STATUS_INPUT, l->file, l->line, 1,
                    "not a points file: \"element vertex COUNT\" is expected here");
}

static enum status read_extras(struct lines *l, struct entity_schema *schema, struct error *err) {
    static const char prefix[] = "property float ";
    for (;;) {
        bool got = next_line(l);
        if (got && strcmp(l->text, "end_header") == 0)
            return STATUS_OK;
        const char *name = l->text + sizeof prefix - 1;
        if (!got || strncmp(l->text, prefix, sizeof prefix - 1) != 0 || strlen(name) >= ENTITY_NAME_MAX)
            return error_at(err, STATUS_INPUT, l->file, l->line, 1,
                            "not a points file: \"property float NAME\" or \"end_header\" is expected here");
        if (schema->extra_count == ENTITY_EXTRAS_MAX)
            return error_at(err, STATUS_INPUT, l->file, l->line, 1, "more than %d further attributes",
                            ENTITY_EXTRAS_MAX);
        strcpy(schema->extras[schema->extra_count++], name);
        if (!entity_schema_valid(schema))
            return error_at(err, STATUS_INPUT, l->file, l->line, 1,
                            "attribute \"%s\" stands twice or is not named by a-z, 0-9 and _", name);
    }
}

enum status ply_read(const char *file, const unsigned char *bytes, size_t size, struct ply *out,
                     struct error *err) {
    struct lines l = {.file = file, .at = bytes, .end = bytes + size};
    enum status status = STATUS_OK;
    *out = (struct ply){0};
    for (int i = 0; i < HEAD && !status; i++)
        status = expect(&l, head[i], err);
    if (!status)
        status = read_count(&l, &out->count, err);
    for (int i = 0; i < FIXED && !status; i++)
        status = expect(&l, fixed[i], err);
    if (!status)
        status = read_extras(&l, &out->schema, err);
    if (status)
        return status;
    uint64_t want = out->count * entity_stride(&out->schema), have = (uint64_t)(l.end - l.at);
    if (want != have)
        return error_at(err, STATUS_INPUT, file, 0, 0,
                        "%" PRIu64 " bytes of records are expected behind the header, %" PRIu64 " are there",
                        want, have);
    out->records = l.at;
    return STATUS_OK;
}

enum status ply_check(const char *file, const struct ply *ply, struct error *err) {
    size_t stride = entity_stride(&ply->schema);
    for (uint64_t i = 0; i < ply->count; i++) {
        const unsigned char *record = ply->records + i * stride;
        const char *wrong = entity_wrong(&ply->schema, record);
        if (!wrong && i > 0 && entity_record_id(record) <= entity_record_id(record - stride))
            wrong = "its id is not above the one before";
        if (wrong)
            return error_at(err, STATUS_INPUT, file, 0, 0, "vertex %" PRIu64 ": %s", i, wrong);
    }
    return STATUS_OK;
}
