/* Owns the record of who ran what when, written as Chrome trace-event JSON (which Perfetto opens). Spans are
 * kept by thread, so that recording takes no lock. */
#ifndef GEN_TRACE_H
#define GEN_TRACE_H
#include "terrain/status.h"
#include <stdint.h>

struct trace;
struct trace *trace_new(int32_t threads); /* NULL: out of memory */
void trace_free(struct trace *trace);
/* A span of one thread, in os_wall_s seconds. name is copied (cut at 95 bytes). NULL trace: nothing. */
void trace_span(struct trace *trace, int32_t thread, const char *name, const char *arg, int32_t section_x,
                int32_t section_y, double start_s, double end_s);
enum status trace_write(const struct trace *trace, const char *path, struct error *err);

#endif
