#include "cmd/world_args.h"

#include "cmd/print.h"
#include "gen/os.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct world *cmd_read_world(const struct cmd_args *args, struct report *report) {
    char path[4096];
    struct os_info info;
    struct error err;
    snprintf(path, sizeof path, "%s", args->words[0]);
    if (os_info(path, &info, &err) == STATUS_OK && info.kind == OS_DIR)
        snprintf(path, sizeof path, "%s/world.yaml", args->words[0]);
    const char **sets;
    size_t count = cmd_values(args, "--set", &sets);
    struct world_options options = {sets, count};
    struct world *world = world_load(path, &options, report);
    free(sets);
    return world;
}

struct world *cmd_load_world(const struct cmd_args *args, bool warn, enum status *status) {
    struct report report = {0};
    struct world *world = cmd_read_world(args, &report);
    if (warn || !world)
        print_warnings(&report);
    *status = world ? STATUS_OK : report_status(&report);
    report_free(&report);
    return world;
}

static enum status usage(const char *text, const char *form, struct error *err) {
    return error_set(err, STATUS_USAGE, "'%s': write %s", text, form);
}

static enum status select_numbered(struct selection *selection, const char *what, int32_t block,
                                   const char *text, struct error *err) {
    int32_t x, y;
    return select_parse_pair(text, &x, &y) ? select_block(selection, what, block, x, y, err)
                                           : usage(text, "X,Y", err);
}

static enum status select_file(struct selection *selection, const char *path, struct error *err) {
    unsigned char *text;
    size_t size;
    bool in = strcmp(path, "-") == 0;
    enum status status = os_read_file(in ? OS_STDIN : path, (size_t)64 << 20, &text, &size, err);
    if (status != STATUS_OK)
        return status;
    const char *name = in ? "stdin" : path;
    if (memchr(text, '\0', size))
        status = error_at(err, STATUS_INPUT, name, 0, 0, "not a text: it has zero bytes");
    else
        status = select_parse_lines(selection, name, (const char *)text, err);
    free(text);
    return status;
}

static enum status select_view(struct selection *selection, const char *text, struct error *err) {
    double n[9];
    if (!select_parse_numbers(text, n, 9)) {
        if (!select_parse_numbers(text, n, 8))
            return usage(text, "x,y,z of the eye, x,y,z of the direction, FOV, FAR[,ASPECT]", err);
        n[8] = 16.0 / 9.0;
    }
    return select_frustum(selection, n, n + 3, n[6], n[7], n[8], err);
}

static enum status select_one(struct selection *selection, const char *option, const char *text,
                              struct error *err) {
    double n[3];
    if (strcmp(option, "--map") == 0)
        return select_numbered(selection, "map", MAP_CELLS, text, err);
    if (strcmp(option, "--section") == 0)
        return select_numbered(selection, "section", SECTION_CELLS, text, err);
    if (strcmp(option, "--sector") == 0)
        return select_parse_sectors(selection, text, err);
    if (strcmp(option, "--at") == 0)
        return select_parse_numbers(text, n, 2) ? select_at(selection, n[0], n[1], err)
                                                : usage(text, "X,Y in metres", err);
    if (strcmp(option, "--around") == 0)
        return select_parse_numbers(text, n, 3) ? select_around(selection, n[0], n[1], n[2], err)
                                                : usage(text, "X,Y,R in metres", err);
    return select_view(selection, text, err);
}

/* An option that selects: adds its sectors. The messages of a file have a place of their own. */
static enum status select_value(struct selection *selection, const struct cmd_value *value,
                                struct error *err) {
    const char *option = value->option->name;
    if (strcmp(option, "--sectors-from") == 0)
        return select_file(selection, value->text, err);
    enum status status = select_one(selection, option, value->text, err);
    return status == STATUS_OK ? STATUS_OK : error_context(err, "%s", option);
}

static bool selects(const char *option) {
    static const char *const options[] = {"--map", "--section", "--sector", "--sectors-from",
                                          "--at",  "--around",  "--frustum"};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        if (strcmp(option, options[i]) == 0)
            return true;
    return false;
}

enum status cmd_select(const struct cmd_args *args, const struct world *world, struct selection *selection) {
    struct error err;
    enum status status = select_init(&world->extent, selection, &err);
    bool any = false;
    for (size_t i = 0; i < args->value_count && status == STATUS_OK; i++)
        if (selects(args->values[i].option->name)) {
            any = true;
            status = select_value(selection, &args->values[i], &err);
        }
    if (status == STATUS_OK && !any)
        select_all(selection);
    if (status != STATUS_OK)
        print_failure(&err);
    else if (selection->cut)
        print_note("warning: a range of sectors reaches beyond the world: what is outside is left out");
    return status;
}
