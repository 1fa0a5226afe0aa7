#include "biome/show.h"

static float chance(const struct biome_candidate *c, enum candidate_draw k) {
    return hash_unit(candidate_hash(c->id, k));
}

static int32_t variation_of(const struct recipe *recipe, const struct recipe_size *size,
                            const struct biome_candidate *c) {
    float sum = 1.0f, upto = 1.0f;
    if (size->variation_count == 0)
        return -1;
    const struct recipe_variation *v = recipe->variations + size->variation_first;
    for (int32_t i = 0; i < size->variation_count; i++)
        sum += v[i].weight;
    float at = chance(c, DRAW_VARIATION) * sum;
    for (int32_t i = 0; i < size->variation_count && at >= upto; i++) {
        upto += v[i].weight;
        if (at < upto)
            return i;
    }
    return -1;
}

/* The tint's colour at x. */
static void color_at(const struct recipe_tint *tint, float x, float rgb[3]) {
    int32_t last = tint->count - 1, i = 0;
    while (i < last && tint->x[i + 1] <= x)
        i++;
    float t = 0.0f;
    if (i < last && x > tint->x[i])
        t = (x - tint->x[i]) / (tint->x[i + 1] - tint->x[i]);
    const uint8_t *from = tint->rgb[i], *to = tint->rgb[i < last ? i + 1 : i];
    for (int k = 0; k < 3; k++)
        rgb[k] = (float)from[k] + ((float)to[k] - (float)from[k]) * t;
}

static float tint_over(const struct recipe *recipe, const struct recipe_species *s,
                       const struct biome_candidate *c, float stack) {
    switch (s->tint.over) {
    case TINT_AGE:
        return (float)c->age / 255.0f;
    case TINT_HEIGHT:
        return biome_height_m(recipe, c);
    case TINT_STACK:
        return stack;
    case TINT_VIABILITY:
        break;
    }
    return c->viability;
}

static uint8_t shade(float channel, float factor) {
    float v = channel * factor + 0.5f;
    return v <= 0.0f ? 0 : v >= 255.0f ? 255 : (uint8_t)v;
}

struct biome_shown biome_show(const struct recipe *recipe, const struct biome_candidate *c, float stack) {
    const struct recipe_species *s = candidate_species(recipe, c);
    const struct recipe_size *size = &s->sizes[c->size];
    struct biome_shown out = {variation_of(recipe, size, c), size->object_id, {0, 0, 0}};
    const uint8_t *plain = s->color;
    float rgb[3];
    bool tinted = s->tint.count > 0;
    if (out.variation >= 0) {
        const struct recipe_variation *v = &recipe->variations[size->variation_first + out.variation];
        out.object_id = v->object_id;
        plain = v->colored ? v->color : plain;
        tinted &= !v->colored;
    }
    for (int k = 0; k < 3; k++)
        rgb[k] = (float)plain[k];
    if (tinted) {
        float move = s->tint.jitter > 0.0f ? s->tint.jitter * (2.0f * chance(c, DRAW_TINT) - 1.0f) : 0.0f;
        color_at(&s->tint, tint_over(recipe, s, c, stack) + move, rgb);
    }
    float factor = 1.0f + s->color_jitter * (2.0f * chance(c, DRAW_COLOR) - 1.0f);
    for (int k = 0; k < 3; k++)
        out.rgb[k] = shade(rgb[k], factor);
    return out;
}
