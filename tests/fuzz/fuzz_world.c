/* Any bytes as a world.yaml: the settings' pass, which touches no file. */
#include "gen/report_text.h"
#include "gen/world_build.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct report report = {0};
    build_check_text((const char *)data, size, &report);
    char *text = report_render(&report, false);
    if (!text)
        abort();
    free(text);
    report_free(&report);
    return 0;
}
