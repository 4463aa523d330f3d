/* steal.cu - dynamic load balancing: a queue of tasks for each CTA, idle CTAs steal
 * (DLB of Tabbakh 2018 section 6.2).
 *
 * A task is a range of elements; ranges longer than a leaf are halved, one half is queued.
 * A queue is a ring of records behind a lock; records, head and tail are ordinary memory. */
#include "cuda.h"

#define ROOM 64

struct queue {
    unsigned lock, head, tail, pad;
    unsigned first[ROOM], end[ROOM];
};

static __device__ void acquire(unsigned *lock)
{
    while (atomicCAS((int *)lock, 0, 1) != 0) {
    }
    __threadfence();
}

static __device__ void release(unsigned *lock)
{
    __threadfence();
    atomicExch((int *)lock, 0);
}

static __device__ void push(struct queue *q, unsigned first, unsigned end)
{
    acquire(&q->lock);
    q->first[q->tail % ROOM] = first;
    q->end[q->tail % ROOM] = end;
    q->tail++;
    release(&q->lock);
}

/* The youngest task of one's own queue, the oldest of another's; false when it is empty. */
static __device__ bool take(struct queue *q, bool own, unsigned *first, unsigned *end)
{
    acquire(&q->lock);
    const bool some = q->head != q->tail;
    if (some) {
        const unsigned at = own ? --q->tail : q->head++;
        *first = q->first[at % ROOM];
        *end = q->end[at % ROOM];
    }
    release(&q->lock);
    return some;
}

/* Some elements are much more work than others. */
static __device__ unsigned work(unsigned i)
{
    unsigned x = i + 1;
    ROLLED
    for (unsigned n = (i & 7) == 0 ? 40 : 4; n > 0; n--)
        x = x * 1664525u + 1013904223u;
    return x;
}

/* `rounds`: give up after so many fruitless ones, in case tasks were lost. */
KERNEL steal(struct queue *queues, unsigned *done, unsigned *out, unsigned *times, unsigned n,
             unsigned leaf, unsigned rounds)
{
    __shared__ unsigned task[3];
    unsigned idle = 0;
    while (idle < rounds) {
        if (threadIdx.x == 0) {
            task[0] = task[1] = 0;
            task[2] = *(volatile unsigned *)done;
            take(&queues[(blockIdx.x + idle) % gridDim.x], idle == 0, &task[0], &task[1]);
        }
        __syncthreads();
        unsigned first = task[0], end = task[1];
        const bool over = task[2] >= n;
        __syncthreads();
        if (over)
            return;
        if (end > n || first > end) /* never queued: caches without coherence */
            first = end = 0;
        idle = first == end ? idle + 1 : 0;
        ROLLED
        while (end - first > leaf) {
            const unsigned middle = first + (end - first) / 2;
            if (threadIdx.x == 0)
                push(&queues[blockIdx.x], middle, end);
            end = middle;
        }
        ROLLED
        for (unsigned i = first + threadIdx.x; i < end; i += blockDim.x) {
            out[i] = work(i);
            times[i] = times[i] + 1;
        }
        __syncthreads();
        if (threadIdx.x == 0 && end > first)
            atomicAdd(done, end - first);
    }
}
