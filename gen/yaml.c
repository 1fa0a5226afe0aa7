#include "gen/yaml.h"

#include "gen/os.h"
#include "gen/yaml_syntax.h"
#include <stdlib.h>
#include <string.h>

static const char too_deep[] = "nested more than 64 deep";

struct reading {
    const char *file;
    yaml_document_t *document;
    struct report *report;
    size_t nodes, bytes; /* so far, aliases expanded */
    bool stopped;        /* a limit or memory: reported */
};

static int32_t mark_line(yaml_mark_t mark) {
    return (int32_t)mark.line + 1;
}
static int32_t mark_column(yaml_mark_t mark) {
    return (int32_t)mark.column + 1;
}

static void node_free(struct yaml_node *node) {
    if (!node)
        return;
    for (size_t i = 0; i < node->count; i++) {
        node_free(node->items[i]);
        if (node->keys)
            node_free(node->keys[i]);
    }
    for (size_t i = 0; i < node->asked_count; i++)
        free(node->asked[i]);
    free(node->asked);
    free(node->items);
    free(node->keys);
    free(node->used);
    free(node->text);
    node_free(node->kept);
    free(node->owned_file);
    free(node);
}

void yaml_tree_free(struct yaml_node *root) {
    node_free(root);
}

static void *stop(struct reading *r, enum status status, const yaml_node_t *at, const char *why) {
    if (!r->stopped)
        report_add(r->report, REPORT_ERROR, status, r->file, mark_line(at->start_mark),
                   mark_column(at->start_mark), "%s", why);
    r->stopped = true;
    return NULL;
}

static struct yaml_node *convert(struct reading *r, int index, int depth);

/* What would steer a terminal: the first control character but tabs and ends of lines; 0: there is none. */
static unsigned find_control(const char *text, size_t size) {
    for (size_t i = 0; i < size; i++) {
        unsigned c = (unsigned char)text[i], after = i + 1 < size ? (unsigned char)text[i + 1] : 0;
        if ((c < 0x20 && c != '\t' && c != '\n' && c != '\r') || c == 0x7f)
            return c;
        if (c == 0xc2 && after >= 0x80 && after < 0xa0)
            return after;
    }
    return 0;
}

static bool convert_scalar(struct reading *r, const yaml_node_t *from, struct yaml_node *to) {
    size_t size = from->data.scalar.length;
    r->bytes += size;
    if (r->bytes > YAML_EXPANDED_MAX) {
        stop(r, STATUS_LIMIT, from, "aliases expand to more than 64 MiB of text");
        return false;
    }
    const char *text = (const char *)from->data.scalar.value;
    if (memchr(text, '\0', size))
        report_add(r->report, REPORT_ERROR, STATUS_INPUT, r->file, to->line, to->column,
                   "text must not hold a zero character");
    else if (find_control(text, size))
        report_add(r->report, REPORT_ERROR, STATUS_INPUT, r->file, to->line, to->column,
                   "text must not hold the control character \\x%02x", find_control(text, size));
    to->text = malloc(size + 1);
    if (!to->text) {
        stop(r, STATUS_LIMIT, from, "out of memory");
        return false;
    }
    memcpy(to->text, text, size);
    to->text[size] = '\0';
    to->quoted = from->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
    return true;
}

static bool convert_list(struct reading *r, const yaml_node_t *from, struct yaml_node *to, int depth) {
    size_t n = (size_t)(from->data.sequence.items.top - from->data.sequence.items.start);
    to->items = calloc(n ? n : 1, sizeof *to->items);
    if (!to->items) {
        stop(r, STATUS_LIMIT, from, "out of memory");
        return false;
    }
    for (size_t i = 0; i < n; i++) {
        to->items[i] = convert(r, from->data.sequence.items.start[i], depth + 1);
        if (!to->items[i])
            return false;
        to->count++;
    }
    return true;
}

struct key_order {
    const struct yaml_node *key;
    size_t index;
};

static int by_text(const void *a, const void *b) {
    const struct key_order *p = a, *q = b;
    int order = strcmp(p->key->text, q->key->text);
    return order ? order : p->index < q->index ? -1 : 1;
}

