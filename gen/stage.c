#include "gen/stage.h"

#include "gen/hasher.h"

#include <stdio.h>
#include <string.h>

void stage_reads(struct stage_inputs *inputs, const char *layer, int32_t reach_cells) {
    if (inputs->count == STAGE_INPUTS_MAX || strlen(layer) >= STAGE_ARG_MAX) {
        inputs->overflow = true;
        return;
    }
    memcpy(inputs->input[inputs->count].layer, layer, strlen(layer) + 1);
    inputs->input[inputs->count++].reach = reach_cells;
}

/* Whether `layer` is what `pattern` names, '*' standing for at least one character. */
static bool matches(const char *pattern, const char *layer, char arg[STAGE_ARG_MAX]) {
    const char *star = strchr(pattern, '*');
    arg[0] = '\0';
    if (!star)
        return strcmp(pattern, layer) == 0;
    size_t head = (size_t)(star - pattern), tail = strlen(star + 1), size = strlen(layer);
    if (size <= head + tail || size - head - tail >= STAGE_ARG_MAX || strncmp(pattern, layer, head) != 0 ||
        strcmp(layer + size - tail, star + 1) != 0)
        return false;
    memcpy(arg, layer + head, size - head - tail);
    arg[size - head - tail] = '\0';
    return true;
}

const struct stage *stage_find(const char *layer, int32_t *output, char arg[STAGE_ARG_MAX]) {
    for (const struct stage *const *stage = stage_table; *stage; stage++)
        for (int32_t o = 0; o < STAGE_OUTPUTS_MAX && (*stage)->outputs[o].name; o++)
            if (matches((*stage)->outputs[o].name, layer, arg)) {
                *output = o;
                return *stage;
            }
    return NULL;
}

void hasher_reset(struct hasher *h) {
    XXH3_128bits_reset(&h->state);
}

struct hash128 hasher_digest(struct hasher *h) {
    XXH128_hash_t d = XXH3_128bits_digest(&h->state);
    return (struct hash128){d.low64, d.high64};
}

void hash_bytes(struct hasher *h, const void *bytes, size_t size) {
    XXH3_128bits_update(&h->state, bytes, size);
}

void hash_u64(struct hasher *h, uint64_t v) {
    hash_bytes(h, &v, sizeof v);
}

void hash_f64(struct hasher *h, double v) {
    v += 0.0; /* -0 and 0 are the same setting */
    hash_bytes(h, &v, sizeof v);
}

void hash_text(struct hasher *h, const char *text) {
    size_t size = strlen(text);
    hash_u64(h, size);
    hash_bytes(h, text, size);
}
