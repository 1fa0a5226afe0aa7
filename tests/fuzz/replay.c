/* Runs a fuzz target over the files named on the command line: what `make test` does with every corpus. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++) {
        FILE *f = fopen(argv[i], "rb");
        if (!f) {
            fprintf(stderr, "replay: cannot open %s\n", argv[i]);
            return 1;
        }
        /* an exact-size heap block lets AddressSanitizer see the first byte read past the end */
        size_t size = 0, room = 1 << 16;
        uint8_t *data = malloc(room);
        for (size_t got; data && (got = fread(data + size, 1, room - size, f)) > 0;) {
            size += got;
            if (size == room)
                data = realloc(data, room *= 2);
        }
        fclose(f);
        data = data ? realloc(data, size ? size : 1) : NULL;
        if (!data)
            return 1;
        LLVMFuzzerTestOneInput(data, size);
        free(data);
    }
    return 0;
}
