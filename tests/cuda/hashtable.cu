// hashtable.cu - open addressing with atomicCAS on 64 bits: insertion, then counts of what was inserted.
#include <map>

#include "common.h"

enum { N = 1000, SLOTS = 2048 };
typedef unsigned long long word;
#define EMPTY 0xffffffffull

__device__ static unsigned mix(unsigned k)
{
    k ^= k >> 16;
    k *= 0x85ebca6bu;
    k ^= k >> 13;
    return k;
}

// High half: how often; low half: the key.
__global__ void insert(const unsigned *key, word *table)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= N)
        return;
    for (unsigned slot = mix(key[i]) % SLOTS;; slot = (slot + 1) % SLOTS) {
        word found = atomicCAS(&table[slot], EMPTY, (word)key[i]);
        if ((unsigned)found == key[i] || found == EMPTY) {
            atomicAdd(&table[slot], 1ull << 32);
            return;
        }
    }
}

int main()
{
    static unsigned key[N];
    static word table[SLOTS];
    unsigned *dk, state = 31;
    word *dt;
    std::map<unsigned, unsigned> want;
    for (int i = 0; i < N; i++)
        want[key[i] = random_word(&state) % 700]++;
    for (int s = 0; s < SLOTS; s++)
        table[s] = EMPTY;
    CALL(cudaMalloc(&dk, sizeof key));
    CALL(cudaMalloc(&dt, sizeof table));
    CALL(cudaMemcpy(dk, key, sizeof key, cudaMemcpyHostToDevice));
    CALL(cudaMemcpy(dt, table, sizeof table, cudaMemcpyHostToDevice));
    insert<<<(N + 127) / 128, 128>>>(dk, dt);
    CALL(cudaMemcpy(table, dt, sizeof table, cudaMemcpyDeviceToHost));
    size_t found = 0;
    for (int s = 0; s < SLOTS; s++)
        if (table[s] != EMPTY) {
            found++;
            EXPECT(want.at((unsigned)table[s]) == table[s] >> 32);
        }
    EXPECT(found == want.size());
    return passed();
}
