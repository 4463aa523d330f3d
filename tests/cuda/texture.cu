// texture.cu - textures and surfaces: linear and pitched memory, arrays of one to three dimensions and
// layers; nearest and linear filter, each address mode, normalised coordinates and values.
#include <algorithm>
#include <vector>

#include "common.h"

enum { W = 13, H = 7, D = 5 };

// One sample in two dimensions, as the programming guide describes it, in double precision.
static float texel(const std::vector<float> &t, int x, int y, int mode, bool normalised)
{
    int at[2] = {x, y}, size[2] = {W, H};
    for (int d = 0; d < 2; d++) {
        if (mode == cudaAddressModeBorder && (at[d] < 0 || at[d] >= size[d])) return 0;
        if (mode == cudaAddressModeWrap && normalised) at[d] = (at[d] % size[d] + size[d]) % size[d];
        at[d] = std::min(std::max(at[d], 0), size[d] - 1);
    }
    return t[at[1] * W + at[0]];
}

static double folded(double u, int mode)
{
    double f = std::floor(u);
    if (mode == cudaAddressModeWrap) return u - f;
    if (mode == cudaAddressModeMirror) return std::fmod(f, 2) == 0 ? u - f : 1 - (u - f);
    return u;
}

static double sample(const std::vector<float> &t, float x, float y, int mode, bool linear, bool normalised)
{
    double u = normalised ? folded(x, mode) * W : x, v = normalised ? folded(y, mode) * H : y;
    if (!linear) return texel(t, (int)std::floor(u), (int)std::floor(v), mode, normalised);
    int i = (int)std::floor(u - 0.5), j = (int)std::floor(v - 0.5);
    double a = u - 0.5 - i, b = v - 0.5 - j;
    return (1 - a) * (1 - b) * texel(t, i, j, mode, normalised) + a * (1 - b) * texel(t, i + 1, j, mode, normalised) +
           (1 - a) * b * texel(t, i, j + 1, mode, normalised) + a * b * texel(t, i + 1, j + 1, mode, normalised);
}

__global__ void sample2d(cudaTextureObject_t t, const float2 *at, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = tex2D<float>(t, at[i].x, at[i].y);
}

static cudaTextureObject_t make(cudaArray_t array, int mode, bool linear, bool normalised, bool to_float)
{
    cudaResourceDesc r = {};
    cudaTextureDesc d = {};
    cudaTextureObject_t t;
    r.resType = cudaResourceTypeArray;
    r.res.array.array = array;
    for (auto &m : d.addressMode) m = (cudaTextureAddressMode)mode;
    d.filterMode = linear ? cudaFilterModeLinear : cudaFilterModePoint;
    d.readMode = to_float ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
    d.normalizedCoords = normalised;
    CALL(cudaCreateTextureObject(&t, &r, &d, nullptr));
    return t;
}

