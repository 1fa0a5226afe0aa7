#include "gen/json_text.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *number_text(double v, char out[32]) {
    if (v == 0) /* -0 too */
        v = 0;
    int least = fabs(v) < 1e-300 ? 1 : 15; /* up to 15 digits always come back, but near the least numbers */
    for (int digits = least; digits <= 17; digits++) { /* %g leaves out zeros at the end */
        snprintf(out, 32, "%.*g", digits, v);
        if (strtod(out, NULL) == v)
            break;
    }
    return out;
}

double number_of_float(float v) {
    char text[32];
    if (!isfinite(v))
        return (double)v;
    for (int digits = 6; digits <= 9; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, (double)v);
        if (strtof(text, NULL) == v)
            break;
    }
    return strtod(text, NULL);
}

struct writer {
    char *bytes;
    size_t size, room;
    int indent;
    bool sorted, failed;
};

static bool make_room(struct writer *w, size_t size) {
    if (w->failed)
        return false;
    if (w->size + size + 1 <= w->room)
        return true;
    size_t room = 2 * (w->size + size + 64);
    char *more = realloc(w->bytes, room);
    if (!more) {
        w->failed = true;
        return false;
    }
    w->bytes = more;
    w->room = room;
    return true;
}

static void put_bytes(struct writer *w, const char *bytes, size_t size) {
    if (!make_room(w, size))
        return;
    memcpy(w->bytes + w->size, bytes, size);
    w->size += size;
}

static void put(struct writer *w, const char *text) {
    put_bytes(w, text, strlen(text));
}

static void put_line(struct writer *w, int depth) {
    if (w->indent < 0)
        return;
    size_t spaces = (size_t)(depth * w->indent);
    if (!make_room(w, spaces + 1))
        return;
    w->bytes[w->size++] = '\n';
    memset(w->bytes + w->size, ' ', spaces);
    w->size += spaces;
}

/* Length of a text of printable ASCII without quotes and backslashes; 0: any other. */
static size_t plain_length(const char *text) {
    size_t size = 0;
    for (; text[size]; size++)
        if (text[size] < 0x20 || text[size] > 0x7e || text[size] == '"' || text[size] == '\\')
            return 0;
    return size;
}

static void put_string(struct writer *w, const char *text) {
    size_t plain = plain_length(text);
    if (plain > 0) {
        put_bytes(w, "\"", 1);
        put_bytes(w, text, plain);
        put_bytes(w, "\"", 1);
        return;
    }
    json_t *string = json_string(text);
    char *quoted = string ? json_dumps(string, JSON_ENCODE_ANY) : NULL;
    if (quoted)
        put(w, quoted);
    else
        w->failed = true;
    free(quoted);
    json_decref(string);
}

static void put_integer(struct writer *w, json_int_t value) {
    char digits[24];
    size_t at = sizeof digits;
    unsigned long long left = value < 0 ? 0ull - (unsigned long long)value : (unsigned long long)value;
    do {
        digits[--at] = (char)('0' + left % 10);
        left /= 10;
    } while (left > 0);
    if (value < 0)
        digits[--at] = '-';
    put_bytes(w, digits + at, sizeof digits - at);
}

struct member {
    const char *key;
    json_t *value;
};

static int by_key(const void *a, const void *b) {
    return strcmp(((const struct member *)a)->key, ((const struct member *)b)->key);
}

static void put_value(struct writer *w, json_t *value, int depth);

static void put_object(struct writer *w, json_t *object, int depth) {
    size_t count = 0, size = json_object_size(object);
    struct member *members = malloc((size + 1) * sizeof *members);
    const char *key;
    json_t *value;
    bool ordered = true; /* what was read from a sorted text is sorted */
    if (!members) {
        w->failed = true;
        return;
    }
    json_object_foreach(object, key, value) {
        members[count] = (struct member){key, value};
        ordered = ordered && (count == 0 || strcmp(members[count - 1].key, key) < 0);
        count++;
    }
    if (w->sorted && !ordered)
        qsort(members, count, sizeof *members, by_key);
    put(w, "{");
    for (size_t i = 0; i < count; i++) {
        put(w, i ? "," : "");
        put_line(w, depth + 1);
        put_string(w, members[i].key);
        put(w, w->indent < 0 ? ":" : ": ");
        put_value(w, members[i].value, depth + 1);
    }
    if (count)
        put_line(w, depth);
    put(w, "}");
    free(members);
}

static void put_value(struct writer *w, json_t *value, int depth) {
    char text[32];
    switch (json_typeof(value)) {
    case JSON_OBJECT:
        put_object(w, value, depth);
        break;
    case JSON_ARRAY:
        put(w, "[");
        for (size_t i = 0; i < json_array_size(value); i++) {
            put(w, i ? "," : "");
            put_line(w, depth + 1);
            put_value(w, json_array_get(value, i), depth + 1);
        }
        if (json_array_size(value))
            put_line(w, depth);
        put(w, "]");
        break;
    case JSON_STRING:
        put_string(w, json_string_value(value));
        break;
    case JSON_INTEGER:
        put_integer(w, json_integer_value(value));
        break;
    case JSON_REAL:
        put(w, number_text(json_real_value(value), text));
        break;
    case JSON_TRUE:
        put(w, "true");
        break;
    case JSON_FALSE:
        put(w, "false");
        break;
    case JSON_NULL:
        put(w, "null");
        break;
    }
}

char *json_text(const json_t *root, int indent, bool sorted) {
    struct writer w = {.indent = indent, .sorted = sorted};
    if (root)
        put_value(&w, (json_t *)(uintptr_t)root, 0); /* jansson walks objects that are not const */
    put(&w, indent < 0 ? "" : "\n");
    put_bytes(&w, "", 1); /* the end */
    if (w.failed || !root) {
        free(w.bytes);
        return NULL;
    }
    return w.bytes;
}
