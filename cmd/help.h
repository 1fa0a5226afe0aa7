/* Owns the texts of --help and --version, made from the commands' and stages' tables. */
#ifndef CMD_HELP_H
#define CMD_HELP_H
#include "cmd/cmd.h"
#include <stdio.h>

#define TERRANE_VERSION "0.1.0"

void help_overview(FILE *out);
void help_command(const struct cmd_command *command);
void help_version(void); /* the program's and every stage's version */

#endif
