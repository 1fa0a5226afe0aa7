#include "gen/publish_bands.h"

json_t *bands_json(const struct png_band *bands, size_t count) {
    json_t *list = json_array();
    for (size_t i = 0; list && i < count; i++) {
        char rows[HASH_TEXT_SIZE], seal[HASH_TEXT_SIZE];
        hash128_text(bands[i].rows, rows);
        hash128_text(bands[i].seal, seal);
        json_array_append_new(list, json_pack("[s,s,I,I,I]", rows, seal, (json_int_t)bands[i].at,
                                              (json_int_t)bands[i].size, (json_int_t)bands[i].sum));
    }
    return list;
}

static bool parse(const json_t *entry, struct png_band *band) {
    const char *rows = json_string_value(json_array_get(entry, 0));
    const char *seal = json_string_value(json_array_get(entry, 1));
    if (!rows || !seal || !hash128_parse(rows, &band->rows) || !hash128_parse(seal, &band->seal))
        return false;
    band->at = (uint64_t)json_integer_value(json_array_get(entry, 2));
    band->size = (uint64_t)json_integer_value(json_array_get(entry, 3));
    band->sum = (uint32_t)json_integer_value(json_array_get(entry, 4));
    return true;
}

size_t bands_parse(const json_t *list, struct png_band *bands, size_t room) {
    size_t count = json_array_size(list) < room ? json_array_size(list) : room;
    for (size_t i = 0; i < count; i++)
        if (!parse(json_array_get(list, i), &bands[i]))
            return 0;
    return count;
}
