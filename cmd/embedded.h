/* Owns the files that the program carries with it (fixtures/new, put in by scripts/embed.sh). */
#ifndef CMD_EMBEDDED_H
#define CMD_EMBEDDED_H
#include <stddef.h>

struct embedded {
    const char *name; /* relative path; NULL ends the list */
    const unsigned char *bytes;
    size_t size;
};
extern const struct embedded embedded_files[];

#endif
