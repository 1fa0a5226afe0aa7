/* Any bytes as a sector's part of cliff_surface; what is read must be written the same, and be safe to use.
 */
#include "cliff/drape.h"
#include "gen/cliff_part.h"
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { SCRATCH = 1 << 22, CELLS = 16 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static unsigned char memory[SCRATCH];
    struct arena scratch = {memory, sizeof memory, 0};
    struct tile *tile =
        tile_new(&(struct layer_info){.name = "fuzz", .type = LAYER_BLOB}, false, (struct rect){0, 0, 1, 1});
    const void *parts[16] = {data};
    const size_t sizes[16] = {size};
    struct cliff_mesh mesh;
    if (!tile || !tile_set_parts(tile, parts, sizes))
        abort();
    if (cliff_part_read(tile, 0, &scratch, &mesh) && size > 0) {
        const void *again;
        size_t again_size;
        if (!cliff_part_write(&mesh, &scratch, &again, &again_size) || again_size != size ||
            memcmp(again, data, size) != 0)
            abort();
        struct cliff_bins bins;
        double z;
        if (cliff_bins_make(&mesh, 1, CELLS, &scratch, &bins))
            for (int32_t i = 0; i < CELLS; i++)
                cliff_ray_down(&bins, i + 0.5, i + 0.25, &z);
    }
    tile_unref(tile);
    return 0;
}
