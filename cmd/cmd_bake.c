/* terrane bake, and terrane plan, which is a bake that only says what it would do. */
#include "cmd/cmd.h"
#include "cmd/print.h"
#include "cmd/progress.h"
#include "cmd/world_args.h"
#include "gen/bake.h"
#include "gen/os.h"
#include "gen/trace.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What plan has as well. */
#define PLAN_OPTIONS                                                                                         \
    CMD_SELECT_OPTIONS, {"--tools", "A,B", false, "write only what these tools make (and the heights)"},     \
        CMD_SET_OPTION, {"--shard", "I/N", false, "of the chosen maps, the I-th of N parts (1..N)"},         \
        {"--store", "DIR", false,                                                                            \
         "where results are kept for the next bake (default: what world.yaml says)"},                        \
        {"--no-store", NULL, false, "keep nothing for the next bake"}, {                                     \
        "--threads", "N", false, "default: one a core; the result does not depend on it"                     \
    }

static const struct cmd_option plan_options[] = {PLAN_OPTIONS, {NULL, NULL, false, NULL}};

static const struct cmd_option bake_options[] = {
    {"--out", "DIR", false, "where the outputs go (default: out beside world.yaml)"},
    PLAN_OPTIONS,
    {"--memory", "MIB", false, "results held in memory before they are left on disk (default 512)"},
    {"--dry-run", NULL, false, "only say what would be made"},
    {"--strict", NULL, false, "exit 1 when a value had to be clamped or a budget is broken"},
    {"--trace", "FILE", false, "write what ran when as Chrome trace-event JSON"},
    {NULL, NULL, false, NULL},
};

static int tool_by_name(const char *name) {
    for (int i = 0; i < TOOL_COUNT; i++)
        if (strcmp(world_tool_names[i], name) == 0)
            return i;
    return -1;
}

static enum status no_tool(const struct world *world, const char *name, struct error *err) {
    const char *names[TOOL_COUNT] = {NULL};
    char hint[128], list[128] = "";
    size_t used = 0;
    for (size_t i = 0; i < world->tool_count; i++) {
        names[i] = world_tool_names[world->tools[i]];
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", names[i]);
    }
    cmd_suggest(name, names, world->tool_count, hint);
    return hint[0] ? error_set(err, STATUS_USAGE, "--tools: there is no tool '%s'%s", name, hint)
                   : error_set(err, STATUS_USAGE, "--tools: there is no tool '%s' (this world's: %s)", name,
                               used ? list : "none");
}

/* "a,b": marks the tools. */
static enum status parse_tools(const char *text, const struct world *world, bool tools[TOOL_COUNT],
                               struct error *err) {
    for (;;) {
        char name[64];
        size_t size = strcspn(text, ",");
        snprintf(name, sizeof name, "%.*s", (int)(size < 60 ? size : 60), text);
        int tool = tool_by_name(name);
        if (tool < 0)
            return no_tool(world, name, err);
        if (!world_has_tool(world, (enum world_tool)tool))
            return error_set(err, STATUS_USAGE, "--tools: '%s' is not among this world's tools", name);
        tools[tool] = true;
        if (text[size] == '\0')
            return STATUS_OK;
        text += size + 1;
    }
}

static enum status parse_shard(const char *text, struct selection *selection, struct error *err) {
    char first[16];
    const char *slash = strchr(text, '/');
    size_t size = slash ? (size_t)(slash - text) : sizeof first;
    long index, count;
    snprintf(first, sizeof first, "%.*s", (int)(size < sizeof first ? size : 0), text);
    if (size >= sizeof first || !cmd_parse_int(slash + 1, 1, INT32_MAX, &count) ||
        !cmd_parse_int(first, 1, count, &index))
        return error_set(err, STATUS_USAGE, "--shard '%s': write I/N with 1 <= I <= N", text);
    select_shard(selection, (int32_t)index - 1, (int32_t)count);
    return STATUS_OK;
}

