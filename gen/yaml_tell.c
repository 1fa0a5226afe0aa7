#include "gen/yaml.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

__attribute__((format(printf, 4, 0))) static void say(const struct yaml_node *node, enum report_level level,
                                                      struct report *report, const char *format,
                                                      va_list args) {
    char text[ERROR_MESSAGE_MAX];
    vsnprintf(text, sizeof text, format, args);
    report_add(report, level, STATUS_INPUT, node->file, node->line, node->column, "%s", text);
}

void yaml_complain(const struct yaml_node *node, struct report *report, const char *format, ...) {
    va_list args;
    va_start(args, format);
    say(node, REPORT_ERROR, report, format, args);
    va_end(args);
}

void yaml_warn(const struct yaml_node *node, struct report *report, const char *format, ...) {
    va_list args;
    va_start(args, format);
    say(node, REPORT_WARNING, report, format, args);
    va_end(args);
}

void yaml_note(const struct yaml_node *node, struct report *report, const char *format, ...) {
    va_list args;
    va_start(args, format);
    say(node, REPORT_NOTE, report, format, args);
    va_end(args);
}

bool yaml_null(const struct yaml_node *node) {
    return node->kind == YAML_SCALAR && !node->quoted &&
           (!node->text[0] || strcmp(node->text, "~") == 0 || strcmp(node->text, "null") == 0 ||
            strcmp(node->text, "Null") == 0 || strcmp(node->text, "NULL") == 0);
}

const char *yaml_kind_name(const struct yaml_node *node) {
    return node->kind == YAML_MAP ? "a map" : node->kind == YAML_LIST ? "a list" : "text";
}

enum { SHOWN = YAML_SHOWN_MAX - 8 };
const char *yaml_shown(const struct yaml_node *node, char out[YAML_SHOWN_MAX]) {
    if (node->kind != YAML_SCALAR)
        return yaml_kind_name(node);
    bool cut = strlen(node->text) > SHOWN;
    snprintf(out, YAML_SHOWN_MAX, "'%.*s%s'", SHOWN, node->text, cut ? "..." : "");
    return out;
}
