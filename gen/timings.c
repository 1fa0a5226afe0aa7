#include "gen/timings.h"
#include "gen/manifest.h"
#include "gen/os.h"

#include <stdlib.h>
#include <string.h>

static json_t *stage_json(const struct exec_count *count) {
    return json_pack("{s:s, s:I, s:I, s:I, s:I, s:f}", "stage", count->stage->name, "pairs",
                     (json_int_t)count->pairs, "runs", (json_int_t)count->runs, "from_store",
                     (json_int_t)count->hits, "made_again", (json_int_t)count->again, "cpu_s", count->cpu_s);
}

enum status timings_write(const char *out, const struct bake_report *report, struct error *err) {
    char path[PATH_TEXT_MAX];
    json_t *stages = json_array();
    for (int32_t i = 0; i < report->exec.stage_count; i++)
        if (report->exec.stages[i].pairs > 0)
            json_array_append_new(stages, stage_json(&report->exec.stages[i]));
    json_t *root = json_pack("{s:f, s:f, s:f, s:I, s:I, s:I, s:I, s:o}", "wall_s", report->wall_s, "cpu_s",
                             report->cpu_s, "files_cpu_s", report->exec.jobs_cpu_s, "files_written",
                             (json_int_t)report->files.written, "bytes_written",
                             (json_int_t)report->files.bytes, "files_kept", (json_int_t)report->files.kept,
                             "sectors", (json_int_t)report->sectors, "stages", stages);
    char *text = root ? manifest_text(root) : NULL;
    enum status status =
        text ? path_format(path, err, "%s/timings.json", out) : error_set(err, STATUS_LIMIT, "out of memory");
    if (status == STATUS_OK)
        status = os_write_file(path, text, strlen(text), err);
    free(text);
    json_decref(root);
    return status;
}
