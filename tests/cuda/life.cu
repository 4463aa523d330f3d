// life.cu - the game of life, 32 cells a word, neighbours counted by bits; managed memory, many small launches.
#include "common.h"

enum { W = 4, H = 64, STEPS = 12 }; // W words of 32 cells, a torus

__global__ void life(const unsigned *from, unsigned *to)
{
    int x = threadIdx.x, y = blockIdx.x * blockDim.y + threadIdx.y;
    unsigned one = 0, two = 0, four = 0; // bits of the count; eight neighbours make four overflow to nothing of use
    for (int dy = -1; dy <= 1; dy++) {
        const unsigned *row = from + (y + dy + H) % H * W;
        unsigned here = row[x], left = row[(x + W - 1) % W], right = row[(x + 1) % W];
        unsigned three[] = {__funnelshift_l(left, here, 1), here, __funnelshift_r(here, right, 1)};
        for (int k = 0; k < 3; k++) {
            unsigned bit = dy == 0 && k == 1 ? 0 : three[k], carry = one & bit, next = two & carry;
            one ^= bit;
            two ^= carry;
            four |= next;
        }
    }
    to[y * W + x] = two & ~four & (one | from[y * W + x]);
}

static bool cell(const unsigned *g, int y, int x)
{
    x = (x + 32 * W) % (32 * W);
    return g[(y + H) % H * W + x / 32] >> x % 32 & 1;
}

int main()
{
    unsigned *g[2], want[2][W * H], state = 37;
    for (int k = 0; k < 2; k++)
        CALL(cudaMallocManaged(&g[k], sizeof want[k]));
    for (int i = 0; i < W * H; i++)
        g[0][i] = want[0][i] = random_word(&state) & random_word(&state) << 8;
    for (int s = 0; s < STEPS; s++) {
        life<<<H / 8, dim3(W, 8)>>>(g[s % 2], g[!(s % 2)]);
        for (int y = 0; y < H; y++)
            for (int x = 0; x < 32 * W; x++) {
                const unsigned *from = want[s % 2];
                unsigned *to = &want[!(s % 2)][y * W + x / 32], n = 0;
                for (int k = 0; k < 9; k++)
                    n += k != 4 && cell(from, y + k / 3 - 1, x + k % 3 - 1);
                bool lives = n == 3 || (n == 2 && cell(from, y, x));
                *to = (*to & ~(1u << x % 32)) | (unsigned)lives << x % 32;
            }
    }
    CALL(cudaDeviceSynchronize());
    for (int i = 0; i < W * H; i++)
        EXPECT(g[STEPS % 2][i] == want[STEPS % 2][i]);
    return passed();
}