static void find_duplicates(struct reading *r, const struct yaml_node *map) {
    struct key_order *order = calloc(map->count ? map->count : 1, sizeof *order);
    if (!order)
        return;
    size_t n = 0;
    for (size_t i = 0; i < map->count; i++)
        if (map->keys[i]->kind == YAML_SCALAR)
            order[n++] = (struct key_order){map->keys[i], i};
    qsort(order, n, sizeof *order, by_text);
    for (size_t i = 1, first = 0; i < n; i++) {
        if (strcmp(order[i].key->text, order[first].key->text) == 0)
            yaml_complain(order[i].key, r->report, "duplicate key '%s' (first on line %d)",
                          order[i].key->text, (int)order[first].key->line);
        else
            first = i;
    }
    free(order);
}

static bool convert_map(struct reading *r, const yaml_node_t *from, struct yaml_node *to, int depth) {
    const yaml_node_pair_t *pairs = from->data.mapping.pairs.start;
    size_t n = (size_t)(from->data.mapping.pairs.top - pairs);
    to->items = calloc(n ? n : 1, sizeof *to->items);
    to->keys = calloc(n ? n : 1, sizeof *to->keys);
    to->used = calloc(n ? n : 1, sizeof *to->used);
    if (!to->items || !to->keys || !to->used) {
        stop(r, STATUS_LIMIT, from, "out of memory");
        return false;
    }
    for (size_t i = 0; i < n; i++) {
        struct yaml_node *key = convert(r, pairs[i].key, depth + 1);
        struct yaml_node *item = key ? convert(r, pairs[i].value, depth + 1) : NULL;
        if (!item) {
            node_free(key);
            return false;
        }
        if (key->kind != YAML_SCALAR || yaml_null(key)) {
            yaml_complain(key, r->report, "a key must be a word");
            node_free(key);
            node_free(item);
            continue;
        }
        to->keys[to->count] = key;
        to->items[to->count++] = item;
    }
    find_duplicates(r, to);
    return true;
}

static bool tag_is_plain(const yaml_node_t *node) {
    const char *tag = (const char *)node->tag;
    return !tag || strcmp(tag, YAML_STR_TAG) == 0 || strcmp(tag, YAML_SEQ_TAG) == 0 ||
           strcmp(tag, YAML_MAP_TAG) == 0;
}

/* A copy of a document's node and all below it. An alias that names what holds it ends at the depth limit. */
static struct yaml_node *convert(struct reading *r, int index, int depth) {
    const yaml_node_t *from = yaml_document_get_node(r->document, index);
    if (depth > YAML_DEPTH_MAX)
        return stop(r, STATUS_LIMIT, from, too_deep);
    if (++r->nodes > YAML_NODES_MAX)
        return stop(r, STATUS_LIMIT, from, "more than 1000000 values (aliases expanded)");
    struct yaml_node *to = calloc(1, sizeof *to);
    if (!to)
        return stop(r, STATUS_LIMIT, from, "out of memory");
    to->file = r->file;
    to->line = mark_line(from->start_mark);
    to->column = mark_column(from->start_mark);
    if (!tag_is_plain(from))
        yaml_complain(to, r->report, "tags are not supported: '%s'", (const char *)from->tag);
    bool good;
    if (from->type == YAML_SEQUENCE_NODE) {
        to->kind = YAML_LIST;
        good = convert_list(r, from, to, depth);
    } else if (from->type == YAML_MAPPING_NODE) {
        to->kind = YAML_MAP;
        good = convert_map(r, from, to, depth);
    } else {
        to->kind = YAML_SCALAR;
        good = convert_scalar(r, from, to);
    }
    if (!good) {
        node_free(to);
        return NULL;
    }
    return to;
}

/* The next document of the stream as a tree. False when there is none or it has errors (reported). */
static struct yaml_node *load(yaml_parser_t *parser, const char *file, const char *text, size_t size,
                              struct report *report) {
    yaml_document_t document;
    if (!yaml_parser_load(parser, &document)) {
        yaml_report_syntax(parser, file, text, size, report);
        return NULL;
    }
    struct yaml_node *root = NULL;
    char *owned = strdup(file);
    struct reading r = {.file = owned, .document = &document, .report = report};
    if (!owned)
        report_add(report, REPORT_ERROR, STATUS_LIMIT, file, 0, 0, "out of memory");
    else if (!yaml_document_get_root_node(&document))
        report_add(report, REPORT_ERROR, STATUS_INPUT, file, 1, 1, "the file is empty");
    else
        root = convert(&r, 1, 1); /* libyaml counts from 1, the root first */
    yaml_document_delete(&document);
    if (root)
        root->owned_file = owned;
    else
        free(owned);
    return root;
}

