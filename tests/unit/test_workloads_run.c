/* test_workloads_run.c - every workload is right on the untimed reference executor.
 *
 * All named sizes `tiny` with several seeds, and sizes that do not fit the CTAs:
 * partial warps, borders inside a tile, one element.  Run from the top folder.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "ptx/reference_host.h"
#include "workloads/workload.h"

static int run(const struct workload *workload, const char *text, uint64_t seed,
               struct workload_result *result)
{
    struct workload_size size;
    char error[200] = "";
    workload_size_parse(workload, text, &size, error, sizeof error);
    assert_string_equal(error, "");
    struct host *host = reference_host_new("cmodel/workloads");
    assert_non_null(host);
    int status = workload->run(host, &size, seed, result);
    reference_host_free(host);
    workload_size_free(&size);
    return status;
}

static void expect_right(const char *name, const char *size, uint64_t seed)
{
    struct workload_result result;
    const struct workload *workload = workload_find(name);
    assert_non_null(workload);
    int status = run(workload, size, seed, &result);
    if (status != WORKLOAD_OK) {
        print_message("%s %s seed %llu: %s\n", name, size, (unsigned long long)seed,
                      result.message);
    }
    assert_int_equal(status, WORKLOAD_OK);
    assert_int_equal(result.wrong, 0);
    assert_string_equal(result.message, "");
    assert_true(result.checked > 0);
}

static void tiny_sizes_are_right(void **state)
{
    (void)state;
    for (const struct workload *const *w = workload_list(); *w; w++) {
        for (uint64_t seed = 1; seed <= 2 && !(*w)->together; seed++) { /* CTAs run in turn here */
            expect_right((*w)->name, "tiny", seed);
        }
    }
}

