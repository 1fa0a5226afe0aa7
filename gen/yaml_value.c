#include "gen/yaml.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t digits(const char *at) {
    size_t n = 0;
    while (at[n] >= '0' && at[n] <= '9')
        n++;
    return n;
}

/* [-+]? ( \. [0-9]+ | [0-9]+ ( \. [0-9]* )? ) ( [eE] [-+]? [0-9]+ )? as the core schema says. */
bool yaml_number(const struct yaml_node *node, double *out) {
    if (node->kind != YAML_SCALAR || node->quoted)
        return false;
    const char *at = node->text + (node->text[0] == '-' || node->text[0] == '+');
    size_t whole = digits(at), part = 0;
    at += whole;
    if (*at == '.') {
        part = digits(++at);
        at += part;
    }
    if (whole + part == 0)
        return false;
    if (*at == 'e' || *at == 'E') {
        at += 1 + (at[1] == '-' || at[1] == '+');
        size_t power = digits(at);
        if (power == 0)
            return false;
        at += power;
    }
    if (*at != '\0')
        return false;
    double value = strtod(node->text, NULL); /* the program never leaves the C locale */
    if (!isfinite(value))
        return false;
    *out = value + 0.0; /* -0 becomes 0 */
    return true;
}

static bool is_not_finite(const char *text) {
    static const char *const words[] = {".nan", ".NaN", ".NAN", ".inf", ".Inf",
                                        ".INF", "nan",  "NaN",  "inf",  "Infinity"};
    text += text[0] == '-' || text[0] == '+';
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(text, words[i]) == 0)
            return true;
    return false;
}

/* " (-90 to 90 degrees)", " (at least 0)", " (m)" or nothing. */
static const char *range_text(double min, double max, const char *unit, char out[96]) {
    const char *gap = unit && unit[0] ? " " : "";
    unit = unit ? unit : "";
    const double endless = 1e30; /* what is meant to have no bound */
    if (min > -endless && max < endless)
        snprintf(out, 96, " (%.12g to %.12g%s%s)", min, max, gap, unit);
    else if (min > -endless)
        snprintf(out, 96, " (at least %.12g%s%s)", min, gap, unit);
    else if (max < endless)
        snprintf(out, 96, " (at most %.12g%s%s)", max, gap, unit);
    else
        snprintf(out, 96, unit[0] ? " (%s)" : "%s", unit);
    return out;
}

bool yaml_has_value(const struct yaml_node *node, const char *name, struct report *report) {
    if (!yaml_null(node))
        return true;
    yaml_complain(node, report, "'%s' has no value%s", name,
                  strstr(name, "color") ? ": put it in quotes, \"#2a4a2c\": # begins a comment" : "");
    return false;
}

/* What keeps text from being the number that it was meant to be; "" where that is not known. */
static void number_hint(const struct yaml_node *node, char out[64]) {
    struct yaml_node plain = *node;
    char text[40];
    double value;
    out[0] = '\0';
    if (node->kind != YAML_SCALAR || strlen(node->text) >= sizeof text)
        return;
    snprintf(text, sizeof text, "%s", node->text);
    plain.text = text;
    plain.quoted = false;
    if (node->quoted && yaml_number(&plain, &value)) {
        snprintf(out, 64, ": leave out the quotes");
        return;
    }
    char *comma = strchr(text, ',');
    if (comma)
        *comma = '.';
    if (comma && yaml_number(&plain, &value)) {
        snprintf(out, 64, ": decimals have a point");
        return;
    }
    size_t n = strcspn(text, " %mM\xc2'\"/"); /* "2 m", "70%", "35°" */
    bool unit = !comma && text[n] != '\0';
    text[n] = '\0';
    if (unit && yaml_number(&plain, &value))
        snprintf(out, 64, ": a number alone, without '%.16s'", node->text + n + (node->text[n] == ' '));
}

bool yaml_as_f64(const struct yaml_node *node, const char *name, double min, double max, const char *unit,
                 double *out, struct report *report) {
    char quote[YAML_SHOWN_MAX], range[96], hint[64];
    double value;
    if (!yaml_has_value(node, name, report))
        return false;
    if (node->kind == YAML_SCALAR && !node->quoted && is_not_finite(node->text)) {
        yaml_complain(node, report, "'%s' must be a finite number%s, not %s", name,
                      range_text(min, max, unit, range), yaml_shown(node, quote));
    } else if (!yaml_number(node, &value)) {
        number_hint(node, hint);
        yaml_complain(node, report, "'%s' must be a number%s, not %s%s", name,
                      range_text(min, max, unit, range), yaml_shown(node, quote), hint);
    } else if (!(value >= min && value <= max)) {
        yaml_complain(node, report, "'%s' is out of range%s: %s", name, range_text(min, max, unit, range),
                      node->text);
    } else {
        *out = value;
        return true;
    }
    return false;
}

