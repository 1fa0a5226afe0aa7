/* Owns what commands are: a table of names, options and functions. Each command is one file, cmd_NAME.c, with
 * one `const struct cmd_command`; to add one, write it and name it in cmd/main.c. Only cmd/ prints or exits.
 */
#ifndef CMD_CMD_H
#define CMD_CMD_H
#include "terrain/status.h"
#include <stdbool.h>
#include <stddef.h>

enum { CMD_OPTIONS_MAX = 40 };

struct cmd_option {
    const char *name;  /* "--map" */
    const char *value; /* what --help calls the value; NULL: a flag */
    bool repeat;       /* may be given several times */
    const char *help;
};

struct cmd_args;

struct cmd_command {
    const char *name;
    const char *usage;                /* what follows "terrane NAME" */
    const char *summary;              /* one line */
    const char *details;              /* more for --help; may be NULL */
    int min_words, max_words;         /* positional arguments */
    const struct cmd_option *options; /* ends with a NULL name; may be NULL. --help, --quiet and --json are
                                         everywhere */
    bool no_json;                     /* but --json where there is no result to give */
    enum status (*run)(const struct cmd_args *args);
};

extern const struct cmd_command *const cmd_table[]; /* ends with NULL */

/* Parsed arguments. */
struct cmd_value {
    const struct cmd_option *option;
    const char *text; /* NULL: a flag */
};
struct cmd_args {
    const struct cmd_command *command;
    const char *words[8];
    int word_count;
    struct cmd_value *values; /* in the order of the command line */
    size_t value_count;
};

/* STATUS_USAGE, with a message that says what is wrong and what may have been meant. --name=value and --name
 * value are the same; "--" ends the options. */
enum status cmd_parse(const struct cmd_command *command, int argc, char **argv, struct cmd_args *args,
                      struct error *err);
void cmd_args_free(struct cmd_args *args);

bool cmd_flag(const struct cmd_args *args, const char *name);
const char *cmd_value(const struct cmd_args *args, const char *name); /* the last one given, or NULL */
/* All values of an option, in order; *texts is malloc'ed. */
size_t cmd_values(const struct cmd_args *args, const char *name, const char ***texts);
/* Text that is a decimal whole number within min..max and nothing else. */
bool cmd_parse_int(const char *text, long min, long max, long *out);
/* The option's value as such a number; absent: fallback. Reports on stderr and returns false when wrong. */
bool cmd_int(const struct cmd_args *args, const char *name, long min, long max, long fallback, long *out);

/* Every option that a command takes: its own first, then the common ones. Past the end: NULL. */
const struct cmd_option *cmd_option_at(const struct cmd_command *command, size_t index);

/* ": did you mean 'NAME'?" for the one of the names that is nearest to text, "" when none is near. */
const char *cmd_suggest(const char *text, const char *const *names, size_t count, char out[128]);

#endif