static void odd_sizes_are_right(void **state)
{
    (void)state;
    static const struct {
        const char *name, *size;
    } odd[] = {
        {"atax", "n=50,threads=50,trip=50"},
        {"backprop", "ctas=1"},
        {"backprop", "ctas=1,form=rodinia"},
        {"backprop", "ctas=9,form=rodinia"},
        {"bfs", "graph=rmat,vertices=1,edges=0,source=0,block=512,form=rodinia"},
        {"bfs", "graph=degree,vertices=100,edges=300,source=7,block=512,form=rodinia"},
        {"bfs", "graph=uniform,vertices=1025,edges=9000,source=3,block=512,form=rodinia"},
        {"blackscholes", "n=1,ctas=1"},
        {"btree", "levels=2,fanout=2,queries=3"},
        {"btree", "queries=3,form=rodinia,keys=1,ranges=2,span=1"},
        {"btree", "queries=300,form=rodinia,keys=255,ranges=0"},
        {"btree", "queries=300,form=rodinia,keys=256,ranges=200,span=0"},
        {"btree", "queries=500,form=rodinia,keys=32895,ranges=99,span=128"},
        {"btree", "queries=500,form=rodinia,keys=32896,ranges=500,span=32000"},
        {"btree", "queries=99,form=rodinia,keys=4194304,ranges=99"},
        {"cfd", "n=32,steps=1"},
        {"cfd", "n=32,steps=3,form=rodinia"},
        {"cfd", "n=192,steps=1,form=rodinia"},
        {"cfd", "n=1001,steps=2,form=rodinia"},
        {"conv2d", "rows=5,cols=33"},
        {"conv3d", "planes=3,rows=9,cols=33"},
        {"convsep", "cols=128,rows=64"},
        {"cudacuts", "across=1,down=1,form=cudacuts"},
        {"cudacuts", "across=3,down=2,form=cudacuts"},
        {"cudacuts", "across=2,down=5,form=cudacuts"},
        {"cutcp", "x=1,y=1,z=1,atoms=7,cutoff=1,form=parboil"},
        {"cutcp", "x=2,y=3,z=2,atoms=70,cutoff=12,form=parboil"},
        {"cutcp", "x=3,y=1,z=2,atoms=30,cutoff=5,form=parboil"},
        {"digits", "images=3,layers=2"},
        {"digits", "images=2,layers=3"},
        {"digits", "images=1,layers=4"},
        {"digits", "images=5,layers=4"},
        {"fft", "ctas=1"},
        {"fwt", "n=2048"},
        {"gemm", "m=16,k=48,n=16,runs=2"},
        {"gemm", "m=128,k=16,n=16,runs=1,form=parboil"},
        {"gemm", "m=256,k=40,n=48,runs=2,form=parboil"},
        {"gesummv", "n=33,threads=33,trip=1"},
        {"heartwall", "points=1,radius=3,search=1,frames=1,width=16,threads=32,form=rodinia"},
        {"heartwall", "points=3,radius=3,search=2,frames=21,width=40,threads=64,form=rodinia"},
        {"heartwall", "points=8,radius=5,search=3,frames=3,width=64,threads=256,form=rodinia"},
        {"heartwall", "points=2,radius=6,search=20,frames=11,width=33,threads=512,form=rodinia"},
        {"histogram", "skew=100,ctas=3,trip=5"},
        {"hotspot", "width=40,tiles_x=4,tiles_y=4,launches=3"},
        {"hotspot", "width=16,tiles_x=1,tiles_y=1,launches=1,form=rodinia"},
        {"hotspot", "width=40,tiles_x=4,tiles_y=4,launches=3,form=rodinia"},
        {"invindex", "records=1,longest=32"},
        {"invindex", "records=70,longest=40,stops=0"},
        {"jacobi1d", "ctas=1,steps=1"},
        {"jacobi1d", "ctas=1,steps=1,form=polybench"},
        {"jacobi1d", "ctas=3,steps=5,form=polybench"},
        {"kmeans", "points=100,features=3,clusters=7,iterations=3"},
        {"kmeans", "points=100,features=3,clusters=7,iterations=3,form=rodinia"},
        {"kmeans", "points=300,features=64,clusters=256,iterations=1,form=rodinia"},
        {"laplace3d", "n=33"},
        {"laplace3d", "n=3,form=ispass"},
        {"laplace3d", "n=33,form=ispass"},
        {"laplace3d", "n=70,form=ispass"},
        {"lavamd", "side=1,particles=1"},
        {"lavamd", "side=2,particles=33,in_memory=1"},
        {"lavamd", "side=1,particles=1,form=rodinia"},
        {"lavamd", "side=3,particles=7,form=rodinia"},
        {"lavamd", "side=2,particles=100,in_memory=1,form=rodinia"},
        {"lavamd", "side=3,particles=33,in_memory=1,form=rodinia"},
        {"lbm", "nx=32,ny=1,nz=1,steps=1"},
        {"lib", "paths=70,steps=1,rates=80,options=15"},
        {"leukocyte", "columns=1,rows=4,circles=1,points=8,radius=1,cells=0,frames=1,steps=1,"
                      "form=rodinia"},
        /* images 47 columns wide: rows by a product that is too small; until cells stand still */
        {"leukocyte", "columns=3,rows=2,circles=2,points=9,radius=12,cells=2,frames=1,steps=500,"
                      "form=rodinia"},
        {"leukocyte", "columns=96,rows=33,circles=3,points=20,radius=5,cells=9,frames=3,steps=2,"
                      "form=rodinia"},
        {"lib", "paths=1,steps=1,rates=2,options=1,form=ispass"},
        {"lib", "paths=4103,steps=2,rates=7,options=5,form=ispass"},
        {"lib", "paths=33,steps=40,rates=80,options=15,form=ispass"},
        {"lbm", "nx=32,ny=1,nz=1,steps=1,form=parboil"},
        {"lbm", "nx=33,ny=7,nz=5,steps=3,form=parboil"},
        {"lbm", "nx=120,ny=6,nz=9,steps=2,form=parboil"},
        {"mm2", "n=33,rows=9,trip=33"},
        {"mm2", "n=33,rows=9,trip=33,in_memory=1"},
        {"mm2", "n=33,rows=9,trip=33,products=1,in_memory=1"},
        {"montecarlo", "options=1,paths=1"},
        {"nqueens", "n=8,depth=1"},
        {"pageviews", "entries=1,pages=1"},
        {"pageviews", "entries=257,pages=30,hash_bits=2"},
        {"pageviews", "entries=2000,pages=1"},
        {"pfilter", "particles=2"},
        {"sad", "width=16,height=48,range=3"},
        {"sad", "width=16,height=16,range=16,form=parboil"},
        {"sad", "width=48,height=32,range=16,form=parboil"},
        {"scan", "ctas=1"},
        {"scan", "ctas=1,words=4,form=shoc"},
        {"scan", "ctas=7,words=9996,runs=2,form=shoc"},
        {"scan", "ctas=256,words=1000,form=shoc"},
        {"srad", "rows=33,cols=5,iterations=3"},
        {"srad", "rows=32,cols=32,iterations=1,form=rodinia"},
        {"srad", "rows=48,cols=160,iterations=3,form=rodinia"},
        {"stencil3d", "nx=40,ny=3,nz=1"},
        {"stencil3d", "nx=32,ny=1,nz=1,steps=1,form=parboil"},
        {"stencil3d", "nx=40,ny=3,nz=1,steps=1,form=parboil"},
        {"stencil3d", "nx=130,ny=11,nz=5,steps=3,form=parboil"},
        {"streamcluster", "n=512,dims=1,centres=1,launches=1,form=rodinia2"},
        {"streamcluster", "n=1536,dims=33,centres=5,launches=4,form=rodinia2"},
        {"syr2k", "n=33,rows=9,trip=5"},
        {"syrk", "n=33,rows=33,trip=33"},
        {"transpose", "rows=33,cols=65"},
        {"vecadd", "n=1"},
    };
    for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++) {
        expect_right(odd[i].name, odd[i].size, 3);
    }
}

