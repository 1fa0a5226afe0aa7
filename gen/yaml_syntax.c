#include "gen/yaml_syntax.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* A mistake: where it is told of, and how. */
struct mistake {
    int32_t line, column;
    char text[240]; /* "": libyaml's words alone */
};

/* The place of a byte, for errors of which libyaml knows no more. */
static void place_of(const char *text, size_t size, size_t offset, int32_t *line, int32_t *column) {
    *line = *column = 1;
    for (size_t i = 0; i < offset && i < size; i++) {
        if (text[i] == '\n') {
            ++*line;
            *column = 1;
        } else if (((unsigned char)text[i] & 0xc0) != 0x80) {
            ++*column;
        }
    }
}

static size_t offset_of(const char *text, size_t size, int32_t line, int32_t column) {
    size_t at = 0;
    for (int32_t n = 1; n < line && at < size; at++)
        n += text[at] == '\n';
    for (int32_t n = 1; n < column && at < size; n++)
        for (at++; at < size && ((unsigned char)text[at] & 0xc0) == 0x80; at++)
            ;
    return at;
}

/* The comment that ate a value: a '#' behind a blank from line `first` on. False: there is none. */
static bool find_comment(const char *text, size_t size, int32_t first, struct mistake *m) {
    size_t from = offset_of(text, size, first, 1);
    size_t to = offset_of(text, size, m->line, m->column);
    for (size_t i = from + 1; i < size && i <= to; i++)
        if (text[i] == '#' && (text[i - 1] == ' ' || text[i - 1] == '\t')) {
            place_of(text, size, i, &m->line, &m->column);
            return true;
        }
    return false;
}

/* Whether the line has a ': ' before the place. */
static bool has_colon(const char *text, size_t size, const struct mistake *m) {
    size_t from = offset_of(text, size, m->line, 1), to = offset_of(text, size, m->line, m->column);
    for (size_t i = from; i + 1 < to; i++)
        if (text[i] == ':' && text[i + 1] == ' ')
            return true;
    return false;
}

/* The line before, when it is neither 'key: value' nor a key of what follows: libyaml takes it for the first
 * words of a text that goes on. False: it is not so. */
static bool find_keyless(const char *text, size_t size, struct mistake *m) {
    size_t from = offset_of(text, size, m->line - 1, 1), to = offset_of(text, size, m->line, 1), end = to;
    while (from < to && text[from] == ' ')
        from++;
    while (end > from && (text[end - 1] == '\n' || text[end - 1] == '\r' || text[end - 1] == ' '))
        end--;
    if (m->line < 2 || from == end || text[from] == '-' || text[from] == '#' || text[end - 1] == ':')
        return false;
    for (size_t i = from; i + 1 < end; i++)
        if (text[i] == ':' && text[i + 1] == ' ')
            return false;
    m->line--;
    m->column = (int32_t)(from - offset_of(text, size, m->line, 1)) + 1;
    return true;
}

static const char comment[] = "# begins a comment: colours stand in quotes, \"#2a4a2c\"";

static void open_list(const yaml_parser_t *p, const char *text, size_t size, char close, struct mistake *m) {
    const char *what = close == ']' ? "list" : "map";
    if (find_comment(text, size, (int32_t)p->context_mark.line + 1, m))
        snprintf(m->text, sizeof m->text, "%s", comment);
    else
        snprintf(m->text, sizeof m->text, "the %s that begins on line %d lacks a ',' or its '%c'", what,
                 (int)p->context_mark.line + 1, close);
}

static void at_context(const yaml_parser_t *p, struct mistake *m) {
    m->line = (int32_t)p->context_mark.line + 1;
    m->column = (int32_t)p->context_mark.column + 1;
}

static void say(struct mistake *m, const char *text) {
    snprintf(m->text, sizeof m->text, "%s", text);
}

static bool is(const char *text, const char *begin) {
    return text && strncmp(text, begin, strlen(begin)) == 0;
}

