// transpose.cu - a matrix of any size through padded tiles, char to double, from the same template (samples).
#include <vector>

#include "common.h"

template <class T, int TILE> __global__ void transpose(const T *in, T *out, int rows, int cols)
{
    __shared__ T tile[TILE][TILE + 1];
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    for (int k = 0; k < TILE; k += blockDim.y)
        if (x < cols && y + k < rows)
            tile[threadIdx.y + k][threadIdx.x] = in[(y + k) * cols + x];
    __syncthreads();
    x = blockIdx.y * TILE + threadIdx.x;
    y = blockIdx.x * TILE + threadIdx.y;
    for (int k = 0; k < TILE; k += blockDim.y)
        if (x < rows && y + k < cols)
            out[(y + k) * rows + x] = tile[threadIdx.x][threadIdx.y + k];
}

template <class T, int TILE> static void check(int rows, int cols)
{
    std::vector<T> in(rows * cols), out(rows * cols);
    T *a, *b;
    for (int i = 0; i < rows * cols; i++)
        in[i] = (T)(i * 31 % 127);
    CALL(cudaMalloc(&a, in.size() * sizeof(T)));
    CALL(cudaMalloc(&b, in.size() * sizeof(T)));
    CALL(cudaMemcpy(a, in.data(), in.size() * sizeof(T), cudaMemcpyHostToDevice));
    transpose<T, TILE><<<dim3((cols + TILE - 1) / TILE, (rows + TILE - 1) / TILE), dim3(TILE, 4)>>>(a, b, rows, cols);
    CALL(cudaMemcpy(out.data(), b, in.size() * sizeof(T), cudaMemcpyDeviceToHost));
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < cols; c++)
            EXPECT(out[c * rows + r] == in[r * cols + c]);
    CALL(cudaFree(a));
    CALL(cudaFree(b));
}

int main()
{
    check<float, 32>(64, 96);
    check<double, 16>(33, 70);
    check<char, 16>(50, 17);
    check<short, 8>(1, 3); // smaller than a tile
    return passed();
}
