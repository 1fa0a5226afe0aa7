/* terrane completion: a bash script made from the commands' tables. */
#include "cmd/cmd.h"

#include <stdio.h>

static enum status run(const struct cmd_args *args) {
    (void)args;
    printf("# bash completion for terrane: source <(terrane completion)\n_terrane() {\n"
           "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}\n"
           "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n        COMPREPLY=($(compgen -W \"");
    for (const struct cmd_command *const *c = cmd_table; *c; c++)
        printf("%s ", (*c)->name);
    printf("--help --version\" -- \"$cur\"))\n        return\n    fi\n    case $prev in\n"
           "    --out|--to|--store) COMPREPLY=($(compgen -d -- \"$cur\")); return ;;\n"
           "    --trace|--sectors-from) COMPREPLY=($(compgen -f -- \"$cur\")); return ;;\n"
           "    esac\n    if [[ $cur == -* ]]; then\n        case ${COMP_WORDS[1]} in\n");
    for (const struct cmd_command *const *c = cmd_table; *c; c++) {
        printf("        %s) COMPREPLY=($(compgen -W \"", (*c)->name);
        const struct cmd_option *o;
        for (size_t i = 0; (o = cmd_option_at(*c, i)); i++)
            printf("%s ", o->name);
        printf("\" -- \"$cur\")) ;;\n");
    }
    printf("        esac\n    else\n        COMPREPLY=($(compgen -f -- \"$cur\"))\n    fi\n}\n"
           "complete -o filenames -F _terrane terrane\n");
    return STATUS_OK;
}

const struct cmd_command cmd_completion = {
    .name = "completion",
    .usage = "",
    .summary = "print a bash completion script",
    .details = "Put it to use with: source <(terrane completion)",
    .no_json = true,
    .run = run,
};
