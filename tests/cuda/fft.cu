// fft.cu - Fourier transforms of 256 points in shared memory, forwards and back, sincospif twiddles (as SHOC).
#include "common.h"

enum { N = 256, BATCH = 3 };

__global__ void fft(float2 *data, int direction)
{
    __shared__ float2 s[N];
    float2 *mine = data + blockIdx.x * N;
    int t = threadIdx.x;
    for (int k = t; k < N; k += N / 2)
        s[__brev(k) >> 24] = mine[k];
    for (int half = 1; half < N; half *= 2) {
        __syncthreads();
        int j = t % half, at = (t - j) * 2 + j;
        float sine, cosine;
        sincospif(direction * (float)j / half, &sine, &cosine);
        float2 a = s[at], b = s[at + half];
        float2 turned = {b.x * cosine - b.y * sine, b.x * sine + b.y * cosine};
        s[at] = {a.x + turned.x, a.y + turned.y};
        s[at + half] = {a.x - turned.x, a.y - turned.y};
    }
    __syncthreads();
    for (int k = t; k < N; k += N / 2)
        mine[k] = s[k];
}

int main()
{
    static float2 in[BATCH * N], out[BATCH * N];
    float2 *d;
    unsigned state = 43;
    for (int i = 0; i < BATCH * N; i++)
        in[i] = {random_word(&state) % 1000 / 500.0f - 1, random_word(&state) % 1000 / 500.0f - 1};
    CALL(cudaMalloc(&d, sizeof in));
    CALL(cudaMemcpy(d, in, sizeof in, cudaMemcpyHostToDevice));
    fft<<<BATCH, N / 2>>>(d, -1);
    CALL(cudaMemcpy(out, d, sizeof out, cudaMemcpyDeviceToHost));
    for (int b = 0; b < BATCH; b++)
        for (int f = 0; f < N; f += 5) { // some frequencies by the definition
            double re = 0, im = 0;
            for (int k = 0; k < N; k++) {
                double angle = -2 * 3.14159265358979323846 * f * k / N;
                re += in[b * N + k].x * cos(angle) - in[b * N + k].y * sin(angle);
                im += in[b * N + k].x * sin(angle) + in[b * N + k].y * cos(angle);
            }
            EXPECT(fabs(out[b * N + f].x - re) < 1e-3 && fabs(out[b * N + f].y - im) < 1e-3);
        }
    fft<<<BATCH, N / 2>>>(d, 1);
    CALL(cudaMemcpy(out, d, sizeof out, cudaMemcpyDeviceToHost));
    for (int i = 0; i < BATCH * N; i++)
        EXPECT(fabsf(out[i].x / N - in[i].x) < 1e-5f && fabsf(out[i].y / N - in[i].y) < 1e-5f);
    return passed();
}