static void expect_refusal(const char *name, const char *size, const char *message)
{
    struct workload_result result;
    assert_int_equal(run(workload_find(name), size, 1, &result), WORKLOAD_ERROR);
    assert_string_equal(result.message, message);
}

static void forms_that_are_none_are_refused(void **state)
{
    (void)state;
    static const char *const forms[][2] = {
        {"backprop", "lean or rodinia"},
        {"bfs", "expand, swp, swpnc, unr2, unr3, unr2_swp, unr2_swpnc or rodinia"},
        {"btree", "lean or rodinia"},
        {"cfd", "lean or rodinia"},
        {"cudacuts", "tiles or cudacuts"},
        {"cutcp", "lean or parboil"},
        {"gemm", "tile or parboil"},
        {"heartwall", "lean or rodinia"},
        {"hotspot", "lean or rodinia"},
        {"jacobi1d", "swap or polybench"},
        {"laplace3d", "lean or ispass"},
        {"lavamd", "lean or rodinia"},
        {"lbm", "pull or parboil"},
        {"leukocyte", "lean or rodinia"},
        {"lib", "lean or ispass"},
        {"sad", "plain or parboil"},
        {"scan", "lean or shoc"},
        {"srad", "lean or rodinia"},
        {"stencil3d", "plain or parboil"},
        {"streamcluster", "rodinia or rodinia2"},
    };
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        char message[128];
        snprintf(message, sizeof message, "form=suite is none; use %s", forms[i][1]);
        expect_refusal(forms[i][0], "tiny,form=suite", message);
    }
}

