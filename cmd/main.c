/* The program: finds the command, parses its arguments, runs it, turns its status into the exit code. */
#include "cmd/cmd.h"
#include "cmd/help.h"
#include "cmd/print.h"
#include "gen/os.h"

#include <stdio.h>
#include <string.h>

extern const struct cmd_command cmd_new, cmd_check, cmd_bake, cmd_plan, cmd_layer, cmd_diff, cmd_verify,
    cmd_explain, cmd_export, cmd_completion;

const struct cmd_command *const cmd_table[] = {
    &cmd_new,    &cmd_check,   &cmd_bake,   &cmd_plan,       &cmd_layer, &cmd_diff,
    &cmd_verify, &cmd_explain, &cmd_export, &cmd_completion, NULL,
};

static const struct cmd_command *find_command(const char *name) {
    for (const struct cmd_command *const *c = cmd_table; *c; c++)
        if (strcmp((*c)->name, name) == 0)
            return *c;
    return NULL;
}

static enum status unknown_command(const char *name) {
    const char *names[32];
    size_t count = 0;
    for (const struct cmd_command *const *c = cmd_table; *c && count < 32; c++)
        names[count++] = (*c)->name;
    const char *const options[] = {"--help", "--version"};
    char hint[128];
    struct error err;
    if (name[0] == '-')
        error_set(&err, STATUS_USAGE, "terrane has no option '%s'%s", name,
                  cmd_suggest(name, options, 2, hint));
    else
        error_set(&err, STATUS_USAGE, "there is no command '%s'%s", name,
                  cmd_suggest(name, names, count, hint));
    print_failure(&err);
    fprintf(stderr, "'terrane --help' lists the commands.\n");
    return STATUS_USAGE;
}

static enum status run_command(const struct cmd_command *command, int argc, char **argv) {
    struct cmd_args args;
    struct error err;
    enum status status = cmd_parse(command, argc, argv, &args, &err);
    if (status != STATUS_OK) {
        print_failure(&err);
    } else if (cmd_flag(&args, "--help")) {
        help_command(command);
    } else {
        print_setup(cmd_flag(&args, "--quiet"));
        os_catch_interrupts();
        status = command->run(&args);
    }
    cmd_args_free(&args);
    return status;
}

static enum status run_program(int argc, char **argv) {
    if (argc < 2) {
        help_overview(stderr);
        return STATUS_USAGE;
    }
    bool help = strcmp(argv[1], "help") == 0;
    const char *name = help && argc > 2 ? argv[2] : argv[1];
    if (strcmp(name, "--version") == 0) {
        help_version();
        return STATUS_OK;
    }
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "help") == 0) {
        help_overview(stdout);
        return STATUS_OK;
    }
    const struct cmd_command *command = find_command(name);
    if (!command)
        return unknown_command(name);
    if (help) {
        help_command(command);
        return STATUS_OK;
    }
    return run_command(command, argc - 2, argv + 2);
}

int main(int argc, char **argv) {
    os_prepare();
    enum status status = run_program(argc, argv);
    if ((fflush(stdout) != 0 || ferror(stdout)) && status == STATUS_OK) {
        struct error err; /* a full disk is no success */
        status = error_set(&err, STATUS_FILE, "cannot write to standard output");
        print_failure(&err);
    }
    return (int)status;
}
