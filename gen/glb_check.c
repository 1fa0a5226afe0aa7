#include "gen/glb_check.h"

#include <math.h>
#include <string.h>

static enum status check_vectors(const struct glb_mesh *mesh, struct error *err) {
    for (size_t i = 0; i < mesh->vertex_count; i++) {
        const float *p = mesh->positions_m + 3 * i;
        if (!isfinite(p[0]) || !isfinite(p[1]) || !isfinite(p[2]))
            return error_set(err, STATUS_FAULT, "mesh %s: vertex %zu has no place", mesh->name, i);
        if (!mesh->normals)
            continue;
        const float *n = mesh->normals + 3 * i;
        float length2 = n[0] * n[0] + n[1] * n[1] + n[2] * n[2];
        if (!(length2 > 0.998f && length2 < 1.002f))
            return error_set(err, STATUS_FAULT, "mesh %s: the normal of vertex %zu is not of length 1",
                             mesh->name, i);
    }
    return STATUS_OK;
}

static bool own_name(const char *name) {
    return name[0] == '_' && name[1] && !name[1 + strspn(name + 1, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")];
}

static bool attribute_fits(const struct glb_attribute *a) {
    if (a->components < 1 || a->components > 4)
        return false;
    if (strcmp(a->name, "COLOR_0") == 0)
        return a->components >= 3 && a->type != GLB_U8;
    if (strcmp(a->name, "TEXCOORD_0") == 0)
        return a->components == 2 && a->type == GLB_F32;
    return own_name(a->name);
}

static enum status check_attributes(const struct glb_mesh *mesh, struct error *err) {
    if (mesh->attribute_count < 0 || mesh->attribute_count > GLB_ATTRIBUTES_MAX)
        return error_set(err, STATUS_FAULT, "mesh %s: too many attributes", mesh->name);
    for (int32_t i = 0; i < mesh->attribute_count; i++) {
        const struct glb_attribute *a = &mesh->attributes[i];
        if (!attribute_fits(a))
            return error_set(err, STATUS_FAULT, "mesh %s: the attribute %s is not as glTF has it", mesh->name,
                             a->name);
        for (int32_t k = 0; k < i; k++)
            if (strcmp(a->name, mesh->attributes[k].name) == 0)
                return error_set(err, STATUS_FAULT, "mesh %s: the attribute %s stands twice", mesh->name,
                                 a->name);
        size_t values = a->type == GLB_F32 ? (size_t)a->components * mesh->vertex_count : 0;
        for (size_t k = 0; k < values; k++)
            if (!isfinite(((const float *)a->values)[k]))
                return error_set(err, STATUS_FAULT, "mesh %s: %s of vertex %zu is no number", mesh->name,
                                 a->name, k / (size_t)a->components);
    }
    return STATUS_OK;
}

static enum status check_mesh(const struct glb_scene *scene, const struct glb_mesh *mesh, struct error *err) {
    if (mesh->vertex_count == 0 || mesh->index_count == 0 || mesh->index_count % 3 != 0)
        return error_set(err, STATUS_FAULT, "mesh %s: no whole triangles", mesh->name);
    for (size_t i = 0; i < mesh->index_count; i++)
        if (mesh->indices[i] >= mesh->vertex_count)
            return error_set(err, STATUS_FAULT, "mesh %s: index %zu names no vertex", mesh->name, i);
    if (mesh->material >= 0 && (size_t)mesh->material >= scene->material_count)
        return error_set(err, STATUS_FAULT, "mesh %s: there is no material %d", mesh->name, mesh->material);
    if (!isfinite(mesh->origin_m[0]) || !isfinite(mesh->origin_m[1]) || !isfinite(mesh->origin_m[2]))
        return error_set(err, STATUS_FAULT, "mesh %s: no origin", mesh->name);
    enum status status = check_vectors(mesh, err);
    return status ? status : check_attributes(mesh, err);
}

enum status glb_check(const struct glb_scene *scene, struct error *err) {
    if (scene->mesh_count == 0)
        return error_set(err, STATUS_FAULT, "a scene without meshes");
    for (size_t i = 0; i < scene->mesh_count; i++) {
        enum status status = check_mesh(scene, &scene->meshes[i], err);
        if (status)
            return status;
    }
    for (size_t i = 0; i < scene->material_count; i++) {
        bool used = false;
        for (size_t k = 0; k < scene->mesh_count; k++)
            used |= scene->meshes[k].material == (int32_t)i;
        if (!used)
            return error_set(err, STATUS_FAULT, "the material %s is not used", scene->materials[i].name);
    }
    return STATUS_OK;
}