static void filters()
{
    const int n = 200;
    std::vector<float> texels(W * H);
    float2 *at;
    float *out;
    cudaArray_t array;
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>(), got;
    cudaExtent extent;
    unsigned flags;
    for (int i = 0; i < W * H; i++) texels[i] = (i * 37 % 101) * 0.25f;
    CALL(cudaMallocManaged(&at, n * sizeof *at));
    CALL(cudaMallocManaged(&out, n * sizeof *out));
    CALL(cudaMallocArray(&array, &format, W, H));
    CALL(cudaArrayGetInfo(&got, &extent, &flags, array));
    EXPECT(got.x == 32 && got.f == cudaChannelFormatKindFloat && extent.width == W && extent.height == H && extent.depth == 0);
    CALL(cudaMemcpy2DToArray(array, 0, 0, texels.data(), W * 4, W * 4, H, cudaMemcpyHostToDevice));
    for (int form = 0; form < 16; form++) {
        int mode = form % 4;
        bool linear = form / 4 % 2, normalised = form / 8;
        unsigned state = form;
        for (int i = 0; i < n; i++) { // multiples of 1/256 of a texel: the filter's weights are exact
            float x = (random_word(&state) % (3 * 256 * W) - 256.0f * W) / 256, y = (random_word(&state) % (3 * 256 * H) - 256.0f * H) / 256;
            at[i] = normalised ? make_float2(x / W, y / H) : make_float2(x, y);
        }
        cudaTextureObject_t t = make(array, mode, linear, normalised, false);
        sample2d<<<(n + 63) / 64, 64>>>(t, at, out, n);
        CALL(cudaDeviceSynchronize());
        for (int i = 0; i < n; i++) {
            double want = sample(texels, at[i].x, at[i].y, mode, linear, normalised);
            // A normalised coordinate may fall on the other side of an edge; there the filter is continuous.
            double edge = std::abs(at[i].x * W - std::round(at[i].x * W)) < 1e-4 || std::abs(at[i].y * H - std::round(at[i].y * H)) < 1e-4;
            EXPECT(std::abs(out[i] - want) <= (linear ? (normalised ? 0.15 : 1e-5) : 0) || (normalised && edge));
        }
        CALL(cudaDestroyTextureObject(t));
    }
    CALL(cudaFreeArray(array));
    CALL(cudaFree(at));
    CALL(cudaFree(out));
}

__global__ void linear_memory(cudaTextureObject_t t, int2 *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n + 40) out[i] = tex1Dfetch<int2>(t, i - 20);
}

__global__ void pitched(cudaTextureObject_t t, float4 *out)
{
    out[threadIdx.y * W + threadIdx.x] = tex2D<float4>(t, threadIdx.x + 0.5f, threadIdx.y + 0.5f);
}

static void memory()
{
    const int n = 100;
    cudaResourceDesc r = {};
    cudaTextureDesc d = {};
    cudaTextureObject_t t;
    int2 *in, *out;
    CALL(cudaMallocManaged(&in, n * sizeof *in));
    CALL(cudaMallocManaged(&out, (n + 40) * sizeof *out));
    for (int i = 0; i < n; i++) in[i] = make_int2(i * 3 - 7, -i);
    r.resType = cudaResourceTypeLinear;
    r.res.linear.devPtr = in;
    r.res.linear.desc = cudaCreateChannelDesc<int2>();
    r.res.linear.sizeInBytes = n * sizeof *in;
    CALL(cudaCreateTextureObject(&t, &r, &d, nullptr));
    linear_memory<<<(n + 40 + 31) / 32, 32>>>(t, out, n);
    CALL(cudaDeviceSynchronize());
    for (int i = 0; i < n + 40; i++) {
        bool inside = i >= 20 && i < n + 20;
        EXPECT(out[i].x == (inside ? in[i - 20].x : 0) && out[i].y == (inside ? in[i - 20].y : 0));
    }
    CALL(cudaDestroyTextureObject(t));
    unsigned char host[H][W][4], *device;
    float4 *values;
    size_t pitch;
    for (int i = 0; i < H * W * 4; i++) (&host[0][0][0])[i] = (unsigned char)(i * 5);
    CALL(cudaMallocPitch(&device, &pitch, W * 4, H));
    CALL(cudaMemcpy2D(device, pitch, host, W * 4, W * 4, H, cudaMemcpyHostToDevice));
    CALL(cudaMallocManaged(&values, W * H * sizeof *values));
    r = {};
    r.resType = cudaResourceTypePitch2D;
    r.res.pitch2D.devPtr = device;
    r.res.pitch2D.desc = cudaCreateChannelDesc<uchar4>();
    r.res.pitch2D.width = W;
    r.res.pitch2D.height = H;
    r.res.pitch2D.pitchInBytes = pitch;
    d.readMode = cudaReadModeNormalizedFloat;
    CALL(cudaCreateTextureObject(&t, &r, &d, nullptr));
    pitched<<<1, dim3(W, H)>>>(t, values);
    CALL(cudaDeviceSynchronize());
    for (int i = 0; i < W * H; i++) {
        const unsigned char *c = &host[0][0][0] + i * 4;
        EXPECT(values[i].x == c[0] / 255.0f && values[i].y == c[1] / 255.0f && values[i].w == c[3] / 255.0f);
    }
    CALL(cudaDestroyTextureObject(t));
}

