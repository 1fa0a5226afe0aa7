/* What gen/features*.c and gen/geojson*.c share; nobody else includes it. */
#ifndef GEN_FEATURES_OWN_H
#define GEN_FEATURES_OWN_H
#include "gen/geojson.h"

/* Zeroed memory that lives as long as the set; NULL: out of memory. */
void *features_alloc(struct features *features, size_t count, size_t size);
char *features_text(struct features *features, const char *text);
/* A new zeroed item at the end; NULL: out of memory. */
struct feature *features_add(struct features *features);
/* Fills content and the bounding box. */
void feature_seal(struct feature *feature);
/* A total order by what is drawn; 0 only for features that are drawn alike with the same attributes. */
int feature_compare(const struct feature *a, const struct feature *b);
/* The points alone: the shape and where it lies. */
int feature_compare_points(const struct feature *a, const struct feature *b);

/* gen/features_clip.c: replaces the items from `first` on by what of them lies within the world and
 * FEATURES_MARGIN_M (and their own reach) around it. *cut: something did not. False: out of memory. */
bool features_clip(struct features *features, size_t first, const struct extent *extent, bool *cut);

/* gen/features_index.c. */
enum status features_index_build(struct features *features, const struct extent *extent);
void features_index_free(struct features_index *index);

#endif
