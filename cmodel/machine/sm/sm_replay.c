/* sm_replay.c - the replay queue beside the LD/ST unit of an SM: accesses of loads that found
 * no MSHR entry or no place in the memory port wait here and let others pass.
 *
 * Works after wang2015-divergence 3.15 (the access re-execution queue, D-MAS-1).  The head is
 * tried again when the LD/ST unit is idle, and before it while the L1D has room for more
 * than one request.  Accesses of one block never pass each other, so that a warp always
 * reads what it has written.  It must not know what an access meets in the L1D, nor who
 * may issue when.
 */
#include "machine/sm/sm_private.h"

bool sm_replay_holds(const struct sm *sm, uint64_t block)
{
    const struct replay_queue *queue = &sm->replay;

    for (uint32_t i = 0; i < queue->count; i++) {
        uint32_t at = (queue->head + i) % SM_MAX_REPLAY;

        if (queue->entry[at].inst->access[queue->entry[at].at].block == block) {
            return true;
        }
    }
    return false;
}

bool sm_replay_take(struct sm *sm, struct mem_inst *inst)
{
    struct replay_queue *queue = &sm->replay;
    uint32_t tail = (queue->head + queue->count) % SM_MAX_REPLAY;

    if (queue->count == sm->config->ldst_replay_queue || inst->kind != ACCESS_LOAD) {
        return false;
    }
    queue->entry[tail].inst = inst;
    queue->entry[tail].at = inst->next;
    queue->count++;
    queue->taken++;
    inst->set_aside++;
    return true;
}

bool sm_replay_first(const struct sm *sm)
{
    return sm->mshr.n - sm->mshr.used > 1 && sm_port_room(sm, 2);
}

struct mem_inst *sm_replay_head(const struct sm *sm, uint32_t *at)
{
    *at = sm->replay.entry[sm->replay.head].at;
    return sm->replay.entry[sm->replay.head].inst;
}

void sm_replay_pop(struct sm *sm)
{
    sm->replay.entry[sm->replay.head].inst->set_aside--;
    sm->replay.head = (sm->replay.head + 1) % SM_MAX_REPLAY;
    sm->replay.count--;
}
