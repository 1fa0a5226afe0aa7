/* terrane verify: every output against its manifest. */
#include "cmd/cmd.h"
#include "cmd/print.h"
#include "gen/verify.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>

static void print_as_json(const struct verify_result *result) {
    json_t *problems = json_array();
    for (size_t i = 0; i < result->count; i++)
        json_array_append_new(
            problems, json_pack("{s:s, s:s, s:s}", "problem", verify_kind_names[result->problems[i].kind],
                                "path", result->problems[i].path, "detail", result->problems[i].detail));
    json_t *root = json_pack("{s:b, s:I, s:o}", "ok", result->count == 0, "files", (json_int_t)result->files,
                             "problems", problems);
    print_json(root);
}

static void print_text(const struct verify_result *result) {
    for (size_t i = 0; i < result->count; i++) {
        const struct verify_problem *p = &result->problems[i];
        print_out("%s: %s%s%s\n", verify_kind_names[p->kind], p->path, p->detail[0] ? ": " : "", p->detail);
    }
    char files[32], problems[32];
    print_note("%s, %s", print_many(result->files, "file", files),
               print_many((int64_t)result->count, "problem", problems));
}

static enum status run(const struct cmd_args *args) {
    struct verify_result result = {0};
    struct error err;
    enum status status = verify_out(args->words[0], &result, &err);
    if (status != STATUS_OK && status != STATUS_DIFFERENT)
        print_failure(&err);
    else if (cmd_flag(args, "--json"))
        print_as_json(&result);
    else
        print_text(&result);
    verify_free(&result);
    return status;
}

const struct cmd_command cmd_verify = {
    .name = "verify",
    .usage = "OUT",
    .summary = "check every output against its manifest",
    .details = "Exit code 1 when something is missing, altered, damaged or in no manifest.",
    .min_words = 1,
    .max_words = 1,
    .run = run,
};