/* ---- what would run ---- */

struct plan_list {
    int32_t (*at)[2];
    size_t count, room;
};

static void note_section(void *context, const struct stage *stage, const char *arg, int32_t x, int32_t y) {
    (void)stage;
    (void)arg;
    struct plan_list *list = context;
    if (x == INT32_MIN)
        return;
    for (size_t i = list->count; i-- > 0;)
        if (list->at[i][0] == x && list->at[i][1] == y)
            return;
    if (list->count == list->room) {
        size_t room = list->room ? list->room * 2 : 64;
        int32_t(*more)[2] = realloc(list->at, room * sizeof *more);
        if (!more)
            return;
        list->at = more;
        list->room = room;
    }
    list->at[list->count][0] = x;
    list->at[list->count++][1] = y;
}

static int by_row(const void *a, const void *b) {
    const int32_t *p = a, *q = b;
    if (p[1] != q[1])
        return p[1] < q[1] ? -1 : 1;
    return (p[0] > q[0]) - (p[0] < q[0]);
}

/* ---- results ---- */

/* Times say nothing beyond microseconds. */
static double micro(double seconds) {
    return floor(seconds * 1e6 + 0.5) / 1e6;
}

static json_t *report_json(const struct bake_report *report, const struct plan_list *plan, bool dry) {
    json_t *stages = json_array();
    for (int32_t i = 0; i < report->exec.stage_count; i++) {
        const struct exec_count *c = &report->exec.stages[i];
        if (!c->pairs)
            continue;
        json_t *stage =
            json_pack("{s:s, s:I, s:I, s:I}", "stage", c->stage->name, "pairs", (json_int_t)c->pairs,
                      dry ? "would_run" : "runs", (json_int_t)c->runs, "from_store", (json_int_t)c->hits);
        if (!dry)
            json_object_set_new(stage, "made_again", json_integer(c->again));
        json_object_set_new(stage, "cpu_s", json_real(micro(c->cpu_s)));
        json_array_append_new(stages, stage);
    }
    json_t *root = json_pack(
        "{s:b, s:I, s:I, s:I, s:o, s:f, s:f, s:I, s:I}", "dry_run", dry, "maps", (json_int_t)report->maps,
        "sections", (json_int_t)report->sections, "sectors", (json_int_t)report->sectors, "stages", stages,
        "wall_s", micro(report->wall_s), "cpu_s", micro(report->cpu_s), "results_bytes_peak",
        (json_int_t)report->exec.tile_bytes_peak, "memory_peak_bytes", (json_int_t)os_peak_memory());
    if (!dry)
        json_object_set_new(root, "entities", json_integer(report->files.entities));
    if (!dry)
        json_object_set_new(
            root, "files",
            json_pack("{s:I, s:I, s:I, s:I, s:I, s:I}", "written", (json_int_t)report->files.written, "kept",
                      (json_int_t)report->files.kept, "removed", (json_int_t)report->files.removed, "bytes",
                      (json_int_t)report->files.bytes, "clamped", (json_int_t)report->files.clamped,
                      "over_budget", (json_int_t)report->files.over));
    json_t *sections = json_array();
    for (size_t i = 0; dry && i < plan->count; i++)
        json_array_append_new(sections, json_pack("[i, i]", plan->at[i][0], plan->at[i][1]));
    if (dry)
        json_object_set(root, "sections_to_make", sections);
    json_decref(sections);
    return root;
}

