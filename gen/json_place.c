#include "gen/json_place.h"

#include <string.h>

static size_t skip_space(const struct json_text *t, size_t at) {
    while (at < t->size &&
           (t->text[at] == ' ' || t->text[at] == '\t' || t->text[at] == '\n' || t->text[at] == '\r'))
        at++;
    return at;
}

/* Behind the string that begins at `at`. */
static size_t skip_string(const struct json_text *t, size_t at) {
    for (at++; at < t->size && t->text[at] != '"'; at++)
        if (t->text[at] == '\\')
            at++;
    return at < t->size ? at + 1 : t->size;
}

/* Behind the value that begins at `at`. */
static size_t skip_value(const struct json_text *t, size_t at) {
    size_t depth = 0;
    while (at < t->size) {
        char c = t->text[at];
        if (c == '"') {
            at = skip_string(t, at);
        } else if (c == '[' || c == '{') {
            depth++;
            at++;
        } else if (c == ']' || c == '}') {
            if (depth == 0)
                return at;
            depth--;
            at++;
        } else if (c == ',' && depth == 0) {
            return at;
        } else {
            at++;
            continue;
        }
        if (depth == 0)
            return at;
    }
    return t->size;
}

static size_t value_at(const struct json_text *t, size_t at) {
    at = skip_space(t, at);
    return at < t->size && t->text[at] != ']' && t->text[at] != '}' ? at : JSON_NOWHERE;
}

size_t json_root(const struct json_text *t) {
    size_t bom = t->size >= 3 && memcmp(t->text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    return value_at(t, bom);
}

size_t json_first(const struct json_text *t, size_t at) {
    if (at >= t->size || t->text[at] != '[')
        return JSON_NOWHERE;
    return value_at(t, at + 1);
}

size_t json_next(const struct json_text *t, size_t at) {
    if (at >= t->size)
        return JSON_NOWHERE;
    at = skip_space(t, skip_value(t, at));
    return at < t->size && t->text[at] == ',' ? value_at(t, at + 1) : JSON_NOWHERE;
}

size_t json_member(const struct json_text *t, size_t at, const char *key) {
    if (at >= t->size || t->text[at] != '{')
        return JSON_NOWHERE;
    size_t length = strlen(key);
    at = skip_space(t, at + 1);
    while (at < t->size && t->text[at] == '"') {
        size_t begin = at + 1, end = skip_string(t, at);
        bool same = end - begin == length + 1 && memcmp(t->text + begin, key, length) == 0;
        at = skip_space(t, end);
        if (at >= t->size || t->text[at] != ':')
            return JSON_NOWHERE;
        size_t value = value_at(t, at + 1);
        if (same || value == JSON_NOWHERE)
            return value;
        at = skip_space(t, skip_value(t, value));
        if (at < t->size && t->text[at] == ',')
            at = skip_space(t, at + 1);
    }
    return JSON_NOWHERE;
}

size_t json_position(const struct json_text *t, size_t at, size_t n) {
    size_t end = at < t->size ? skip_value(t, at) : 0;
    while (at < end) {
        if (t->text[at] == '"') {
            at = skip_string(t, at);
            continue;
        }
        if (t->text[at] == '[') {
            size_t inner = skip_space(t, at + 1);
            if (inner < end && t->text[inner] != '[' && n-- == 0)
                return at;
        }
        at++;
    }
    return JSON_NOWHERE;
}

void json_line_column(const struct json_text *t, size_t at, int32_t *line, int32_t *column) {
    *line = *column = 0;
    if (at >= t->size)
        return;
    bool marked = t->mark_line > 0 && at >= t->mark;
    *line = marked ? t->mark_line : 1;
    *column = marked ? t->mark_column : 1;
    for (size_t i = marked ? t->mark : 0; i < at; i++) {
        if (t->text[i] == '\n') {
            ++*line;
            *column = 1;
        } else if (((unsigned char)t->text[i] & 0xc0) != 0x80) { /* no continuation byte of UTF-8 */
            ++*column;
        }
    }
}

void json_mark(struct json_text *t, size_t at) {
    if (at >= t->size)
        return;
    int32_t line, column;
    json_line_column(t, at, &line, &column);
    t->mark = at;
    t->mark_line = line;
    t->mark_column = column;
}
