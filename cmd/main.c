/* The program: finds the command, parses its arguments, runs it, turns its status into the exit code. */
#include "cmd/cmd.h"
#include "cmd/help.h"
#include "cmd/print.h"
#include "gen/os.h"
#include "gen/report.h"

#include <stdio.h>
#include <string.h>

extern const struct cmd_command cmd_new, cmd_check, cmd_bake, cmd_plan, cmd_explain, cmd_completion;

const struct cmd_command *const cmd_table[] = {
    &cmd_new, &cmd_check, &cmd_bake, &cmd_plan, &cmd_explain, &cmd_completion, NULL,
};

static const struct cmd_command *find_command(const char *name) {
    for (const struct cmd_command *const *c = cmd_table; *c; c++)
        if (strcmp((*c)->name, name) == 0)
            return *c;
    return NULL;
}

static int unknown_command(const char *name) {
    const char *names[32];
    size_t count = 0;
    for (const struct cmd_command *const *c = cmd_table; *c && count < 32; c++)
        names[count++] = (*c)->name;
    const char *near = report_suggest(name, names, count);
    struct error err;
    error_set(&err, STATUS_USAGE, "there is no command '%s'%s%s%s; 'terrane --help' lists them", name,
              near ? ", did you mean '" : "", near ? near : "", near ? "'?" : "");
    print_error(&err);
    return STATUS_USAGE;
}

static int run_command(const struct cmd_command *command, int argc, char **argv) {
    struct cmd_args args;
    struct error err;
    enum status status = cmd_parse(command, argc, argv, &args, &err);
    if (status != STATUS_OK) {
        print_error(&err);
    } else if (cmd_flag(&args, "--help")) {
        help_command(command);
    } else {
        print_setup(cmd_flag(&args, "--quiet"));
        os_catch_interrupts();
        status = command->run(&args);
    }
    cmd_args_free(&args);
    if ((fflush(stdout) != 0 || ferror(stdout)) && status == STATUS_OK) {
        status =
            error_set(&err, STATUS_FILE, "cannot write to standard output"); /* a full disk is no success */
        print_error(&err);
    }
    return (int)status;
}

int main(int argc, char **argv) {
    if (argc < 2) {
        help_overview(stderr);
        return STATUS_USAGE;
    }
    bool help = strcmp(argv[1], "help") == 0;
    if (strcmp(argv[1], "--version") == 0) {
        help_version();
        return STATUS_OK;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || (help && argc == 2)) {
        help_overview(stdout);
        return STATUS_OK;
    }
    const char *name = help ? argv[2] : argv[1];
    const struct cmd_command *command = find_command(name);
    if (!command)
        return unknown_command(name);
    if (help) {
        help_command(command);
        return STATUS_OK;
    }
    return run_command(command, argc - 2, argv + 2);
}
