#include "gen/trace.h"

#include "gen/os.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

struct span {
    char name[96];
    int32_t x, y;
    double start_s, end_s;
};
struct lane {
    struct span *spans;
    size_t count, room;
};
struct trace {
    int32_t threads;
    double origin_s;
    struct lane *lanes;
};

struct trace *trace_new(int32_t threads) {
    struct trace *trace = calloc(1, sizeof *trace);
    if (!trace)
        return NULL;
    trace->lanes = calloc((size_t)threads, sizeof *trace->lanes);
    if (!trace->lanes) {
        free(trace);
        return NULL;
    }
    trace->threads = threads;
    trace->origin_s = os_wall_s();
    return trace;
}

void trace_free(struct trace *trace) {
    if (!trace)
        return;
    for (int32_t i = 0; i < trace->threads; i++)
        free(trace->lanes[i].spans);
    free(trace->lanes);
    free(trace);
}

void trace_span(struct trace *trace, int32_t thread, const char *name, const char *arg, int32_t section_x,
                int32_t section_y, double start_s, double end_s) {
    if (!trace)
        return;
    struct lane *lane = &trace->lanes[thread];
    if (lane->count == lane->room) {
        size_t room = lane->room ? lane->room * 2 : 1024;
        struct span *more = realloc(lane->spans, room * sizeof *more);
        if (!more)
            return; /* a trace with a gap is better than a bake that fails for it */
        lane->spans = more;
        lane->room = room;
    }
    struct span *s = &lane->spans[lane->count++];
    snprintf(s->name, sizeof s->name, arg && *arg ? "%s %s" : "%s", name, arg);
    s->x = section_x;
    s->y = section_y;
    s->start_s = start_s;
    s->end_s = end_s;
}

static void put_text(FILE *out, const char *text) {
    for (; *text; text++)
        if (*text == '"' || *text == '\\')
            fprintf(out, "\\%c", *text);
        else if ((unsigned char)*text < 32)
            fprintf(out, "\\u%04x", (unsigned)*text);
        else
            fputc(*text, out);
}

enum status trace_write(const struct trace *trace, const char *path, struct error *err) {
    struct os_new_file file;
    enum status status = os_create(path, &file, err);
    if (status != STATUS_OK)
        return status;
    fprintf(file.stream, "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n");
    const char *comma = "";
    for (int32_t t = 0; t < trace->threads; t++) {
        fprintf(file.stream,
                "%s{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":1,\"tid\":%" PRId32
                ",\"args\":{\"name\":\"worker %" PRId32 "\"}}",
                comma, t + 1, t + 1);
        comma = ",\n";
        for (size_t i = 0; i < trace->lanes[t].count; i++) {
            const struct span *s = &trace->lanes[t].spans[i];
            fprintf(file.stream, ",\n{\"name\":\"");
            put_text(file.stream, s->name);
            fprintf(file.stream,
                    "\",\"cat\":\"stage\",\"ph\":\"X\",\"pid\":1,\"tid\":%" PRId32
                    ",\"ts\":%.3f,\"dur\":%.3f,\"args\":{\"section\":\"%" PRId32 ",%" PRId32 "\"}}",
                    t + 1, (s->start_s - trace->origin_s) * 1e6, (s->end_s - s->start_s) * 1e6, s->x, s->y);
        }
    }
    fprintf(file.stream, "\n]}\n");
    return os_commit(&file, err);
}