/* Decimal, or hexadecimal as 0x1f. 1: fine, 0: no whole number, -1: one beyond 64 bits. */
static int integer(const struct yaml_node *node, int64_t *out) {
    if (node->kind != YAML_SCALAR || node->quoted)
        return 0;
    bool negative = node->text[0] == '-';
    const char *at = node->text + (negative || node->text[0] == '+');
    unsigned base = 10;
    if (at == node->text && at[0] == '0' && at[1] == 'x') {
        at += 2;
        base = 16;
    }
    if (!*at)
        return 0;
    uint64_t value = 0, limit = (uint64_t)INT64_MAX + negative;
    bool over = false;
    for (; *at; at++) {
        unsigned digit = *at >= '0' && *at <= '9'   ? (unsigned)(*at - '0')
                         : *at >= 'a' && *at <= 'f' ? (unsigned)(*at - 'a') + 10
                         : *at >= 'A' && *at <= 'F' ? (unsigned)(*at - 'A') + 10
                                                    : 99;
        if (digit >= base)
            return 0;
        if (value > (limit - digit) / base)
            over = true;
        else
            value = value * base + digit;
    }
    if (over)
        return -1;
    *out = negative ? (int64_t)(0 - value) : (int64_t)value;
    return 1;
}

bool yaml_as_i64(const struct yaml_node *node, const char *name, int64_t min, int64_t max, int64_t *out,
                 struct report *report) {
    char quote[YAML_SHOWN_MAX], range[96], hint[64];
    if (min == INT64_MIN && max == INT64_MAX)
        range[0] = '\0';
    else
        snprintf(range, sizeof range, " (%lld to %lld)", (long long)min, (long long)max);
    int64_t value = 0;
    if (!yaml_has_value(node, name, report))
        return false;
    int kind = integer(node, &value);
    if (kind == 0) {
        number_hint(node, hint);
        yaml_complain(node, report, "'%s' must be a whole number%s, not %s%s", name, range,
                      yaml_shown(node, quote), hint);
    } else if (kind < 0 || value < min || value > max) {
        yaml_complain(node, report, "'%s' is out of range%s: %s", name, range, node->text);
    } else {
        *out = value;
        return true;
    }
    return false;
}

bool yaml_as_text(const struct yaml_node *node, const char *name, const char **out, struct report *report) {
    if (!yaml_has_value(node, name, report))
        return false;
    if (node->kind != YAML_SCALAR) {
        yaml_complain(node, report, "'%s' must be text, not %s", name, yaml_kind_name(node));
        return false;
    }
    if (!node->text[0]) {
        yaml_complain(node, report, "'%s' is empty", name);
        return false;
    }
    *out = node->text;
    return true;
}

bool yaml_as_enum(const struct yaml_node *node, const char *name, const char *const *words, size_t count,
                  int32_t *out, struct report *report) {
    char quote[YAML_SHOWN_MAX], list[512];
    if (!yaml_has_value(node, name, report))
        return false;
    for (size_t i = 0; node->kind == YAML_SCALAR && i < count; i++)
        if (strcmp(node->text, words[i]) == 0) {
            *out = (int32_t)i;
            return true;
        }
    size_t used = 0;
    list[0] = '\0';
    for (size_t i = 0; i < count && used < sizeof list; i++)
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s",
                                 i == 0           ? ""
                                 : i + 1 == count ? " or "
                                                  : ", ",
                                 words[i]);
    const char *near = node->kind == YAML_SCALAR ? report_suggest(node->text, words, count) : NULL;
    if (near)
        yaml_complain(node, report, "'%s' must be %s, not %s: did you mean '%s'?", name, list,
                      yaml_shown(node, quote), near);
    else
        yaml_complain(node, report, "'%s' must be %s, not %s", name, list, yaml_shown(node, quote));
    return false;
}

/* Equal but for the case of letters; `word` is in lower case. */
static bool same_word(const char *text, const char *word) {
    for (; *text && *word; text++, word++)
        if (*text != *word && !(*text >= 'A' && *text <= 'Z' && *text - 'A' + 'a' == *word))
            return false;
    return *text == *word;
}

bool yaml_as_bool(const struct yaml_node *node, const char *name, bool *out, struct report *report) {
    static const char *const yes_words[] = {"yes", "no", "on", "off", "y", "n"};
    char quote[YAML_SHOWN_MAX];
    if (!yaml_has_value(node, name, report))
        return false;
    if (node->kind == YAML_SCALAR && !node->quoted) {
        const char *t = node->text;
        bool yes = strcmp(t, "true") == 0 || strcmp(t, "True") == 0 || strcmp(t, "TRUE") == 0;
        if (yes || strcmp(t, "false") == 0 || strcmp(t, "False") == 0 || strcmp(t, "FALSE") == 0) {
            *out = yes;
            return true;
        }
        for (size_t i = 0; i < sizeof yes_words / sizeof *yes_words; i++)
            if (same_word(t, yes_words[i])) {
                yaml_complain(node, report,
                              "'%s' must be true or false, not '%s': YAML 1.2 has no yes and no, on and off",
                              name, t);
                return false;
            }
    }
    yaml_complain(node, report, "'%s' must be true or false, not %s", name, yaml_shown(node, quote));
    return false;
}
