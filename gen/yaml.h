/* Owns YAML documents as trees whose every node knows its line and column (libyaml's document API), and the
 * typed getters with which world.yaml and recipes are read: each getter reports what is wrong at its place
 * and goes on, so that one pass finds every mistake. Knows nothing of what the keys mean.
 *
 * Scalars are those of YAML 1.2's core schema: true and false, not yes and no; a plain null, ~ or nothing is
 * no value. Tags and several documents are refused; aliases are copies of what they name. */
#ifndef GEN_YAML_H
#define GEN_YAML_H
#include "gen/report.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum yaml_kind { YAML_SCALAR, YAML_LIST, YAML_MAP };

enum {
    YAML_SIZE_MAX = 16 << 20,     /* bytes of a file */
    YAML_NODES_MAX = 1000000,     /* after aliases are expanded */
    YAML_EXPANDED_MAX = 64 << 20, /* bytes of all scalars, after the same */
    YAML_DEPTH_MAX = 64
};

struct yaml_node {
    enum yaml_kind kind;
    const char *file;         /* where the node stands; lives as long as the tree */
    int32_t line, column;     /* 1-based; 0 when set by --set */
    char *text;               /* scalars: the value, zero-terminated */
    bool quoted;              /* scalars: written in quotes, so never a number or null */
    struct yaml_node **keys;  /* maps: scalars, in file order; duplicates are reported when reading */
    struct yaml_node **items; /* maps and lists */
    size_t count;
    bool *used;   /* maps: which keys a getter has asked for; see yaml_unknown_keys */
    char **asked; /* maps: every name that a getter has asked for */
    size_t asked_count;
    char *owned_file;       /* the root's */
    struct yaml_node *kept; /* roots: another tree's root that lives as long, see yaml_overlay */
};

/* Reads a file (UTF-8, with or without a byte order mark). Reports and returns NULL when it cannot be read or
 * is no YAML. Duplicate keys are reported, the first counts. The tree is freed by yaml_tree_free. */
struct yaml_node *yaml_read(const char *path, struct report *report);
/* The same for a file that `at` names: what keeps it from being read is reported there. `written` is what
 * messages call it then. */
struct yaml_node *yaml_read_named(const char *path, const struct yaml_node *at, const char *written,
                                  struct report *report);
/* The same from memory; `file` is what messages call it. */
struct yaml_node *yaml_parse(const char *file, const char *text, size_t size, struct report *report);
void yaml_tree_free(struct yaml_node *root); /* the name yaml_free is libyaml's */

/* Sets a value by a dotted path ("output.height", "biomes.trees[2].density"; an index equal to the list's
 * length appends), making maps on the way: for --set. The value is parsed as YAML. The new nodes' file is
 * "--set". */
enum status yaml_set(struct yaml_node *root, const char *path, const char *value, struct error *err);

/* ---- trees made of several; every node keeps its file and place. False, NULL: out of memory ---- */

/* A copy of a node and all below it; the tree of the original must outlive it. *left is how many nodes may
 * still be copied: NULL and *left 0 when they do not suffice. */
struct yaml_node *yaml_copy(const struct yaml_node *node, size_t *left);
/* Adds a key to a map that has none of that name. Takes both nodes, frees them when it fails. */
bool yaml_add(struct yaml_node *map, struct yaml_node *key, struct yaml_node *item);
/* Takes a key out of a map and frees it and its value. */
void yaml_remove(struct yaml_node *map, const char *key);
/* Lays the map `over` over the map `under`: where both have a key, maps are laid over maps, and anything else
 * is replaced; what only `over` has is appended; no value (~) takes a key away. Moves over's nodes into
 * under; over's root must live as long as under's (yaml_keep). */
bool yaml_overlay(struct yaml_node *under, struct yaml_node *over);
/* Whether two nodes say the same: keys in any order, numbers by their value. */
bool yaml_equal(const struct yaml_node *a, const struct yaml_node *b);
/* root frees `other` as well when it is freed. */
void yaml_keep(struct yaml_node *root, struct yaml_node *other);

