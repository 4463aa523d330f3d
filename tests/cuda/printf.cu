// printf.cu - the device's printf with every conversion; malloc and free in kernels.
#include "common.h"

__device__ const char *const names[] = {"zero", "one", "two"};

__global__ void say(int *counts)
{
    int i = threadIdx.x;
    counts[i] = printf("%d %5d|%-5d|%05d %u %x %X %o\n", i, i, i, i, 4000000000u, 255, 255, 8);
    if (i == 0) {
        printf("%c %hd %f %g %lld %s %d%%\n", 'c', (short)-7, 1.5f, 2.25, 1ll << 40, names[2], 50);
        printf("%.3e %8.2f %-8s| %s\n", 12345.678, 3.14159, "ab", names[i + 1]);
        printf("no arguments\n");
    }
}

struct node {
    int value;
    node *next;
};

__global__ void build(int n, int *sum)
{
    node *head = nullptr;
    for (int i = 0; i < n; i++) {
        node *fresh = (node *)malloc(sizeof(node));
        if (!fresh) { *sum = -1; return; }
        *fresh = {i, head};
        head = fresh;
    }
    int total = 0;
    while (head) {
        node *next = head->next;
        total += head->value;
        free(head);
        head = next;
    }
    atomicAdd(sum, total);
}

int main()
{
    int *counts, host[2], *sum, total;
    CALL(cudaMalloc(&counts, sizeof host));
    say<<<1, 2>>>(counts);
    CALL(cudaMemcpy(host, counts, sizeof host, cudaMemcpyDeviceToHost));
    EXPECT(host[0] == 8 && host[1] == 8);
    CALL(cudaMalloc(&sum, 4));
    CALL(cudaMemset(sum, 0, 4));
    build<<<2, 8>>>(10, sum);
    CALL(cudaMemcpy(&total, sum, 4, cudaMemcpyDeviceToHost));
    EXPECT(total == 16 * 45);
    return passed();
}
