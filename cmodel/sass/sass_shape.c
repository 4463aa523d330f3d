/* sass_shape.c - see sass_shape.h. */
#include "sass/sass_shape.h"

enum { MOST_BLOCKS = 16 }; /* of a cluster, by the largest hardware there is */

void sass_shape_init(struct sass_shape *shape, const struct sass_header *header)
{
    *shape = (struct sass_shape){.header = header, .consecutive = true};
}

/* One axis: tb = id * size + place, place < size. */
static void add_axis(struct sass_shape *shape, uint32_t axis, uint32_t tb, uint32_t id,
                     uint32_t place)
{
    const uint32_t size = id && tb >= place ? (tb - place) / id : 0;

    shape->place[axis] = place > shape->place[axis] ? place : shape->place[axis];
    if (id == 0) {
        shape->contradicts |= tb != place;
        return;
    }
    shape->contradicts |= size == 0 || (uint64_t)id * size + place != tb || place >= size ||
                          (shape->size[axis] && shape->size[axis] != size);
    shape->size[axis] = size;
}

static bool same(struct isa_dim3 a, struct isa_dim3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static void add_run(struct sass_shape *shape, const struct sass_cluster *cluster)
{
    if (shape->blocks > 0 && same(cluster->id, shape->id) && cluster->rank == shape->run) {
        shape->run++;
        return;
    }
    shape->consecutive &= cluster->rank == 0 &&
                          (!shape->run_blocks || shape->run == shape->run_blocks);
    shape->run_blocks = shape->blocks > 0 ? shape->run : 0;
    shape->id = cluster->id;
    shape->run = 1;
}

void sass_shape_add(struct sass_shape *shape, struct isa_dim3 at,
                    const struct sass_cluster *cluster)
{
    const struct isa_dim3 *id = &cluster->id, *cta = &cluster->cta;

    shape->any |= id->x || id->y || id->z || cta->x || cta->y || cta->z || cluster->rank;
    add_run(shape, cluster);
    shape->blocks++;
    if (shape->any || shape->blocks == 1) {
        add_axis(shape, 0, at.x, id->x, cta->x);
        add_axis(shape, 1, at.y, id->y, cta->y);
        add_axis(shape, 2, at.z, id->z, cta->z);
    }
}

bool sass_shape_end(struct sass_shape *shape, const struct sass_tracez *tracez,
                    struct sass_cluster_shape *out)
{
    const struct isa_dim3 *grid = &shape->header->grid;
    const uint32_t last = shape->run;
    uint64_t blocks;

    for (int d = 0; d < 3; d++) {
        shape->size[d] = shape->size[d] ? shape->size[d] : shape->place[d] + 1;
        shape->contradicts |= shape->place[d] >= shape->size[d];
    }
    *out = (struct sass_cluster_shape){.shape = {1, 1, 1}, .blocks = 1, .consecutive = true};
    blocks = (uint64_t)shape->size[0] * shape->size[1];
    blocks = blocks > MOST_BLOCKS ? blocks : blocks * shape->size[2];
    if (!shape->any || shape->header->binary_version < 90 || (!shape->contradicts && blocks == 1)) {
        return true;
    }
    shape->consecutive &= last == blocks && (!shape->run_blocks || shape->run_blocks == blocks);
    if (shape->contradicts || blocks > MOST_BLOCKS ||
        (!shape->consecutive &&
         !(tracez && sass_tracez_ordered(tracez) && shape->blocks == shape->header->blocks &&
           grid->x % shape->size[0] == 0 && grid->y % shape->size[1] == 0 &&
           grid->z % shape->size[2] == 0))) {
        return false;
    }
    *out = (struct sass_cluster_shape){.shape = {shape->size[0], shape->size[1], shape->size[2]},
                                       .blocks = (uint32_t)blocks,
                                       .consecutive = shape->consecutive};
    return true;
}

uint64_t sass_shape_block(const struct sass_cluster_shape *cluster, struct isa_dim3 grid,
                          uint64_t cta)
{
    const struct isa_dim3 *s = &cluster->shape;
    const uint64_t id = cta / cluster->blocks, rank = cta % cluster->blocks;
    const uint64_t nx = grid.x / s->x, ny = grid.y / s->y;
    const uint64_t x = id % nx * s->x + rank % s->x;
    const uint64_t y = id / nx % ny * s->y + rank / s->x % s->y;
    const uint64_t z = id / nx / ny * s->z + rank / s->x / s->y;

    return (z * grid.y + y) * grid.x + x;
}
