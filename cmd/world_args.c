#include "cmd/world_args.h"

#include "cmd/print.h"
#include "gen/os.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct world *cmd_load_world(const struct cmd_args *args, enum status *status) {
    char path[4096];
    struct os_info info;
    struct error err;
    snprintf(path, sizeof path, "%s", args->words[0]);
    if (os_info(path, &info, &err) == STATUS_OK && info.kind == OS_DIR)
        snprintf(path, sizeof path, "%s/world.yaml", args->words[0]);
    const char **sets;
    size_t count = cmd_values(args, "--set", &sets);
    struct world_options options = {sets, count};
    struct report report = {0};
    struct world *world = world_load(path, &options, &report);
    print_report(&report);
    *status = world ? STATUS_OK : report_status(&report);
    report_free(&report);
    free(sets);
    return world;
}

static enum status usage(const char *option, const char *text, const char *form, struct error *err) {
    return error_set(err, STATUS_USAGE, "%s %s: write %s", option, text, form);
}

static enum status select_blocks(struct selection *selection, const char *option, const char *text,
                                 struct error *err) {
    int32_t x, y;
    if (!select_parse_pair(text, &x, &y))
        return usage(option, text, "X,Y", err);
    if (strcmp(option, "--map") == 0)
        return select_block(selection, "map", MAP_CELLS, x, y, err);
    return select_block(selection, "section", SECTION_CELLS, x, y, err);
}

static enum status select_file(struct selection *selection, const char *path, struct error *err) {
    unsigned char *text;
    size_t size;
    enum status status =
        os_read_file(strcmp(path, "-") == 0 ? "/dev/stdin" : path, (size_t)64 << 20, &text, &size, err);
    if (status != STATUS_OK)
        return status;
    status = select_parse_lines(selection, path, (const char *)text, err);
    free(text);
    return status;
}

static enum status select_view(struct selection *selection, const char *text, struct error *err) {
    double n[9];
    if (!select_parse_numbers(text, n, 9)) {
        if (!select_parse_numbers(text, n, 8))
            return usage("--frustum", text, "x,y,z of the eye, x,y,z of the direction, FOV, FAR[,ASPECT]",
                         err);
        n[8] = 16.0 / 9.0;
    }
    return select_frustum(selection, n, n + 3, n[6], n[7], n[8], err);
}

static enum status select_one(struct selection *selection, const char *option, const char *text,
                              struct error *err) {
    double n[3];
    if (strcmp(option, "--map") == 0 || strcmp(option, "--section") == 0)
        return select_blocks(selection, option, text, err);
    if (strcmp(option, "--sector") == 0)
        return select_parse_sectors(selection, text, err);
    if (strcmp(option, "--sectors-from") == 0)
        return select_file(selection, text, err);
    if (strcmp(option, "--at") == 0)
        return select_parse_numbers(text, n, 2) ? select_at(selection, n[0], n[1], err)
                                                : usage(option, text, "X,Y in metres", err);
    if (strcmp(option, "--around") == 0)
        return select_parse_numbers(text, n, 3) ? select_around(selection, n[0], n[1], n[2], err)
                                                : usage(option, text, "X,Y,R in metres", err);
    return select_view(selection, text, err);
}

enum status cmd_select(const struct cmd_args *args, const struct world *world, struct selection *selection) {
    static const char *const options[] = {"--map", "--section", "--sector",  "--sectors-from",
                                          "--at",  "--around",  "--frustum", NULL};
    struct error err;
    enum status status = select_init(&world->extent, selection, &err);
    bool any = false;
    for (size_t i = 0; i < args->value_count && status == STATUS_OK; i++)
        for (const char *const *o = options; *o && status == STATUS_OK; o++)
            if (strcmp(args->values[i].option->name, *o) == 0) {
                any = true;
                status = select_one(selection, *o, args->values[i].text, &err);
            }
    if (status == STATUS_OK && !any)
        select_all(selection);
    if (status != STATUS_OK)
        print_error(&err);
    return status;
}