/* The value of a map's key, or NULL; marks it used. NULL or another kind: NULL. */
struct yaml_node *yaml_get(struct yaml_node *map, const char *key);
/* Whether a map has a key; marks nothing. NULL or another kind: false. */
bool yaml_has(const struct yaml_node *map, const char *key);
/* The key of a map that is much like a name, or NULL. */
const char *yaml_near_key(const struct yaml_node *map, const char *name);
/* Reports every key of the map that no getter has asked for, "did you mean" among those that were asked.
 * `what` is what the messages call the map: "height"; "" for the top of a file. */
void yaml_unknown_keys(struct yaml_node *map, const char *what, struct report *report);

/* Typed getters: true when the key is there and right (then *out is set); false when it is absent (nothing
 * reported) or wrong (reported, with the range and unit). */
bool yaml_get_f64(struct yaml_node *map, const char *key, double min, double max, const char *unit,
                  double *out, struct report *report);
bool yaml_get_i64(struct yaml_node *map, const char *key, int64_t min, int64_t max, int64_t *out,
                  struct report *report);
bool yaml_get_bool(struct yaml_node *map, const char *key, bool *out, struct report *report);
bool yaml_get_text(struct yaml_node *map, const char *key, const char **out, struct report *report);
/* One of `count` words; *out is its index. */
bool yaml_get_enum(struct yaml_node *map, const char *key, const char *const *words, size_t count,
                   int32_t *out, struct report *report);
/* A list of exactly n numbers. */
bool yaml_get_f64_list(struct yaml_node *map, const char *key, size_t n, double min, double max,
                       const char *unit, double *out, struct report *report);
/* A child map or list, or NULL; reports when it is another kind. */
struct yaml_node *yaml_get_map(struct yaml_node *map, const char *key, struct report *report);
struct yaml_node *yaml_get_list(struct yaml_node *map, const char *key, struct report *report);

/* What the getters do with a value that the caller has already, called `name` in messages ("layers[2]"). */
bool yaml_as_f64(const struct yaml_node *node, const char *name, double min, double max, const char *unit,
                 double *out, struct report *report);
bool yaml_as_i64(const struct yaml_node *node, const char *name, int64_t min, int64_t max, int64_t *out,
                 struct report *report);
bool yaml_as_bool(const struct yaml_node *node, const char *name, bool *out, struct report *report);
bool yaml_as_text(const struct yaml_node *node, const char *name, const char **out, struct report *report);
bool yaml_as_enum(const struct yaml_node *node, const char *name, const char *const *words, size_t count,
                  int32_t *out, struct report *report);

/* A scalar as a number (no units, no locale: '.', exponent allowed, no hex, no inf or nan). */
bool yaml_number(const struct yaml_node *node, double *out);
/* No value: plain nothing, ~ or null. */
bool yaml_null(const struct yaml_node *node);
/* False: a key without a value (reported). */
bool yaml_has_value(const struct yaml_node *node, const char *name, struct report *report);
/* "a map", "a list", "text". */
const char *yaml_kind_name(const struct yaml_node *node);
/* What a message says of a wrong value: 'text' (cut when long), a map, a list. */
enum { YAML_SHOWN_MAX = 68 };
const char *yaml_shown(const struct yaml_node *node, char out[YAML_SHOWN_MAX]);
/* Reports at a node: an error of status STATUS_INPUT, a warning or a note. */
void yaml_complain(const struct yaml_node *node, struct report *report, const char *format, ...)
    PRINTF_LIKE(3, 4);
void yaml_warn(const struct yaml_node *node, struct report *report, const char *format, ...)
    PRINTF_LIKE(3, 4);
void yaml_note(const struct yaml_node *node, struct report *report, const char *format, ...)
    PRINTF_LIKE(3, 4);

#endif