__global__ void volumes(cudaTextureObject_t point, cudaTextureObject_t filtered, cudaTextureObject_t layers, float *out)
{
    int x = threadIdx.x, y = threadIdx.y, z = blockIdx.x, i = (z * H + y) * W + x;
    out[i * 3] = tex3D<float>(point, x + 0.5f, y + 0.5f, z + 0.5f);
    out[i * 3 + 1] = tex3D<float>(filtered, x + 1.0f, y + 1.0f, z + 1.0f);
    out[i * 3 + 2] = tex2DLayered<float>(layers, x + 0.5f, y + 0.5f, z);
}

__global__ void gathers(cudaTextureObject_t t, float4 *out)
{
    out[threadIdx.x] = tex2Dgather<float4>(t, threadIdx.x + 1.0f, 2.0f, 0);
}

static cudaArray_t volume(const std::vector<float> &texels, unsigned flags)
{
    cudaArray_t array;
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaMemcpy3DParms p = {};
    CALL(cudaMalloc3DArray(&array, &format, make_cudaExtent(W, H, D), flags));
    p.srcPtr = make_cudaPitchedPtr((void *)texels.data(), W * 4, W, H);
    p.dstArray = array;
    p.extent = make_cudaExtent(W, H, D);
    p.kind = cudaMemcpyHostToDevice;
    CALL(cudaMemcpy3D(&p));
    return array;
}

static void dimensions()
{
    std::vector<float> texels(W * H * D);
    float *out;
    for (int i = 0; i < W * H * D; i++) texels[i] = (float)(i * 11 % 64);
    cudaArray_t solid = volume(texels, 0), sheets = volume(texels, cudaArrayLayered);
    CALL(cudaMallocManaged(&out, W * H * D * 3 * sizeof *out));
    volumes<<<D, dim3(W, H)>>>(make(solid, cudaAddressModeClamp, false, false, false), make(solid, cudaAddressModeClamp, true, false, false),
                               make(sheets, cudaAddressModeClamp, false, false, false), out);
    CALL(cudaDeviceSynchronize());
    auto at = [&](int x, int y, int z) { return texels[(std::min(z, D - 1) * H + std::min(y, H - 1)) * W + std::min(x, W - 1)]; };
    for (int i = 0; i < W * H * D; i++) {
        int x = i % W, y = i / W % H, z = i / W / H;
        float mean = 0;
        for (int c = 0; c < 8; c++) mean += at(x + c % 2, y + c / 2 % 2, z + c / 4) / 8;
        EXPECT(out[i * 3] == texels[i] && out[i * 3 + 1] == mean && out[i * 3 + 2] == texels[i]);
    }
    cudaArray_t flat;
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    float4 *four;
    CALL(cudaMallocArray(&flat, &format, W, H));
    CALL(cudaMemcpy2DToArray(flat, 0, 0, texels.data(), W * 4, W * 4, H, cudaMemcpyHostToDevice));
    CALL(cudaMallocManaged(&four, 8 * sizeof *four));
    gathers<<<1, 8>>>(make(flat, cudaAddressModeClamp, false, false, false), four);
    CALL(cudaDeviceSynchronize());
    for (int x = 0; x < 8; x++) EXPECT(four[x].x == at(x, 2, 0) && four[x].y == at(x + 1, 2, 0) && four[x].z == at(x + 1, 1, 0) && four[x].w == at(x, 1, 0));
}

