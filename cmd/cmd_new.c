/* terrane new: a small world that bakes at once, with heights of its own. */
#include "cmd/cmd.h"
#include "cmd/embedded.h"
#include "cmd/print.h"
#include "gen/os.h"
#include "gen/png_write.h"
#include "terrain/noise.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NEW_CELLS = 512 };

/* Hills with a valley through them: two noises, one folded into ridges, over a trough from west to east. */
static uint16_t height_code(const struct noise *hills, const struct noise *ridges, const struct noise *bends,
                            int32_t x, int32_t y) {
    int64_t px = (int64_t)x * NOISE_CELL + NOISE_CELL / 2, py = (int64_t)y * NOISE_CELL + NOISE_CELL / 2;
    float h = noise_at(hills, px, py), r = noise_at(ridges, px, py);
    float fold = r < 0.5f ? 2.0f * r : 2.0f - 2.0f * r;
    float middle = 190.0f + 36.0f * (noise_at(bends, px, 7 * NOISE_CELL) - 0.5f);
    float across = ((float)y - middle) / 340.0f;
    float trough = across * across < 1.0f ? across * across : 1.0f;
    float down = (float)x / NEW_CELLS; /* the valley falls to the west */
    float v =
        0.02f + 0.12f * down + 0.62f * trough + 0.13f * h * (0.15f + 0.85f * trough) + 0.07f * fold * trough;
    return (uint16_t)(v * 65535.0f + 0.5f);
}

static enum status make_heights(unsigned char **bytes, size_t *size, struct error *err) {
    struct noise hills, ridges, bends;
    const struct noise_params a = {
        .scale_cells = 300, .octaves = 6, .gain = 0.42, .lacunarity = 2, .seed = 11};
    /* one wave only: what shifts the valley sideways shows as creases across its flanks */
    const struct noise_params c = {.scale_cells = 260, .octaves = 1, .gain = 0.5, .lacunarity = 2, .seed = 3};
    const struct noise_params b = {.scale_cells = 150, .octaves = 5, .gain = 0.4, .lacunarity = 2, .seed = 5};
    struct raster image;
    if (!noise_prepare(&a, &hills) || !noise_prepare(&b, &ridges) || !noise_prepare(&c, &bends))
        return error_set(err, STATUS_FAULT, "the noise of the new world's heights is out of range");
    enum status status = raster_new(KIND_GREY16, NEW_CELLS, NEW_CELLS, &image, err);
    if (status != STATUS_OK)
        return status;
    for (int32_t y = 0; y < NEW_CELLS; y++)
        for (int32_t x = 0; x < NEW_CELLS; x++) {
            uint16_t code = height_code(&hills, &ridges, &bends, x, y);
            memcpy(image.samples + ((size_t)y * NEW_CELLS + (size_t)x) * 2, &code, 2);
        }
    status = png_encode(&image, bytes, size, err);
    raster_free(&image);
    return status;
}

static enum status write_file(const char *dir, const char *name, const void *bytes, size_t size,
                              struct error *err) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", dir, name);
    char *slash = strrchr(path, '/');
    *slash = '\0';
    enum status status = os_make_dirs(path, err);
    *slash = '/';
    return status == STATUS_OK ? os_write_file(path, bytes, size, err) : status;
}

/* The world is called as its folder is: out folders know worlds by their names. */
static void name_of(const char *dir, char out[64]) {
    size_t end = strlen(dir), used = 0;
    while (end > 0 && dir[end - 1] == '/')
        end--;
    size_t begin = end;
    while (begin > 0 && dir[begin - 1] != '/')
        begin--;
    for (size_t i = begin; i < end && used < 60; i++) {
        char c = dir[i];
        bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
                     c == '-';
        if (plain)
            out[used++] = c;
        else if (used > 0 && out[used - 1] != '_')
            out[used++] = '_';
    }
    out[used] = '\0';
    if (used == 0) /* ".", "/", or letters that YAML might take for something else */
        snprintf(out, 64, "first");
}

/* world.yaml with that name. */
static enum status write_world(const char *dir, const struct embedded *file, struct error *err) {
    static const char line[] = "name: first\n";
    char name[64];
    const char *text = (const char *)file->bytes, *at = text;
    while (at + sizeof line - 1 <= text + file->size && memcmp(at, line, sizeof line - 1) != 0)
        at++;
    size_t head = (size_t)(at - text), room = file->size + 128;
    char *copy = malloc(room);
    if (!copy)
        return error_set(err, STATUS_LIMIT, "out of memory");
    name_of(dir, name);
    int size = snprintf(copy, room, "%.*sname: \"%s\"\n%.*s", (int)head, text, name,
                        (int)(file->size - head - (sizeof line - 1)), at + sizeof line - 1);
    enum status status = write_file(dir, file->name, copy, (size_t)size, err);
    free(copy);
    return status;
}

static enum status refuse_used(void *context, const char *name, struct error *err) {
    (void)name;
    return error_at(err, STATUS_USAGE, context, 0, 0, "the folder is not empty; name a new one");
}

static enum status make_world(const char *dir, struct error *err) {
    struct os_info info;
    if (strlen(dir) > 3900)
        return error_set(err, STATUS_USAGE, "the folder's name is too long");
    enum status status = os_info(dir, &info, err);
    union { /* os_list's context is not const */
        const char *seen;
        void *passed;
    } name = {.seen = dir};
    if (status == STATUS_OK && info.kind == OS_DIR)
        status = os_list(dir, refuse_used, name.passed, err);
    unsigned char *heights = NULL;
    size_t size = 0;
    if (status == STATUS_OK)
        status = make_heights(&heights, &size, err);
    if (status == STATUS_OK)
        status = write_file(dir, "heights.png", heights, size, err);
    free(heights);
    /* world.yaml comes last: a folder that has one is whole */
    for (const struct embedded *f = embedded_files; f->name && status == STATUS_OK; f++)
        status = strcmp(f->name, "world.yaml") == 0 ? write_world(dir, f, err)
                                                    : write_file(dir, f->name, f->bytes, f->size, err);
    return status;
}

/* A word as a shell takes it: in single quotes where it is not plain. */
static void for_shell(const char *word, char *out, size_t room) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+,:@%";
    if (strspn(word, plain) == strlen(word)) {
        snprintf(out, room, "%s", word);
        return;
    }
    size_t used = 0;
    out[used++] = '\'';
    for (; *word && used + 6 < room; word++)
        if (*word == '\'')
            used += (size_t)snprintf(out + used, room - used, "'\\''");
        else
            out[used++] = *word;
    snprintf(out + used, room - used, "'");
}

static void tell_next(const char *dir) {
    size_t room = 4 * strlen(dir) + 8;
    char *word = malloc(room);
    if (word)
        for_shell(dir, word, room);
    print_note("made %s; now: terrane bake %s", dir, word ? word : dir);
    free(word);
}

static enum status run(const struct cmd_args *args) {
    struct error err;
    enum status status = make_world(args->words[0], &err);
    if (status != STATUS_OK)
        print_failure(&err);
    else
        tell_next(args->words[0]);
    return status;
}

const struct cmd_command cmd_new = {
    .name = "new",
    .usage = "DIR",
    .summary = "make a small world that bakes at once",
    .min_words = 1,
    .max_words = 1,
    .no_json = true,
    .run = run,
};
