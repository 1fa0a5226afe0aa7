/* Any text as drawn features, through reading, cutting at the world's edge, sorting, the index and finding.
 */
#include "gen/geojson.h"
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const struct extent extent = {1.0, {-256, 0, 1000, 512}};
    if (size == 0)
        return 0;
    struct features *f = features_new(data[0] & 1 ? FEATURES_PLACED : FEATURES_SPLINES);
    struct report report = {0};
    if (!f)
        return 0;
    f->outside = data[0] & 2 ? FEATURES_CLIP : FEATURES_REFUSE;
    features_parse("fuzz", (const char *)data + 1, size - 1, &extent, f, &report);
    if (features_finish(f, &extent, NULL, &report) == STATUS_OK) {
        struct box box = {0, 0, 100, 100};
        size_t found = 0;
        for (size_t i = 0; features_find(f, &box, &i); i++)
            found++;
        if (found > f->count)
            abort();
    }
    features_free(f);
    report_free(&report);
    return 0;
}
