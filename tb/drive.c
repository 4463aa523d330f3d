/* drive.c - constrained random stimulus from a unit's table and stimulus file. */
#include "tb/drive.h"

#include <stdlib.h>
#include <string.h>

#include "tb/value.h"

enum { POOL = 64, STANDARD_MEAN_STEPS = 4096, ONE_IN_NEAR = 32, ONE_IN_BEYOND = 64 };

/* One slot to draw. */
struct slot {
    enum unit_draw draw;
    uint64_t arg, mask;
    uint64_t *pool;   /* FEW: the values of this period */
    int valid, ready; /* HELD: slots of the handshake, -1 when free */
};

struct driver {
    const struct unit_desc *desc;
    const struct unit_stimulus *stimulus;
    struct tb_random random;
    struct slot *slots;
    bool any_held;
    uint64_t *in, *last_in, *last_out;
    uint64_t step, steps_left; /* since and until a reset */
    bool started;
};

static uint64_t draw_any(struct tb_random *random, uint64_t mask)
{
    const uint64_t value = tb_random_next(random);
    const unsigned corner = (unsigned)(value >> 59); /* 3 in 32 draws are corners */
    if (corner > 2) {
        return value & mask;
    }
    return corner == 0 ? 0 : corner == 1 ? mask : (UINT64_C(1) << (value & 63)) & mask;
}

/* A value that differs in one bit, in every second draw the highest: who compares all bits
 * but one takes the two for the same. */
static uint64_t near(struct tb_random *random, uint64_t value, uint64_t mask)
{
    const unsigned top = 63u - (unsigned)__builtin_clzll(mask);
    const uint64_t bit = tb_random_below(random, 2) ? top : tb_random_below(random, top + 1);
    return value ^ UINT64_C(1) << bit;
}

static uint64_t draw(struct driver *driver, const struct slot *slot)
{
    struct tb_random *random = &driver->random;
    switch (slot->draw) {
    case UNIT_DRAW_FEW: {
        const uint64_t value = slot->pool[tb_random_below(random, slot->arg)];
        return tb_random_below(random, ONE_IN_NEAR) ? value : near(random, value, slot->mask);
    }
    case UNIT_DRAW_RARE:
        return tb_random_below(random, slot->arg) != 0
                   ? 0
                   : (slot->mask == 1 ? 1 : draw_any(random, slot->mask));
    case UNIT_DRAW_MOSTLY:
        return tb_random_below(random, slot->arg) == 0
                   ? 0
                   : (slot->mask == 1 ? 1 : draw_any(random, slot->mask));
    case UNIT_DRAW_BELOW:
        if (tb_random_below(random, ONE_IN_BEYOND)) {
            return tb_random_below(random, slot->arg) & slot->mask;
        }
        break; /* a number of something that is not there */
    case UNIT_DRAW_ANY: break;
    }
    return draw_any(random, slot->mask);
}

static int slot_named(const struct unit_port *ports, unsigned n, const char *name)
{
    const struct unit_port *port = value_port(ports, n, name);
    return port != NULL ? (int)port->slot : -1;
}

static bool prepare(struct driver *driver)
{
    const struct unit_desc *desc = driver->desc;
    for (unsigned i = 0; i < desc->n_in; i++) {
        const struct unit_port *port = &desc->in[i];
        for (unsigned lane = 0; lane < port->lanes; lane++) {
            struct slot *slot = &driver->slots[port->slot + lane];
            *slot = (struct slot){
                port->draw, (uint64_t)port->draw_arg, value_mask(port->width), NULL, -1, -1};
            for (unsigned h = 0; h < desc->n_held; h++) {
                if (strcmp(desc->held[h].port, port->name) == 0) {
                    slot->valid = slot_named(desc->in, desc->n_in, desc->held[h].valid);
                    slot->ready = slot_named(desc->out, desc->n_out, desc->held[h].ready);
                    driver->any_held = true;
                }
            }
            if (port->draw == UNIT_DRAW_FEW) {
                slot->arg = slot->arg > POOL ? POOL : slot->arg;
                slot->pool = calloc(POOL, sizeof *slot->pool);
                if (slot->pool == NULL) {
                    return false;
                }
            }
        }
    }
    return true;
}

