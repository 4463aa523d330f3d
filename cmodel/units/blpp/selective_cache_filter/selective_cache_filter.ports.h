/* Table of selective_cache_filter: what a GPU may cache. */
UNIT(selective_cache_filter, COMBINATIONAL, "a GPU caches what lies in its own memory and in no CPU cache", "aci 3.16")
IN(page_node, 1, ANY, "the page lies in: 0 GPU memory, 1 CPU memory")
IN(cpu_live, 1, ANY, "CPU caches hold the block")
OUT(cacheable, 1, COMB, ALWAYS, "L1D and L2 may keep it")
