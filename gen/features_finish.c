/* What can only be said of a whole set: its order, ids that stand twice, kinds that no tool knows. */
#include "gen/features_own.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Ends in the place where it stands, so that equal features are told apart in messages only. */
static int compare_items(const void *va, const void *vb) {
    const struct feature *a = va, *b = vb;
    int order = feature_compare(a, b);
    if (!order)
        order = strcmp(a->file, b->file);
    if (order)
        return order;
    return a->index < b->index ? -1 : a->index > b->index;
}

static int compare_ids(const void *va, const void *vb) {
    const struct feature *a = *(const struct feature *const *)va, *b = *(const struct feature *const *)vb;
    if (a->id_hash != b->id_hash)
        return a->id_hash < b->id_hash ? -1 : 1;
    int order = strcmp(a->id, b->id);
    if (!order)
        order = strcmp(a->file, b->file);
    if (order)
        return order;
    if (a->index != b->index)
        return a->index < b->index ? -1 : 1;
    return a->part < b->part ? -1 : a->part > b->part;
}

static void complain_twice(const struct feature *first, const struct feature *second, struct report *report) {
    report_add(
        report, REPORT_ERROR, STATUS_INPUT, second->file, second->line, second->column,
        "features[%u]: the id \"%s\" stands twice: it is also that of features[%u] at %s:%d:%d; every id "
        "of a world must be its own",
        (unsigned)second->index, second->id, (unsigned)first->index, first->file, first->line, first->column);
}

static void compare_neighbours(const struct feature *a, const struct feature *b, struct report *report) {
    if (a->id_hash != b->id_hash)
        return;
    if (strcmp(a->id, b->id) != 0)
        report_add(report, REPORT_ERROR, STATUS_INPUT, b->file, b->line, b->column,
                   "features[%u]: the ids \"%s\" and \"%s\" have the same 64-bit hash; change one",
                   (unsigned)b->index, b->id, a->id);
    else if (a->index != b->index || strcmp(a->file, b->file) != 0)
        complain_twice(a, b, report);
}

static bool is_of(const struct feature *item, const struct features *f) {
    return f && item >= f->items && item < f->items + f->count;
}

static enum status check_ids(const struct features *f, const struct features *other, struct report *report) {
    size_t room = f->count + (other ? other->count : 0), count = 0;
    const struct feature **by_id = malloc((room + 1) * sizeof(*by_id));
    if (!by_id)
        return STATUS_LIMIT;
    for (size_t i = 0; i < f->count; i++)
        if (f->items[i].id)
            by_id[count++] = &f->items[i];
    for (size_t i = 0; other && i < other->count; i++)
        if (other->items[i].id)
            by_id[count++] = &other->items[i];
    qsort(by_id, count, sizeof(*by_id), compare_ids);
    for (size_t i = 0; i + 1 < count; i++)
        if (!is_of(by_id[i], other) || !is_of(by_id[i + 1], other)) /* what they have twice has been said */
            compare_neighbours(by_id[i], by_id[i + 1], report);
    free(by_id);
    return STATUS_OK;
}

/* Items are in order, so copies are neighbours. */
static void warn_copies(const struct features *f, struct report *report) {
    size_t copies = 0;
    const struct feature *first = NULL;
    for (size_t i = 0; i + 1 < f->count; i++) {
        const struct feature *a = &f->items[i], *b = &f->items[i + 1];
        if (a->kind != b->kind || strcmp(a->kind_text, b->kind_text) != 0 ||
            feature_compare_points(a, b) != 0)
            continue;
        first = first ? first : b;
        copies++;
    }
    if (copies)
        report_add(report, REPORT_WARNING, STATUS_INPUT, first->file, first->line, first->column,
                   "%zu %s exactly the points of another of the same kind; the first is features[%u]", copies,
                   copies == 1 ? "feature has" : "features have", (unsigned)first->index);
}

/* One warning for all: names, counts, suggestions. Items are sorted by kind_text within FEATURE_OTHER. */
static void warn_unknown(const struct features *f, struct report *report) {
    char names[1024];
    size_t used = 0, total = 0, left_out = 0;
    const struct feature *first = NULL;
    names[0] = 0;
    for (size_t i = 0, n; i < f->count; i += n) {
        const struct feature *item = &f->items[i];
        for (n = 1; i + n < f->count && f->items[i + n].kind == item->kind &&
                    strcmp(f->items[i + n].kind_text, item->kind_text) == 0;)
            n++;
        if (item->kind != FEATURE_OTHER)
            continue;
        total += n;
        first = first ? first : item;
        const char *near = report_suggest(item->kind_text, feature_kind_names, FEATURE_KINDS);
        char one[160];
        int length = snprintf(one, sizeof one, "%s%.64s (%zu%s%s%s)", used ? ", " : "", item->kind_text, n,
                              near ? ", did you mean " : "", near ? near : "", near ? "?" : "");
        if (length < 0 || used + (size_t)length + 1 > sizeof names) {
            left_out++;
            continue;
        }
        memcpy(names + used, one, (size_t)length + 1);
        used += (size_t)length;
    }
    char more[48] = "";
    if (left_out)
        snprintf(more, sizeof more, " and %zu more kinds", left_out);
    if (total)
        report_add(report, REPORT_WARNING, STATUS_INPUT, first->file, first->line, first->column,
                   "%zu %s of a kind that no tool knows and %s nothing: %s%s", total,
                   total == 1 ? "feature is" : "features are", total == 1 ? "does" : "do", names, more);
}

enum status features_finish(struct features *f, const struct extent *extent, const struct features *other,
                            struct report *report) {
    size_t errors = report->errors;
    if (f->count > 1)
        qsort(f->items, f->count, sizeof *f->items, compare_items);
    enum status status = check_ids(f, other, report);
    if (!status)
        status = features_index_build(f, extent);
    if (status) {
        report_add(report, REPORT_ERROR, status, NULL, 0, 0, "no memory for %zu features", f->count);
        return status;
    }
    warn_copies(f, report);
    if (f->purpose == FEATURES_SPLINES)
        warn_unknown(f, report);
    return report->errors > errors ? STATUS_INPUT : STATUS_OK;
}
