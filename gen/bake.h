/* Owns a bake: chosen sectors of a world, through the executor, into an out folder, map by map. Prints
 * nothing; cmd/bake.c tells people about it. */
#ifndef GEN_BAKE_H
#define GEN_BAKE_H
#include "gen/exec.h"
#include "gen/publish.h"
#include "gen/report.h"
#include "gen/select.h"
#include "gen/world.h"

struct bake_options {
    const char *out;        /* the folder; made when absent */
    const char *store;      /* NULL: what the world says; "": none is kept (a temporary one inside out) */
    bool tools[TOOL_COUNT]; /* what is written; used when some_tools */
    bool some_tools;
    bool whole; /* all of the world was chosen, be it in shards: maps that it no longer has are removed */
    int32_t threads;
    uint64_t memory_limit; /* bytes of results in memory */
    bool dry_run;
    void (*would_run)(void *context, const struct stage *stage, const char *arg, int32_t section_x,
                      int32_t section_y); /* gen/exec.h */
    void *would_run_context;
    struct trace *trace;
    void (*progress)(void *context, int64_t done, int64_t total);
    void *progress_context;
    struct report *notes; /* warnings about what was drawn, from the stages that saw it; may be NULL */
};

struct bake_report {
    struct exec_report exec;
    struct publish_counts files;
    int64_t maps, sections, sectors; /* asked for */
    int64_t pictures;                /* maps whose preview.png was made */
    int32_t map_x, map_y;            /* the first map that has one, or else the first map */
    double wall_s, cpu_s;
    bool has_trouble;     /* the store could not keep results: */
    struct error trouble; /* why; the bake went on */
};

/* Bakes the chosen sectors. Whatever is returned, each file of the out folder is old or new, and each map's
 * manifest is that of a complete set. */
enum status bake_run(const struct world *world, const struct selection *selection,
                     const struct bake_options *options, struct bake_report *report, struct error *err);

/* Opens the store that a bake of this world uses: option NULL: what the world says; "": a temporary one
 * inside the folder `beside`. */
enum status bake_open_store(const struct world *world, const char *option, const char *beside,
                            struct store **store, struct error *err);

#endif