static void print_plan(const struct bake_report *report, const struct plan_list *plan) {
    char a[32];
    char maps[32], sections[32], sectors[32];
    printf("asked for: %s, %s, %s\n", print_many(report->maps, "map", maps),
           print_many(report->sections, "section", sections), print_many(report->sectors, "sector", sectors));
    printf("%-20s %10s %10s %10s\n", "stage", "pairs", "would run", "in store");
    for (int32_t i = 0; i < report->exec.stage_count; i++) {
        const struct exec_count *c = &report->exec.stages[i];
        if (c->pairs)
            printf("%-20s %10" PRId64 " %10" PRId64 " %10" PRId64 "\n", c->stage->name, c->pairs, c->runs,
                   c->hits);
    }
    printf("sections with something to make: %zu", plan->count);
    for (size_t i = 0; i < plan->count && i < 200; i++)
        printf("%s%" PRId32 ",%" PRId32, i ? " " : "\n  ", plan->at[i][0], plan->at[i][1]);
    printf("%s\nresults held in memory at most: %s\n", plan->count > 200 ? " ..." : "",
           print_bytes((double)report->exec.tile_bytes_peak, a));
}

/* The last line: what came of it, and where to see it. */
static void print_look(const struct bake_report *report, const char *out) {
    char n[32], map[64], path[4200];
    struct os_info info = {.kind = OS_NOTHING};
    struct error err;
    snprintf(map, sizeof map, "maps/x%" PRId32 "_y%" PRId32, report->map_x, report->map_y);
    snprintf(path, sizeof path, "%s/%s/preview.png", out, map);
    const char *entities = report->files.entities == 1 ? "entity" : "entities";
    print_count(report->files.entities, n);
    if (report->pictures > 0)
        print_note("  %s %s; look at %s", n, entities, path);
    else if (os_info(path, &info, &err) == STATUS_OK && info.kind == OS_FILE)
        print_note(
            "  %s %s in %s/%s; its preview.png is still the last bake's of the whole map (--map %" PRId32
            ",%" PRId32 " makes it anew)",
            n, entities, out, map, report->map_x, report->map_y);
    else
        print_note("  %s %s in %s/%s; no picture yet: --map %" PRId32 ",%" PRId32
                   ", a whole map without --tools, makes preview.png",
                   n, entities, out, map, report->map_x, report->map_y);
}

static void print_summary(const struct bake_report *report, const char *out) {
    char a[32], b[32], c[32];
    int64_t runs = 0, hits = 0;
    for (int32_t i = 0; i < report->exec.stage_count; i++) {
        runs += report->exec.stages[i].runs;
        hits += report->exec.stages[i].hits;
    }
    if (report->sectors == 0) {
        print_note("nothing to bake: no sector is chosen");
        return;
    }
    print_note("baked %s in %s: %.2f s, %.2f core-seconds, %s at most",
               print_many(report->sectors, "sector", b), print_many(report->maps, "map", c), report->wall_s,
               report->cpu_s, print_bytes((double)os_peak_memory(), a));
    print_note("  stages: %s made, %s from the store; files: %" PRId64 " written (%s), %" PRId64
               " already right, %" PRId64 " removed",
               print_count(runs, b), print_count(hits, c), report->files.written,
               print_bytes((double)report->files.bytes, a), report->files.kept, report->files.removed);
    if (report->files.anew)
        print_note("warning: %s was damaged and is written anew, with what was baked now: bake whole maps to "
                   "list the rest",
                   print_many(report->files.anew, "map's manifest", a));
    if (report->files.clamped)
        print_note("warning: %s beyond an output's range and clamped; the manifests say where",
                   print_many(report->files.clamped, "value", a));
    if (report->files.over)
        print_note("warning: %s broken; the manifests name all: %s",
                   print_many(report->files.over, "budget", a), report->files.over_first);
    print_look(report, out);
}

/* ---- the commands ---- */