__global__ void surfaces(cudaSurfaceObject_t in, cudaSurfaceObject_t out)
{
    int x = threadIdx.x, y = threadIdx.y;
    uchar4 v;
    surf2Dread(&v, in, x * 4, H - 1 - y);
    surf2Dwrite(make_short4(v.x, -v.y, v.z, (short)(x - y)), out, x * 8, y);
    short4 none = surf2Dread<short4>(out, (W + x) * 8, y, cudaBoundaryModeZero);
    if (none.x || none.y || none.z || none.w) surf2Dwrite(none, out, x * 8, y);
    surf2Dwrite(make_short4(1, 1, 1, 1), out, x * 8, H + y, cudaBoundaryModeZero);
}

static void surface_objects()
{
    unsigned char host[H][W][4];
    short back[H][W][4];
    cudaArray_t in, out;
    cudaChannelFormatDesc bytes = cudaCreateChannelDesc<uchar4>(), words = cudaCreateChannelDesc<short4>();
    cudaSurfaceObject_t a, b;
    cudaResourceDesc r = {};
    for (int i = 0; i < H * W * 4; i++) (&host[0][0][0])[i] = (unsigned char)(i * 3);
    CALL(cudaMallocArray(&in, &bytes, W, H, cudaArraySurfaceLoadStore));
    CALL(cudaMallocArray(&out, &words, W, H, cudaArraySurfaceLoadStore));
    CALL(cudaMemcpy2DToArray(in, 0, 0, host, W * 4, W * 4, H, cudaMemcpyHostToDevice));
    r.resType = cudaResourceTypeArray;
    r.res.array.array = in;
    CALL(cudaCreateSurfaceObject(&a, &r));
    r.res.array.array = out;
    CALL(cudaCreateSurfaceObject(&b, &r));
    surfaces<<<1, dim3(W, H)>>>(a, b);
    CALL(cudaMemcpy2DFromArray(back, W * 8, out, 0, 0, W * 8, H, cudaMemcpyDeviceToHost));
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++)
            EXPECT(back[y][x][0] == host[H - 1 - y][x][0] && back[y][x][1] == -host[H - 1 - y][x][1] && back[y][x][2] == host[H - 1 - y][x][2] && back[y][x][3] == x - y);
    CALL(cudaDestroySurfaceObject(a));
    CALL(cudaDestroySurfaceObject(b));
}

static void errors()
{
    cudaArray_t array;
    cudaTextureObject_t t;
    cudaResourceDesc r = {};
    cudaTextureDesc d = {};
    cudaChannelFormatDesc wrong = {32, 16, 0, 0, cudaChannelFormatKindFloat}, ints = cudaCreateChannelDesc<int>();
    cudaDeviceProp p;
    CALL(cudaGetDeviceProperties(&p, 0));
    EXPECT(p.maxTexture2D[0] >= 65536 && p.maxTexture3D[2] >= 2048 && p.maxTexture2DLayered[2] == 2048 && p.maxSurface2DLayered[2] == 2048 && p.maxTextureCubemap == 0);
    EXPECT(cudaMallocArray(&array, &ints, p.maxTexture2D[0] + 1, 1) == cudaErrorInvalidValue);
    EXPECT(cudaMallocArray(&array, &wrong, 4, 4) == cudaErrorInvalidValue);
    CALL(cudaMallocArray(&array, &ints, 4, 4));
    r.resType = cudaResourceTypeArray;
    r.res.array.array = array;
    d.filterMode = cudaFilterModeLinear; // of integers
    EXPECT(cudaCreateTextureObject(&t, &r, &d, nullptr) == cudaErrorInvalidValue);
    EXPECT(cudaMemcpy2DToArray(array, 0, 0, &d, 16, 16, 5, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
    CALL(cudaFreeArray(array));
    EXPECT(cudaFreeArray(array) == cudaErrorInvalidResourceHandle);
    EXPECT(cudaDestroyTextureObject(12345) == cudaErrorInvalidValue);
    cudaGetLastError();
}

int main()
{
    filters();
    memory();
    dimensions();
    surface_objects();
    errors();
    return passed();
}
