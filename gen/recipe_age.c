#include "gen/recipe_age.h"

#include "gen/recipe_layers.h"
#include "gen/recipe_ramp.h"
#include "gen/world.h"

#include <stdio.h>
#include <string.h>

void recipe_read_age(struct recipe_reading *r, struct yaml_node *map, struct recipe_species *s) {
    static const char *const combines[] = {"none", "add", "multiply", "mix"};
    static const struct recipe_ramp_limits shares = {0.0, 1.0, 0.0, 1.0, "", false};
    struct yaml_node *age = yaml_get_map(map, "age", r->report);
    double max_m = 20.0, over = 0.05, amount;
    int32_t combine = AGE_MIX;
    if (!age)
        return;
    if (!yaml_get(age, "max_m"))
        yaml_complain(age, r->report, "'age' needs 'max_m': how deep in its patch a species is oldest");
    yaml_get_f64(age, "max_m", 1.0, 256.0, "m", &max_m, r->report);
    yaml_get_f64(age, "over", 0.0, 1000.0, "", &over, r->report);
    yaml_get_enum(age, "size", combines, 4, &combine, r->report);
    amount = combine == AGE_MIX ? 0.5 : 1.0;
    if (yaml_get_f64(age, "amount", 0.0, 1.0, "", &amount, r->report) && combine == AGE_NONE)
        yaml_complain(yaml_get(age, "amount"), r->report,
                      "'amount' says how age chooses the size: 'size' is none");
    recipe_read_ramp(r, age, "ramp", &shares, &s->age.ramp);
    yaml_unknown_keys(age, "'age'", r->report);
    s->age.max_m = (float)max_m;
    s->age.over = (float)over;
    s->age.combine = (enum recipe_age_combine)combine;
    s->age.amount = (float)amount;
}

void recipe_name_age(struct recipe_reading *r, struct yaml_node *map, struct recipe_species *s) {
    char name[160];
    if (s->age.max_m <= 0.0f)
        return;
    int n = snprintf(name, sizeof name, "age_%s", s->name);
    if (n < 0 || n >= (int)sizeof name)
        return; /* too long a name: reported */
    if (world_find_mask(r->world, name))
        yaml_complain(map, r->report,
                      "the age of '%s' is the layer %s, but a mask of the world has that name", s->name,
                      name);
    else
        s->age.layer = recipe_add_layer(r, map, name);
}

void recipe_read_density(struct recipe_reading *r, struct yaml_node *map, struct recipe_species *s) {
    static const char *const overs[] = {"viability", "age", "height"};
    static const double most[] = {1000.0, 1.0, 1000.0};
    static const char *const units[] = {"", "", "m"};
    double per_ha = 1.0;
    int32_t over = DENSITY_VIABILITY;
    if (!yaml_get(map, "density_per_ha") && !r->partial)
        yaml_complain(map, r->report, "species '%s' needs 'density_per_ha'", s->name);
    yaml_get_f64(map, "density_per_ha", 0.01, 500000.0, "per ha", &per_ha, r->report);
    s->density_per_ha = (float)per_ha;
    if (yaml_get_enum(map, "density_over", overs, 3, &over, r->report) && !yaml_get(map, "density_ramp") &&
        !r->partial)
        yaml_complain(yaml_get(map, "density_over"), r->report,
                      "'density_over' says what 'density_ramp' is over: there is none");
    if (over == DENSITY_AGE && s->age.max_m <= 0.0f && !r->partial)
        yaml_complain(yaml_get(map, "density_over"), r->report, "'density_over: age' needs an 'age'");
    struct recipe_ramp_limits limits = {0.0, most[over], 0.0, 1.0, units[over], true};
    s->density_over = (enum recipe_density_over)over;
    s->density_ramp = (struct biome_ramp){2, {0.0f, 1.0f}, {0.0f, 1.0f}};
    recipe_read_ramp(r, map, "density_ramp", &limits, &s->density_ramp);
}