/* What its writer did, by libyaml's words. */
static void guess(const yaml_parser_t *p, const char *text, size_t size, struct mistake *m) {
    static const char keyless[] = "neither 'key: value' (a colon and a blank) nor '- item'";
    const char *problem = p->problem, *context = p->context;
    if (is(problem, "could not find expected ':'")) {
        at_context(p, m);
        say(m, keyless);
    } else if (is(problem, "did not find expected key")) {
        say(m, "this line goes with none above: its indentation is wrong, or a quote or bracket before it");
    } else if (is(problem, "mapping values are not allowed")) {
        say(m, has_colon(text, size, m) ? "text with ': ' in it stands in quotes"
               : find_keyless(text, size, m)
                   ? keyless
                   : "the indentation of this line or of the one before it is wrong");
    } else if (is(problem, "did not find expected '-' indicator")) {
        snprintf(
            m->text, sizeof m->text,
            "the list that begins on line %d goes on with '- ' (a dash and a blank) under its first dash",
            (int)p->context_mark.line + 1);
    } else if (is(problem, "did not find expected ',' or ']'")) {
        open_list(p, text, size, ']', m);
    } else if (is(problem, "did not find expected ',' or '}'")) {
        open_list(p, text, size, '}', m);
    } else if (is(problem, "did not find expected node content")) {
        say(m, find_comment(text, size, m->line > 1 ? m->line - 1 : 1, m) ? comment : "a value is missing");
    } else if (is(problem, "found undefined alias")) {
        say(m, "text that begins with * or & stands in quotes");
    } else if (is(problem, "found unexpected end of stream") && is(context, "while scanning a quoted")) {
        at_context(p, m);
        say(m, "the quote that opens here is never closed");
    } else if (is(problem, "found unknown escape")) {
        say(m, "in double quotes \\ begins an escape: write / in paths, or single quotes");
    } else if (is(problem, "block sequence entries are not allowed")) {
        say(m, "a '- ' cannot stand here: a list begins on a line of its own");
    } else if (is(problem, "did not find expected <document start>")) {
        say(m, "what stands here belongs to nothing above: its indentation is wrong");
    }
}

void yaml_report_syntax(const yaml_parser_t *parser, const char *file, const char *text, size_t size,
                        struct report *report) {
    const char *problem = parser->problem; /* libyaml names one for whatever is wrong but memory */
    struct mistake m = {.line = (int32_t)parser->problem_mark.line + 1,
                        .column = (int32_t)parser->problem_mark.column + 1};
    char words[240], line[32] = "";
    if (parser->error == YAML_MEMORY_ERROR || !problem) {
        report_add(report, REPORT_ERROR, STATUS_LIMIT, file, 0, 0, "out of memory");
        return;
    }
    if (parser->error == YAML_READER_ERROR) {
        place_of(text, size, parser->problem_offset, &m.line, &m.column);
        report_add(report, REPORT_ERROR, STATUS_INPUT, file, m.line, m.column, "not UTF-8 text: %s", problem);
        return;
    }
    size_t at = offset_of(text, size, m.line, m.column);
    if (parser->context && memchr(text, '\n', size)) /* --set has but one line */
        snprintf(line, sizeof line, ", line %d", (int)parser->context_mark.line + 1);
    snprintf(words, sizeof words, "%s%s%s%s%s", problem, parser->context ? " (" : "",
             parser->context ? parser->context : "", line, parser->context ? ")" : "");
    if (at < size && text[at] == '\t')
        say(&m, "a tab cannot indent or begin a value: use spaces");
    else if (at < size && is(problem, "found character that cannot start"))
        snprintf(m.text, sizeof m.text, "a value that begins with %c stands in quotes", text[at]);
    else
        guess(parser, text, size, &m);
    report_add(report, REPORT_ERROR, STATUS_INPUT, file, m.line, m.column, "%s", m.text[0] ? m.text : words);
}