struct driver *driver_new(const struct unit_desc *desc, const struct unit_stimulus *stimulus,
                          uint64_t seed)
{
    struct driver *driver = calloc(1, sizeof *driver);
    if (driver == NULL) {
        return NULL;
    }
    driver->desc = desc;
    driver->stimulus = stimulus;
    tb_random_seed(&driver->random, seed);
    driver->slots = calloc(desc->in_slots + 1, sizeof *driver->slots);
    driver->in = calloc(desc->in_slots + 1, sizeof *driver->in);
    driver->last_in = calloc(desc->in_slots + 1, sizeof *driver->last_in);
    driver->last_out = calloc(desc->out_slots + 1, sizeof *driver->last_out);
    if (!driver->slots || !driver->in || !driver->last_in || !driver->last_out ||
        !prepare(driver)) {
        driver_free(driver);
        return NULL;
    }
    return driver;
}

void driver_free(struct driver *driver)
{
    for (unsigned i = 0; driver->slots != NULL && i < driver->desc->in_slots; i++) {
        free(driver->slots[i].pool);
    }
    free(driver->slots);
    free(driver->in);
    free(driver->last_in);
    free(driver->last_out);
    free(driver);
}

/* A new period: fresh pools, shared by all lanes of an array, and a length. */
static void new_period(struct driver *driver)
{
    const uint64_t mean = driver->stimulus != NULL && driver->stimulus->mean_steps_between_resets
                              ? driver->stimulus->mean_steps_between_resets
                              : STANDARD_MEAN_STEPS;
    driver->steps_left = 1 + tb_random_below(&driver->random, 2 * mean);
    driver->step = 0;
    for (unsigned i = 0; i < driver->desc->n_in; i++) {
        const struct unit_port *port = &driver->desc->in[i];
        struct slot *first = &driver->slots[port->slot];
        for (unsigned k = 0; first->pool != NULL && k < first->arg; k++) {
            first->pool[k] = draw_any(&driver->random, first->mask);
        }
        for (unsigned lane = 1; first->pool != NULL && lane < port->lanes; lane++) {
            memcpy(first[lane].pool, first->pool, POOL * sizeof *first->pool);
        }
    }
}

const uint64_t *driver_next(struct driver *driver, bool *rst)
{
    const bool sequential = driver->desc->kind == UNIT_SEQUENTIAL;
    *rst = sequential && driver->steps_left == 0;
    if (driver->steps_left == 0) {
        new_period(driver);
    }
    driver->steps_left--;
    const uint64_t *last_in = driver->last_in, *last_out = driver->last_out;
    for (unsigned i = 0; i < driver->desc->in_slots; i++) {
        const struct slot *slot = &driver->slots[i];
        const bool waits = driver->any_held && slot->valid >= 0 && slot->ready >= 0 &&
                           last_in[slot->valid] != 0 && last_out[slot->ready] == 0;
        driver->in[i] = waits ? last_in[i] : draw(driver, slot);
    }
    if (driver->stimulus != NULL && driver->stimulus->drive != NULL) {
        driver->stimulus->drive(&driver->random, driver->step, last_in, last_out, driver->in);
    }
    driver->step++;
    return driver->in;
}

void driver_answer(struct driver *driver, const uint64_t *out, bool rst)
{
    const struct unit_desc *desc = driver->desc;
    if (rst) {
        memset(driver->last_in, 0, desc->in_slots * sizeof *driver->last_in);
        memset(driver->last_out, 0, desc->out_slots * sizeof *driver->last_out);
    } else {
        memcpy(driver->last_in, driver->in, desc->in_slots * sizeof *driver->last_in);
        memcpy(driver->last_out, out, desc->out_slots * sizeof *driver->last_out);
    }
}
