/* A small table of stages, a world, and bakes of it, for tests of the executor:
 *     base -> rounded -> spread
 *     base -> count -> total (whole world) -> shifted
 *     loop, which depends on itself; round.N of round.N-1, as the rounds of competition do
 * The program that uses it defines stage_table with these stages. */
#ifndef TESTS_EXEC_KIT_H
#define TESTS_EXEC_KIT_H
#include "gen/exec.h"

extern const struct stage toy_base, toy_rounded, toy_spread, toy_count, toy_total, toy_shifted, toy_loop,
    toy_rounds;
#define TOY_STAGES                                                                                           \
    &toy_base, &toy_rounded, &toy_spread, &toy_count, &toy_total, &toy_shifted, &toy_loop, &toy_rounds, NULL

/* What the "input file" holds on top of its noise. */
struct toy_change {
    int32_t x, y;
    float by;
};
extern struct toy_change toy_edit;
extern bool toy_broken;          /* base fails in the sections 1,Y */
extern bool toy_store_temporary; /* bakes make and remove their own */
float toy_base_value(const struct world *world, int32_t x, int32_t y);

enum { TOY_SECTIONS_MAX = 64 };
struct toy_result {
    struct hash128 seen[TOY_SECTIONS_MAX]; /* hash of `shifted` and `base` over each section */
    int32_t x[TOY_SECTIONS_MAX], y[TOY_SECTIONS_MAX];
    int32_t count;
    struct exec_report report;
};
/* Defines the inputs of a stage that reads one layer. */
#define TOY_READS(name, layer, reach)                                                                        \
    static enum status name(const struct world *world, const char *arg, struct stage_inputs *in,             \
                            struct error *err) {                                                             \
        (void)world;                                                                                         \
        (void)arg;                                                                                           \
        (void)err;                                                                                           \
        stage_reads(in, layer, reach);                                                                       \
        return STATUS_OK;                                                                                    \
    }
/* One number as a blob. */
enum status toy_give(struct tile *tile, int64_t number, struct error *err);

extern struct rect toy_cells; /* the world's: partial on every side, negative numbers */
struct world toy_world(void);
/* An absent folder of this process; the name is valid until the next call. */
char *toy_dir(const char *name);
/* Runs a job like this one for each section, with a store in dir; its context is its own `size` bytes of
 * results. sections: NULL: all. */
enum status toy_run(const char *dir, const struct rect *sections, const struct exec_job *like, void *results,
                    size_t size, const struct exec_options *options, struct toy_result *bake,
                    struct error *err);
/* A job's run that does nothing. */
enum status toy_see_nothing(void *context, const struct window *w, struct hash128 inputs,
                            struct arena *scratch, struct error *err);
enum status toy_bake_some(const char *dir, const struct rect *sections, int32_t threads, uint64_t memory,
                          struct toy_result *bake, struct error *err);
void toy_bake(const char *dir, const struct rect *sections, int32_t threads, uint64_t memory,
              struct toy_result *bake);
static const uint64_t toy_plenty = (uint64_t)1 << 30; /* of memory */
int64_t toy_runs(const struct toy_result *bake, const char *stage);
/* Where both have a section they saw the same. */
void toy_assert_same(const struct toy_result *a, const struct toy_result *b);

#endif
