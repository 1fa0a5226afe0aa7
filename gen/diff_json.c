#include "gen/diff.h"

#include <stdio.h>

static const char *const side_names[] = {"both", "a", "b"};

static json_t *file_json(const struct diff_file *f) {
    json_t *file = json_pack("{s:s, s:s}", "path", f->path, "in", side_names[f->side]);
    if (f->what[0])
        json_object_set_new(file, "differs", json_string(f->what));
    if (!f->raster || f->side != DIFF_BOTH || f->what[0])
        return file;
    json_object_set_new(file, "cells", json_integer(f->cells));
    json_object_set_new(file, "different", json_integer(f->different));
    json_object_set_new(file, "max_difference", json_real(f->max_difference));
    json_object_set_new(file, "unit", json_string(f->unit));
    json_t *places = json_array();
    for (int32_t i = 0; i < f->place_count; i++)
        json_array_append_new(places, json_pack("{s:i, s:i, s:I, s:I}", "x", (int)f->places[i].x, "y",
                                                (int)f->places[i].y, "a", (json_int_t)f->places[i].a, "b",
                                                (json_int_t)f->places[i].b));
    if (!f->colour) { /* value = offset + scale * code */
        json_object_set_new(file, "scale", json_real(f->scale));
        json_object_set_new(file, "offset", json_real(f->offset));
    }
    json_object_set_new(file, "places", places);
    return file;
}

static json_t *entity_json(const struct diff_result *result, const struct diff_entity *e) {
    char id[24];
    snprintf(id, sizeof id, "%016llx", (unsigned long long)e->id);
    json_t *entity = json_pack("{s:s, s:s, s:I, s:[f,f], s:[i,i]}", "change", diff_change_names[e->change],
                               "id", id, "object_id", (json_int_t)e->object_id, "at_m", e->x_m, e->y_m,
                               "sector", (int)e->sector_x, (int)e->sector_y);
    const char *asset = diff_asset(result, e);
    if (entity && asset)
        json_object_set_new(entity, "asset", json_string(asset));
    if (entity && e->change == DIFF_MOVED)
        json_object_set_new(entity, "distance_m", json_real(e->distance_m));
    return entity;
}

json_t *diff_json(const struct diff_result *result) {
    json_t *files = json_array(), *entities = json_array(), *sectors = json_array();
    for (size_t i = 0; i < result->file_count; i++)
        json_array_append_new(files, file_json(&result->files[i]));
    for (size_t i = 0; i < result->entity_count; i++)
        json_array_append_new(entities, entity_json(result, &result->entities[i]));
    for (size_t i = 0; i < result->sector_count; i++) {
        const struct diff_sector *s = &result->sectors[i];
        json_t *sector = json_pack("{s:[i,i]}", "sector", (int)s->x, (int)s->y);
        for (int32_t c = 0; c < DIFF_CHANGES; c++)
            json_object_set_new(sector, diff_change_names[c], json_integer(s->counts[c]));
        json_array_append_new(sectors, sector);
    }
    json_t *root =
        json_pack("{s:b, s:o, s:o, s:o, s:I, s:I, s:I, s:b}", "different",
                  (int)(result->file_count > 0 || result->entity_count > 0), "files", files, "entities",
                  entities, "sectors", sectors, "rasters_compared", (json_int_t)result->rasters_compared,
                  "files_compared", (json_int_t)result->files_compared, "entities_compared",
                  (json_int_t)result->entities_compared, "manifests_differ", (int)result->manifests_differ);
    json_t *troubles = json_array();
    for (size_t i = 0; i < result->troubles.count; i++)
        json_array_append_new(troubles, json_pack("{s:s?, s:s?}", "file", result->troubles.items[i].file,
                                                  "message", result->troubles.items[i].message));
    json_object_set(root, "species", result->species);
    json_object_set_new(root, "troubles", troubles);
    return root;
}
