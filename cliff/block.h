/* Owns how a bed is cut in blocks: the diagram in plan, a block's plane and push, the table of those that
 * have been asked for. Private to cliff/field.c. */
#ifndef CLIFF_BLOCK_H
#define CLIFF_BLOCK_H
#include "cliff/field.h"

/* How a bed is cut: a function of the bed and the seed. */
void cliff_bed_cut(const struct cliff_params *params, uint8_t preset, const struct strata_bed *bed,
                   struct cliff_bed *out);
/* The empty table. False: too little scratch. */
bool cliff_blocks_make(struct cliff_field *field);
/* The block of a bed at a place: its index. */
int32_t cliff_block_at(struct cliff_field *field, int32_t bed, double x, double y);
/* The normal of the wall between the block and its neighbour (another block, or CLIFF_BASE: the nearest
 * one), outward. Not of unit length. False: there is none. */
bool cliff_side_normal(const struct cliff_field *field, const struct cliff_block *block, double x, double y,
                       int32_t neighbour, float normal[3]);
/* Between the four nodes around a place. */
void cliff_node_at(const struct cliff_field *field, double x, double y, struct cliff_node *out);
/* Between two nodes, t from a to b. */
void cliff_node_between(const struct cliff_node *a, const struct cliff_node *b, float t,
                        struct cliff_node *out);
void cliff_site_at(const struct cliff_field *field, double x, double y, struct cliff_site *out);

#endif
