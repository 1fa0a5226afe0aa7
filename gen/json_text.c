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

static void put_bytes(struct writer *w, const char *bytes, size_t size) {
    if (w->failed)
        return;
    if (w->size + size + 1 > w->room) {
        size_t room = 2 * (w->size + size + 64);
        char *more = realloc(w->bytes, room);
        if (!more) {
            w->failed = true;
            return;
        }
        w->bytes = more;
        w->room = room;
    }
    memcpy(w->bytes + w->size, bytes, size);
    w->size += size;
    w->bytes[w->size] = '\0';
}

static void put(struct writer *w, const char *text) {
    put_bytes(w, text, strlen(text));
}

static void put_line(struct writer *w, int depth) {
    put(w, "\n");
    for (int i = 0; i < depth * w->indent; i++)
        put(w, " ");
}

static void put_string(struct writer *w, const char *text) {
    json_t *string = json_string(text);
    char *quoted = string ? json_dumps(string, JSON_ENCODE_ANY) : NULL;
    if (quoted)
        put(w, quoted);
    else
        w->failed = true;
    free(quoted);
    json_decref(string);
}

static int by_text(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void put_value(struct writer *w, json_t *value, int depth);

static void put_object(struct writer *w, json_t *object, int depth) {
    size_t count = 0, size = json_object_size(object);
    const char **keys = malloc((size + 1) * sizeof *keys), *key;
    json_t *value;
    if (!keys) {
        w->failed = true;
        return;
    }
    json_object_foreach(object, key, value) keys[count++] = key;
    if (w->sorted)
        qsort(keys, count, sizeof *keys, by_text);
    put(w, "{");
    for (size_t i = 0; i < count; i++) {
        put(w, i ? "," : "");
        put_line(w, depth + 1);
        put_string(w, keys[i]);
        put(w, ": ");
        put_value(w, json_object_get(object, keys[i]), depth + 1);
    }
    if (count)
        put_line(w, depth);
    put(w, "}");
    free(keys);
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
        snprintf(text, sizeof text, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
        put(w, text);
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
    put(&w, "\n");
    if (w.failed || !root) {
        free(w.bytes);
        return NULL;
    }
    return w.bytes;
}
