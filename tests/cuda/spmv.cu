// spmv.cu - sparse matrix times vector: a thread a row, and a warp a row, in f32 and f64 (as in SHOC).
#include <vector>

#include "common.h"

template <class T> __global__ void scalar(int rows, const int *from, const int *col, const T *val, const T *x, T *y)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r < rows) {
        T s = 0;
        for (int k = from[r]; k < from[r + 1]; k++)
            s += val[k] * __ldg(&x[col[k]]);
        y[r] = s;
    }
}

template <class T> __global__ void vector(int rows, const int *from, const int *col, const T *val, const T *x, T *y)
{
    int r = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (r >= rows)
        return;
    T s = 0;
    for (int k = from[r] + lane; k < from[r + 1]; k += 32)
        s += val[k] * x[col[k]];
    for (int n = 16; n; n /= 2)
        s += __shfl_xor_sync(~0u, s, n);
    if (lane == 0)
        y[r] = s;
}

template <class T> static T *upload(const std::vector<T> &v)
{
    T *d;
    CALL(cudaMalloc(&d, v.size() * sizeof(T)));
    CALL(cudaMemcpy(d, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice));
    return d;
}

template <class T> static void check()
{
    const int rows = 200;
    std::vector<int> from(1, 0), col;
    std::vector<T> val, x(rows), want(rows), got(rows);
    unsigned state = 17;
    for (int r = 0; r < rows; r++) {
        x[r] = (T)(random_word(&state) % 64) / 8;
        for (unsigned k = random_word(&state) % 40; k; k--) {
            col.push_back((int)(random_word(&state) % rows));
            val.push_back((T)(random_word(&state) % 16) - 8);
        }
        from.push_back((int)col.size());
    }
    for (int r = 0; r < rows; r++)
        for (int k = from[r]; k < from[r + 1]; k++)
            want[r] += val[k] * x[col[k]]; // eighths of small numbers: exact in any order
    int *df = upload(from), *dc = upload(col);
    T *dv = upload(val), *dx = upload(x), *dy = upload(got);
    for (int kind = 0; kind < 2; kind++) {
        if (kind)
            vector<T><<<(rows * 32 + 127) / 128, 128>>>(rows, df, dc, dv, dx, dy);
        else
            scalar<T><<<(rows + 63) / 64, 64>>>(rows, df, dc, dv, dx, dy);
        CALL(cudaMemcpy(got.data(), dy, rows * sizeof(T), cudaMemcpyDeviceToHost));
        for (int r = 0; r < rows; r++)
            EXPECT(got[r] == want[r]);
        CALL(cudaMemset(dy, 0xff, rows * sizeof(T)));
    }
}

int main()
{
    check<float>();
    check<double>();
    return passed();
}
