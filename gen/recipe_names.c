#include "gen/recipe_names.h"

#include <string.h>

/* The next character of UTF-8 text that is well formed, as all that was read from YAML is; 0 at its end. */
static uint32_t next(const unsigned char **at) {
    const unsigned char *p = *at;
    uint32_t c = *p;
    int more = c < 0x80 ? 0 : c < 0xe0 ? 1 : c < 0xf0 ? 2 : 3;
    if (c == 0)
        return 0;
    c = more == 0 ? c : c & (0x3fu >> more);
    for (p++; more > 0 && (*p & 0xc0) == 0x80; more--, p++)
        c = c << 6 | (*p & 0x3fu);
    *at = p;
    return c;
}

/* Beyond ASCII: blanks, what has no width or turns the direction of writing. */
static bool is_invisible(uint32_t c) {
    return c < 0xa1 || c == 0xad || c == 0x1680 || c == 0x180e || (c >= 0x2000 && c <= 0x200f) ||
           (c >= 0x2028 && c <= 0x202f) || (c >= 0x205f && c <= 0x206f) || c == 0x3000 || c == 0xfeff ||
           (c >= 0xfff9 && c <= 0xfffb) || c >= 0xe0000;
}

static bool is_name_character(uint32_t c) {
    bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    return letter || c == '_' || c == '-' || c == '.' || (c >= 0x80 && !is_invisible(c));
}

bool recipe_check_name(const struct yaml_node *at, const char *what, const char *name,
                       struct report *report) {
    const unsigned char *p = (const unsigned char *)name;
    bool good = name[0] && name[0] != '-' && name[0] != '.';
    for (uint32_t c; good && (c = next(&p)) != 0;)
        good = is_name_character(c);
    if (!good)
        yaml_complain(at, report,
                      "%s '%.80s': a name is made of letters, digits, _ - and ., and begins with none of the "
                      "last two",
                      what, name);
    else if (strlen(name) > RECIPE_NAME_MAX)
        yaml_complain(at, report, "%s '%.80s...': a name has at most %d bytes", what, name,
                      (int)RECIPE_NAME_MAX);
    else
        return true;
    return false;
}
