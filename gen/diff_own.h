/* What gen/diff.c and gen/diff_points.c share. */
#ifndef GEN_DIFF_OWN_H
#define GEN_DIFF_OWN_H
#include "gen/diff.h"
#include "gen/entity.h"

/* Entities that one side has and the other lacks in the same sector, until all sectors are seen: who went to
 * another sector is found again here. */
struct diff_loose {
    struct diff_entity entity; /* DIFF_REMOVED or DIFF_ADDED */
    unsigned char record[ENTITY_BYTES + 4 * ENTITY_EXTRAS_MAX];
    size_t stride;
};
struct diff_points {
    struct diff_loose *loose;
    size_t count, room;
};

/* Compares one sector's points files; NULL bytes: there is none. shown: A's and B's, for messages. */
enum status diff_points_sector(struct diff_result *result, struct diff_points *points, int32_t x, int32_t y,
                               char shown[2][PATH_TEXT_MAX], const unsigned char *a, size_t a_size,
                               const unsigned char *b, size_t b_size, struct error *err);
/* After the last sector: pairs who moved between sectors, sorts, counts. Frees points. */
enum status diff_points_finish(struct diff_result *result, struct diff_points *points, struct error *err);

#endif