static void sizes_that_do_not_fit_together_are_refused(void **state)
{
    (void)state;
    expect_refusal("atax", "tiny,n=64", "n=64, threads=256, trip=32; needs trip <= threads <= n");
    expect_refusal("gemm", "tiny,k=17",
                   "m=80, k=17, n=128; they must be multiples of 16, 16 and 16");
    expect_refusal("gemm", "tiny,form=parboil",
                   "m=80, k=80, n=128; they must be multiples of 128, 8 and 16");
    expect_refusal("nqueens", "n=4,depth=4", "depth=4; needs depth < n=4");
    expect_refusal("kmeans", "points=2,clusters=3",
                   "clusters=3 exceeds points=2; use fewer clusters");
    expect_refusal("kmeans", "points=300,features=65,clusters=256,form=rodinia",
                   "clusters=256 of features=65 are more than 16384 floats of constant memory; use "
                   "fewer, or form=memory");
    expect_refusal("bfs", "tiny,form=rodinia", "block=128; form=rodinia has CTAs of 512 threads");
    expect_refusal("btree", "tiny,ranges=1", "ranges=1; form=lean has none, use form=rodinia");
    expect_refusal("btree", "tiny,walk=1,form=rodinia",
                   "walk=1; form=rodinia does so anyway, use walk=0");
    expect_refusal("btree", "tiny,keys=100,ranges=1,span=101,form=rodinia",
                   "span=101 exceeds keys=100; use a shorter one");
    expect_refusal("cudacuts", "across=4,down=12",
                   "48 tiles cannot all be resident; lower across or down");
    expect_refusal("cutcp", "x=1,y=1,z=2,atoms=15,form=parboil",
                   "15 atoms are more than seven for each of 2 regions; use at most 14");
    expect_refusal("lbm", "tiny,nx=120", "nx=120, ny=4, nz=4; use powers of two, or form=parboil");
    expect_refusal("cfd", "n=97046", "n=97046; must be a multiple of 32");
    expect_refusal("heartwall", "points=52,form=rodinia",
                   "points=52 are more than the 51 of form=rodinia; use fewer, or form=lean");
    expect_refusal("heartwall", "radius=25,search=16,form=rodinia",
                   "radius=25, search=16; form=rodinia needs 4 radius + 2 search < 131");
    expect_refusal("srad", "tiny,cols=24,form=rodinia",
                   "rows=64, cols=24; form=rodinia needs multiples of 16, at least 32");
    expect_refusal("srad", "tiny,rows=16,form=rodinia",
                   "rows=16, cols=32; form=rodinia needs multiples of 16, at least 32");
    expect_refusal(
        "leukocyte", "tiny,columns=13,form=rodinia",
        "columns=13, rows=32; form=rodinia rounds their 4332 pixels up to CTAs of 176 and "
        "stores beyond the frame, use others");
    expect_refusal("lib", "tiny,rates=4", "rates=4 leaves none after 4 steps; use at least 5");
    expect_refusal("lib", "tiny,rates=45,form=ispass",
                   "rates=45 leaves 41 after 4 steps, more than 40; use fewer, or form=lean");
    expect_refusal("sad", "tiny,form=parboil", "range=4; form=parboil has 16");
    expect_refusal("lavamd", "tiny,particles=101,form=rodinia",
                   "particles=101; form=rodinia has room for 100");
    expect_refusal("scan", "tiny,words=4", "words=4; form=lean has 1024 for each CTA, use words=0");
    expect_refusal("scan", "tiny,words=6,form=shoc",
                   "words=6, ctas=16; form=shoc needs words of 4 and at most 256 CTAs");
    expect_refusal("scan", "ctas=257,form=shoc",
                   "words=263168, ctas=257; form=shoc needs words of 4 and at most 256 CTAs");
    expect_refusal("streamcluster", "tiny,form=rodinia2",
                   "n=1000; form=rodinia2 needs a multiple of 512");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tiny_sizes_are_right),
        cmocka_unit_test(odd_sizes_are_right),
        cmocka_unit_test(forms_that_are_none_are_refused),
        cmocka_unit_test(sizes_that_do_not_fit_together_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
