/* Owns what is said of text that is no YAML: what its writer most likely did, or else libyaml's own words.
 * For gen/yaml.c alone. */
#ifndef GEN_YAML_SYNTAX_H
#define GEN_YAML_SYNTAX_H
#include "gen/report.h"
#include <yaml.h>

/* Reports why the parser stopped. text is what it read. */
void yaml_report_syntax(const yaml_parser_t *parser, const char *file, const char *text, size_t size,
                        struct report *report);

#endif
