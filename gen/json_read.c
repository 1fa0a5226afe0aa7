#include "gen/json_read.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH_MAX = 64, DIGITS_MAX = 18, NUMBER_MAX = 40 };

struct reader {
    const char *at, *end;
    bool unique;
};

static void skip_space(struct reader *r) {
    while (r->at < r->end && (*r->at == ' ' || *r->at == '\n' || *r->at == '\r' || *r->at == '\t'))
        r->at++;
}

/* Whether the next character is c; it is passed. */
static bool take(struct reader *r, char c) {
    skip_space(r);
    if (r->at == r->end || *r->at != c)
        return false;
    r->at++;
    return true;
}

static bool take_word(struct reader *r, const char *word) {
    size_t size = strlen(word);
    if ((size_t)(r->end - r->at) < size || memcmp(r->at, word, size) != 0)
        return false;
    r->at += size;
    return true;
}

/* A text without escapes, behind its first quote. *plain: of ASCII. NULL: unusual. */
static const char *take_text(struct reader *r, size_t *size, bool *plain) {
    const char *text = r->at;
    *plain = true;
    for (; r->at < r->end && *r->at != '"'; r->at++) {
        if ((unsigned char)*r->at < 0x20 || *r->at == '\\')
            return NULL;
        *plain = *plain && (unsigned char)*r->at < 0x80;
    }
    if (r->at == r->end)
        return NULL;
    *size = (size_t)(r->at++ - text);
    return text;
}

static bool is_digit(const struct reader *r) {
    return r->at < r->end && *r->at >= '0' && *r->at <= '9';
}

static const char *skip_digits(struct reader *r) {
    while (is_digit(r))
        r->at++;
    return r->at;
}

/* One or more digits are passed. */
static bool take_digits(struct reader *r) {
    const char *from = r->at;
    return skip_digits(r) > from;
}

static json_t *read_integer(const char *text, const char *end) {
    bool minus = *text == '-';
    json_int_t value = 0;
    text += minus;
    if (end - text > DIGITS_MAX)
        return NULL;
    for (; text < end; text++)
        value = 10 * value + (*text - '0');
    return json_integer(minus ? -value : value);
}

static json_t *read_number(struct reader *r) {
    const char *text = r->at;
    char copy[NUMBER_MAX];
    if (*r->at == '-')
        r->at++;
    const char *first = r->at;
    if (!take_digits(r) || (*first == '0' && r->at - first > 1))
        return NULL;
    bool whole = true;
    if (r->at < r->end && *r->at == '.') {
        r->at++;
        whole = false;
        if (!take_digits(r))
            return NULL;
    }
    if (r->at < r->end && (*r->at == 'e' || *r->at == 'E')) {
        r->at++;
        whole = false;
        if (r->at < r->end && (*r->at == '-' || *r->at == '+'))
            r->at++;
        if (!take_digits(r))
            return NULL;
    }
    if (whole)
        return read_integer(text, r->at);
    size_t size = (size_t)(r->at - text);
    if (size >= sizeof copy)
        return NULL;
    memcpy(copy, text, size);
    copy[size] = '\0';
    double value = strtod(copy, NULL);
    return isfinite(value) ? json_real(value) : NULL;
}

static json_t *read_value(struct reader *r, int32_t depth);

static json_t *read_array(struct reader *r, int32_t depth) {
    json_t *array = json_array();
    if (take(r, ']'))
        return array;
    do {
        json_t *value = read_value(r, depth);
        if (!value || json_array_append_new(array, value) != 0)
            goto unusual;
    } while (take(r, ','));
    if (take(r, ']'))
        return array;
unusual:
    json_decref(array);
    return NULL;
}

static bool read_member(struct reader *r, json_t *object, int32_t depth) {
    size_t size, members = json_object_size(object);
    bool plain;
    const char *key = take(r, '"') ? take_text(r, &size, &plain) : NULL;
    if (!key || !take(r, ':'))
        return false;
    json_t *value = read_value(r, depth);
    if (!value)
        return false;
    int failed = plain ? json_object_setn_new_nocheck(object, key, size, value)
                       : json_object_setn_new(object, key, size, value);
    return failed == 0 && (!r->unique || json_object_size(object) > members);
}

static json_t *read_object(struct reader *r, int32_t depth) {
    json_t *object = json_object();
    if (take(r, '}'))
        return object;
    do {
        if (!object || !read_member(r, object, depth))
            goto unusual;
    } while (take(r, ','));
    if (take(r, '}'))
        return object;
unusual:
    json_decref(object);
    return NULL;
}

static json_t *read_value(struct reader *r, int32_t depth) {
    size_t size;
    bool plain;
    if (depth == DEPTH_MAX)
        return NULL;
    if (take(r, '{'))
        return read_object(r, depth + 1);
    if (take(r, '['))
        return read_array(r, depth + 1);
    if (take(r, '"')) {
        const char *text = take_text(r, &size, &plain);
        return !text ? NULL : plain ? json_stringn_nocheck(text, size) : json_stringn(text, size);
    }
    if (r->at == r->end)
        return NULL;
    if (take_word(r, "true"))
        return json_true();
    if (take_word(r, "false"))
        return json_false();
    if (take_word(r, "null"))
        return json_null();
    return read_number(r);
}

json_t *json_read(const void *bytes, size_t size, bool unique, json_error_t *problem) {
    struct reader r = {bytes, (const char *)bytes + size, unique};
    skip_space(&r);
    bool whole = r.at < r.end && (*r.at == '{' || *r.at == '[');
    json_t *root = whole ? read_value(&r, 0) : NULL;
    skip_space(&r);
    if (root && r.at == r.end)
        return root;
    json_decref(root);
    return json_loadb(bytes, size, unique ? JSON_REJECT_DUPLICATES : 0, problem);
}

/* Passes a value: brackets and texts are heeded, nothing else. */
static bool skip_value(struct reader *r) {
    int32_t depth = 0;
    size_t size;
    bool plain;
    for (skip_space(r); r->at < r->end; r->at++) {
        char c = *r->at;
        if (depth == 0 && (c == ',' || c == '}'))
            return true;
        depth += c == '{' || c == '[';
        depth -= c == '}' || c == ']';
        if (c == '"') {
            r->at++;
            if (!take_text(r, &size, &plain))
                return false;
            r->at--;
        }
    }
    return false;
}

json_t *json_read_member(const void *bytes, size_t size, const char *key) {
    struct reader r = {bytes, (const char *)bytes + size, true};
    bool plain, more = take(&r, '{');
    while (more) {
        size_t length;
        const char *name = take(&r, '"') ? take_text(&r, &length, &plain) : NULL;
        if (!name || !take(&r, ':'))
            return NULL;
        if (length == strlen(key) && memcmp(name, key, length) == 0)
            return read_value(&r, 1);
        more = skip_value(&r) && take(&r, ',');
    }
    return NULL;
}