static enum status read_options(const struct cmd_args *args, const struct world *world,
                                struct selection *selection, struct bake_options *options, char out[4096],
                                struct error *err) {
    long threads, memory;
    const char *shard = cmd_value(args, "--shard"), *tools = cmd_value(args, "--tools");
    if (!cmd_int(args, "--threads", 1, 1024, os_cpu_count(), &threads) ||
        !cmd_int(args, "--memory", 16, 1 << 24, 512, &memory))
        return STATUS_USAGE;
    options->threads = (int32_t)threads;
    options->memory_limit = (uint64_t)memory << 20;
    const char *given = cmd_value(args, "--out");
    if (given)
        snprintf(out, 4096, "%s", given);
    else
        snprintf(out, 4096, "%s/out", world->dir);
    options->out = out;
    options->store = cmd_flag(args, "--no-store") ? "" : cmd_value(args, "--store");
    options->some_tools = tools != NULL;
    options->whole = select_has_all(selection, world->extent.cells); /* before a shard is taken */
    enum status status = shard ? parse_shard(shard, selection, err) : STATUS_OK;
    if (status == STATUS_OK && tools)
        status = parse_tools(tools, world, options->tools, err);
    if (status != STATUS_OK)
        print_failure(err);
    return status;
}

static enum status run(const struct cmd_args *args, bool dry) {
    enum status status;
    struct world *world = cmd_load_world(args, !dry, &status);
    if (!world)
        return status;
    struct selection selection = {0};
    struct bake_options options = {0};
    struct plan_list plan = {0};
    char out[4096];
    struct error err;
    const char *trace = cmd_value(args, "--trace");
    status = cmd_select(args, world, &selection);
    if (status == STATUS_OK)
        status = read_options(args, world, &selection, &options, out, &err);
    struct bake_report report = {0};
    struct report notes = {0};
    if (status == STATUS_OK) {
        struct progress progress;
        options.notes = &notes;
        progress_start(&progress, "baking");
        options.dry_run = dry;
        options.would_run = note_section;
        options.would_run_context = &plan;
        options.progress = progress_step;
        options.progress_context = &progress;
        options.trace = trace ? trace_new(options.threads) : NULL;
        status = bake_run(world, &selection, &options, &report, &err);
        progress_end(&progress);
        if (status == STATUS_OK && trace)
            status = trace_write(options.trace, trace, &err);
        trace_free(options.trace);
        print_report(&notes);
        report_free(&notes);
        if (report.has_trouble)
            print_note("warning: results could not be kept for the next bake: %s: %s", report.trouble.file,
                       report.trouble.message);
        if (status != STATUS_OK)
            print_failure(&err);
    }
    if (status == STATUS_OK) {
        if (plan.count)
            qsort(plan.at, plan.count, sizeof *plan.at, by_row);
        if (cmd_flag(args, "--json"))
            print_json(report_json(&report, &plan, dry));
        else if (dry)
            print_plan(&report, &plan);
        else
            print_summary(&report, out);
        if ((report.files.clamped || report.files.over) && cmd_flag(args, "--strict"))
            status = STATUS_DIFFERENT;
    }
    free(plan.at);
    select_free(&selection);
    world_free(world);
    return status;
}

static enum status run_bake(const struct cmd_args *args) {
    return run(args, cmd_flag(args, "--dry-run"));
}

static enum status run_plan(const struct cmd_args *args) {
    return run(args, true);
}

const struct cmd_command cmd_bake = {
    .name = "bake",
    .usage = "WORLD [--out DIR] [--map X,Y] [--sector X,Y[..X,Y]] [--at X,Y] ...",
    .summary = "make outputs for the whole world or for chosen sectors",
    .details = "WORLD is a world.yaml or the folder that holds it. Several selections add up. The result\n"
               "depends on the inputs and the place only: not on the selection, the threads or the store.",
    .min_words = 1,
    .max_words = 1,
    .options = bake_options,
    .run = run_bake,
};

const struct cmd_command cmd_plan = {
    .name = "plan",
    .usage = "WORLD [--map X,Y] [--sector X,Y[..X,Y]] ...",
    .summary = "say what a bake would do",
    .details = "The same as bake --dry-run: which stages would run in how many sections, what the store\n"
               "has already, and the memory that results would take. A pair is a stage in a section.",
    .min_words = 1,
    .max_words = 1,
    .options = plan_options,
    .run = run_plan,
};
