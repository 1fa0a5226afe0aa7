#include "cmd/help.h"

#include "gen/stage.h"

#include <inttypes.h>
#include <string.h>

void help_overview(FILE *out) {
    fprintf(out, "terrane: an offline world generator for game teams\n\nusage: terrane COMMAND ...\n\n");
    for (const struct cmd_command *const *c = cmd_table; *c; c++)
        fprintf(out, "  %-11s %s\n", (*c)->name, (*c)->summary);
    fprintf(out, "\n'terrane COMMAND --help' says more; 'terrane --version' lists the stages' versions.\n"
                 "Exit codes: 0 done, 1 the answer is no, 2 usage, 3 bad input, 4 file trouble,\n"
                 "5 limit or memory, 6 a fault of the program, 130 interrupted.\n");
}

void help_command(const struct cmd_command *command) {
    printf("usage: terrane %s%s%s\n\n%s\n", command->name, command->usage[0] ? " " : "", command->usage,
           command->summary);
    if (command->details)
        printf("\n%s\n", command->details);
    printf("\noptions:\n");
    const struct cmd_option *o;
    bool repeats = false;
    for (size_t i = 0; (o = cmd_option_at(command, i)); i++) {
        char left[64];
        snprintf(left, sizeof left, "%s%s%s%s", o->name, o->value ? " " : "", o->value ? o->value : "",
                 o->repeat ? " ..." : "");
        if (strlen(left) > 24)
            printf("  %s\n  %-24s %s\n", left, "", o->help);
        else
            printf("  %-24s %s\n", left, o->help);
        repeats |= o->repeat;
    }
    if (repeats)
        printf("Options with ... may be given several times.\n");
}

void help_version(void) {
    printf("terrane " TERRANE_VERSION "\n");
    for (const struct stage *const *s = stage_table; *s; s++)
        printf("stage %s %" PRIu32 "\n", (*s)->name, (*s)->version);
}
