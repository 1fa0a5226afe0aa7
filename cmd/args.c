#include "cmd/cmd.h"

#include "cmd/print.h"
#include "gen/report.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct cmd_option common[] = {
    {"--quiet", NULL, false, "nothing on stderr but errors"},
    {"--json", NULL, false, "machine-readable result on stdout"},
    {"--help", NULL, false, "this text"},
    {NULL, NULL, false, NULL},
};

const struct cmd_option *cmd_option_at(const struct cmd_command *command, size_t index) {
    size_t own = 0;
    while (command->options && command->options[own].name)
        own++;
    if (index < own)
        return &command->options[index];
    index -= own;
    if (command->no_json && index >= 1) /* leave out --json, the second */
        index++;
    return index < sizeof common / sizeof *common - 1 ? &common[index] : NULL;
}

static const struct cmd_option *find(const struct cmd_command *command, const char *name, size_t size) {
    const struct cmd_option *o;
    for (size_t i = 0; (o = cmd_option_at(command, i)); i++)
        if (strlen(o->name) == size && strncmp(o->name, name, size) == 0)
            return o;
    return NULL;
}

const char *cmd_suggest(const char *text, const char *const *names, size_t count, char out[128]) {
    const char *near = report_suggest(text, names, count);
    out[0] = '\0';
    if (near)
        snprintf(out, 128, ": did you mean '%s'?", near);
    return out;
}

static enum status unknown(const struct cmd_command *command, const char *name, size_t size,
                           struct error *err) {
    const char *names[CMD_OPTIONS_MAX];
    size_t count = 0;
    const struct cmd_option *o;
    for (size_t i = 0; count < CMD_OPTIONS_MAX && (o = cmd_option_at(command, i)); i++)
        names[count++] = o->name;
    char text[128], hint[128];
    snprintf(text, sizeof text, "%.*s", (int)(size < 100 ? size : 100), name);
    return error_set(err, STATUS_USAGE, "terrane %s has no option '%s'%s", command->name, text,
                     cmd_suggest(text, names, count, hint));
}

static enum status add_value(struct cmd_args *args, const struct cmd_option *option, const char *text,
                             struct error *err) {
    for (size_t i = 0; i < args->value_count; i++)
        if (args->values[i].option == option && !option->repeat)
            return error_set(err, STATUS_USAGE, "option '%s' is given twice", option->name);
    args->values[args->value_count++] = (struct cmd_value){option, text};
    return STATUS_OK;
}

static enum status wrong_words(const struct cmd_command *command, const char *what, const char *word,
                               struct error *err) {
    return error_set(err, STATUS_USAGE, "%s%s%s%s; usage: terrane %s%s%s", what, word ? " '" : "",
                     word ? word : "", word ? "'" : "", command->name, command->usage[0] ? " " : "",
                     command->usage);
}

static enum status add_word(struct cmd_args *args, const char *word, struct error *err) {
    if (args->word_count == args->command->max_words ||
        args->word_count == (int)(sizeof args->words / sizeof *args->words))
        return wrong_words(args->command, "one word too many:", word, err);
    if (!*word)
        return wrong_words(args->command, "an empty word", NULL, err);
    args->words[args->word_count++] = word;
    return STATUS_OK;
}

/* One option at argv[*i]; its value may be the next word. */
static enum status parse_option(struct cmd_args *args, int argc, char **argv, int *i, struct error *err) {
    const char *word = strcmp(argv[*i], "-h") == 0 ? "--help" : argv[*i];
    size_t size = strcspn(word, "=");
    const struct cmd_option *option = find(args->command, word, size);
    if (!option)
        return unknown(args->command, word, size, err);
    const char *text = word[size] == '=' ? word + size + 1 : NULL;
    if (!option->value && text)
        return error_set(err, STATUS_USAGE, "option '%s' takes no value", option->name);
    if (option->value && !text && *i + 1 < argc)
        text = argv[++*i];
    if (option->value && !(text && *text))
        return error_set(err, STATUS_USAGE, "option '%s' needs a value: %s %s", option->name, option->name,
                         option->value);
    return add_value(args, option, text, err);
}

enum status cmd_parse(const struct cmd_command *command, int argc, char **argv, struct cmd_args *args,
                      struct error *err) {
    memset(args, 0, sizeof *args);
    args->command = command;
    args->values = calloc((size_t)argc + 1, sizeof *args->values);
    if (!args->values)
        return error_set(err, STATUS_LIMIT, "out of memory");
    bool options = true;
    enum status status = STATUS_OK;
    for (int i = 0; i < argc && status == STATUS_OK; i++) {
        const char *word = argv[i];
        if (options && strcmp(word, "--") == 0) {
            options = false;
        } else if (options && word[0] == '-' && word[1] != '\0') {
            status = parse_option(args, argc, argv, &i, err);
        } else {
            status = add_word(args, word, err);
        }
    }
    if (status == STATUS_OK && !cmd_flag(args, "--help") && args->word_count < command->min_words)
        status = wrong_words(command, "a word is missing", NULL, err);
    return status;
}

void cmd_args_free(struct cmd_args *args) {
    free(args->values);
    memset(args, 0, sizeof *args);
}

bool cmd_flag(const struct cmd_args *args, const char *name) {
    for (size_t i = 0; i < args->value_count; i++)
        if (strcmp(args->values[i].option->name, name) == 0)
            return true;
    return false;
}

const char *cmd_value(const struct cmd_args *args, const char *name) {
    for (size_t i = args->value_count; i-- > 0;)
        if (strcmp(args->values[i].option->name, name) == 0)
            return args->values[i].text;
    return NULL;
}

size_t cmd_values(const struct cmd_args *args, const char *name, const char ***texts) {
    size_t count = 0;
    *texts = calloc(args->value_count + 1, sizeof **texts);
    for (size_t i = 0; *texts && i < args->value_count; i++)
        if (strcmp(args->values[i].option->name, name) == 0)
            (*texts)[count++] = args->values[i].text;
    return count;
}

bool cmd_parse_int(const char *text, long min, long max, long *out) {
    char *end;
    if (text[*text == '-'] < '0' || text[*text == '-'] > '9') /* no blanks, no plus */
        return false;
    errno = 0;
    long v = strtol(text, &end, 10);
    if (*end != '\0' || errno != 0 || v < min || v > max)
        return false;
    *out = v;
    return true;
}

bool cmd_int(const struct cmd_args *args, const char *name, long min, long max, long fallback, long *out) {
    const char *text = cmd_value(args, name);
    *out = fallback;
    if (!text)
        return true;
    if (cmd_parse_int(text, min, max, out))
        return true;
    struct error err;
    error_set(&err, STATUS_USAGE, "%s '%s': write a whole number from %ld to %ld", name, text, min, max);
    print_failure(&err);
    return false;
}
