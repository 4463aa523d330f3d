/* cuda_abi.h - structures and numbers that cross the boundary between a CUDA program and its
 * runtime library: our own declarations of the binary interface of CUDA 13 (and, where it
 * differs, 12 and 11), x86-64 Linux.
 *
 * Offsets are those that programs compiled by nvcc use; CUDA's headers are not needed.
 */
#ifndef WARPLOCK_CUDA_ABI_H
#define WARPLOCK_CUDA_ABI_H

#include <stddef.h>
#include <stdint.h>

/* A function that programs import. */
#define CUDA_API __attribute__((visibility("default")))

enum cuda_error {
    CUDA_SUCCESS = 0,
    CUDA_INVALID_VALUE = 1,
    CUDA_MEMORY_ALLOCATION = 2,
    CUDA_INITIALIZATION = 3,
    CUDA_UNLOADING = 4,
    CUDA_INVALID_CONFIGURATION = 9,
    CUDA_INVALID_PITCH = 12,
    CUDA_INVALID_SYMBOL = 13,
    CUDA_INVALID_HOST_POINTER = 16,
    CUDA_INVALID_DEVICE_POINTER = 17,
    CUDA_INVALID_MEMCPY_DIRECTION = 21,
    CUDA_MISSING_CONFIGURATION = 52,
    CUDA_INVALID_DEVICE_FUNCTION = 98,
    CUDA_NO_DEVICE = 100,
    CUDA_INVALID_DEVICE = 101,
    CUDA_NO_KERNEL_IMAGE = 209,
    CUDA_UNSUPPORTED_LIMIT = 215,
    CUDA_INVALID_PTX = 218,
    CUDA_INVALID_HANDLE = 400,
    CUDA_ILLEGAL_STATE = 401,
    CUDA_NOT_READY = 600,
    CUDA_ILLEGAL_ADDRESS = 700,
    CUDA_LAUNCH_OUT_OF_RESOURCES = 701,
    CUDA_LAUNCH_TIMEOUT = 702,
    CUDA_PEER_NOT_ENABLED = 705,
    CUDA_ASSERT = 710,
    CUDA_HOST_REGISTERED = 712,
    CUDA_HOST_NOT_REGISTERED = 713,
    CUDA_MISALIGNED_ADDRESS = 716,
    CUDA_INVALID_ADDRESS_SPACE = 717,
    CUDA_LAUNCH_FAILURE = 719,
    CUDA_COOPERATIVE_TOO_LARGE = 720,
    CUDA_NOT_PERMITTED = 800,
    CUDA_NOT_SUPPORTED = 801,
    CUDA_STREAM_CAPTURE_UNSUPPORTED = 900,
    CUDA_GRAPH_UPDATE_FAILURE = 910,
    CUDA_UNKNOWN = 999
};

enum cuda_copy_kind {
    CUDA_HOST_TO_HOST,
    CUDA_HOST_TO_DEVICE,
    CUDA_DEVICE_TO_HOST,
    CUDA_DEVICE_TO_DEVICE,
    CUDA_COPY_DEFAULT
};

struct cuda_dim3 {
    uint32_t x, y, z;
};

struct cuda_pitched {
    void *ptr;
    size_t pitch, xsize, ysize;
};
struct cuda_extent {
    size_t width, height, depth;
};
struct cuda_pos {
    size_t x, y, z;
};
struct cuda_copy3d {
    void *src_array;
    struct cuda_pos src_pos;
    struct cuda_pitched src;
    void *dst_array;
    struct cuda_pos dst_pos;
    struct cuda_pitched dst;
    struct cuda_extent extent;
    int kind;
};
struct cuda_copy3d_peer {
    void *src_array;
    struct cuda_pos src_pos;
    struct cuda_pitched src;
    int src_device;
    void *dst_array;
    struct cuda_pos dst_pos;
    struct cuda_pitched dst;
    int dst_device;
    struct cuda_extent extent;
};
_Static_assert(sizeof(struct cuda_copy3d) == 160, "as programs have it");

struct cuda_channel_format {
    int x, y, z, w, f;
};
enum cuda_resource_type {
    CUDA_RESOURCE_ARRAY,
    CUDA_RESOURCE_MIPMAPS,
    CUDA_RESOURCE_LINEAR,
    CUDA_RESOURCE_PITCHED
};
struct cuda_resource { /* the parts of it that are read */
    int type;          /* enum cuda_resource_type */
    union {
        void *array;
        struct {
            void *at;
            struct cuda_channel_format format;
            size_t bytes;
        } linear;
        struct {
            void *at;
            struct cuda_channel_format format;
            size_t width, height, pitch;
        } pitched;
    } as;
};
_Static_assert(offsetof(struct cuda_resource, as.linear.bytes) == 40, "as programs have it");
_Static_assert(offsetof(struct cuda_resource, as.pitched.pitch) == 56, "as programs have it");
struct cuda_sampling {
    int address_mode[3], filter, read_mode, srgb;
    float border[4];
    int normalised;
};
_Static_assert(offsetof(struct cuda_sampling, normalised) == 40, "as programs have it");
struct cuda_location {
    int type, id;
};

struct cuda_func_attributes {
    size_t shared_bytes, const_bytes, local_bytes;
    int max_threads, registers, ptx_version, binary_version, cache_mode_ca, max_dynamic_shared,
        carveout, cluster[6];
    int reserved[16];
};
_Static_assert(sizeof(struct cuda_func_attributes) == 144, "as programs have it");

struct cuda_pointer_attributes {
    int type, device;
    void *device_pointer, *host_pointer;
    long reserved[8];
};
_Static_assert(sizeof(struct cuda_pointer_attributes) == 88, "as programs have it");

struct cuda_launch_attribute {
    uint32_t id, pad;
    union {
        uint8_t bytes[64];
        int number;
        uint32_t dims[3];
    } value;
};
struct cuda_launch_config {
    struct cuda_dim3 grid, block;
    size_t dynamic_shared_bytes;
    void *stream;
    const struct cuda_launch_attribute *attribute;
    uint32_t n_attributes;
};
_Static_assert(sizeof(struct cuda_launch_config) == 56, "as programs have it");
_Static_assert(sizeof(struct cuda_launch_attribute) == 72, "as programs have it");

/* The wrapper of a fat binary in the program (section .nvFatBinSegment). */
struct cuda_wrapper {
    uint32_t magic, version; /* 1: one container; 2: linked from those of `parts` */
    const void *container;
    const void *const *parts; /* ends in NULL */
};
#define CUDA_WRAPPER_MAGIC UINT32_C(0x466243b1)

#endif
