/* Any bytes as a points file and as a part of a points layer; what is read must be written the same. */
#include "gen/ply.h"
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct ply ply;
    struct entity_part part;
    struct error err;
    if (ply_read("fuzz", data, size, &ply, &err) == STATUS_OK) {
        char header[PLY_HEADER_MAX];
        size_t length = ply_header(&ply.schema, ply.count, header);
        if (size < length || memcmp(header, data, length) != 0)
            abort();
        ply_check("fuzz", &ply, &err);
    }
    if (entity_part_open(data, size, &part, &err) == STATUS_OK)
        for (size_t i = 0; i < part.count; i++) {
            struct entity e;
            entity_decode(&part.schema, part.records + i * entity_stride(&part.schema), &e);
        }
    return 0;
}