static void refuse_second(yaml_parser_t *parser, const char *file, const char *text, size_t size,
                          struct report *report) {
    yaml_document_t document;
    if (!yaml_parser_load(parser, &document)) {
        yaml_report_syntax(parser, file, text, size, report);
        return;
    }
    if (yaml_document_get_root_node(&document))
        report_add(report, REPORT_ERROR, STATUS_INPUT, file, mark_line(document.start_mark),
                   mark_column(document.start_mark), "a second document: one file holds one");
    yaml_document_delete(&document);
}

static void start_parser(yaml_parser_t *parser, const char *text, size_t size) {
    yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(parser, (const unsigned char *)text, size);
}

/* Whether so many brackets are open somewhere; those in quotes and comments count as well. */
static bool opens_many(const char *text, size_t size) {
    int open = 0;
    for (size_t i = 0; i < size && open <= YAML_DEPTH_MAX; i++) {
        if (text[i] == '[' || text[i] == '{')
            open++;
        else if ((text[i] == ']' || text[i] == '}') && open > 0)
            open--;
    }
    return open > YAML_DEPTH_MAX;
}

/* libyaml takes quadratic time for brackets in brackets: text that may have many is first gone through up to
 * the depth limit. True: it is passed (reported). */
static bool passes_depth(const char *file, const char *text, size_t size, struct report *report) {
    yaml_parser_t parser;
    yaml_event_t event;
    if (!opens_many(text, size) || !yaml_parser_initialize(&parser))
        return false;
    start_parser(&parser, text, size);
    int depth = 0;
    bool end = false;
    while (!end && depth <= YAML_DEPTH_MAX && yaml_parser_parse(&parser, &event)) {
        depth += event.type == YAML_SEQUENCE_START_EVENT || event.type == YAML_MAPPING_START_EVENT;
        depth -= event.type == YAML_SEQUENCE_END_EVENT || event.type == YAML_MAPPING_END_EVENT;
        end = event.type == YAML_STREAM_END_EVENT;
        if (depth > YAML_DEPTH_MAX)
            report_add(report, REPORT_ERROR, STATUS_LIMIT, file, mark_line(event.start_mark),
                       mark_column(event.start_mark), "%s", too_deep);
        yaml_event_delete(&event);
    }
    yaml_parser_delete(&parser);
    return depth > YAML_DEPTH_MAX;
}

struct yaml_node *yaml_parse(const char *file, const char *text, size_t size, struct report *report) {
    if (size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) {
        text += 3;
        size -= 3;
    }
    if (size > YAML_SIZE_MAX) {
        report_add(report, REPORT_ERROR, STATUS_LIMIT, file, 0, 0, "is larger than 16 MiB");
        return NULL;
    }
    report_source(report, file, text, size);
    if (size >= 2 && (memcmp(text, "\xff\xfe", 2) == 0 || memcmp(text, "\xfe\xff", 2) == 0)) {
        report_add(report, REPORT_ERROR, STATUS_INPUT, file, 1, 1, "UTF-16 text: save it as UTF-8");
        return NULL;
    }
    if (passes_depth(file, text, size, report))
        return NULL;
    yaml_parser_t parser;
    if (!yaml_parser_initialize(&parser)) {
        report_add(report, REPORT_ERROR, STATUS_LIMIT, file, 0, 0, "out of memory");
        return NULL;
    }
    start_parser(&parser, text, size);
    struct yaml_node *root = load(&parser, file, text, size, report);
    if (root)
        refuse_second(&parser, file, text, size, report);
    yaml_parser_delete(&parser);
    return root;
}

struct yaml_node *yaml_read_named(const char *path, const struct yaml_node *at, const char *written,
                                  struct report *report) {
    unsigned char *bytes;
    size_t size;
    struct error err;
    if (os_read_file(path, YAML_SIZE_MAX, &bytes, &size, &err) != STATUS_OK) {
        if (at)
            report_add(report, REPORT_ERROR, err.status, at->file, at->line, at->column, "%s: %s", written,
                       err.message);
        else
            report_error(report, &err);
        return NULL;
    }
    struct yaml_node *root = yaml_parse(path, (const char *)bytes, size, report);
    free(bytes);
    return root;
}

struct yaml_node *yaml_read(const char *path, struct report *report) {
    return yaml_read_named(path, NULL, path, report);
}
