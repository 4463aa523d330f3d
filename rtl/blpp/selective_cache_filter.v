// selective_cache_filter - what a GPU may cache beside a CPU (dissertation 2.3; aci 3.16).
//
// cacheable is 0 for what lies in CPU memory (page_node 1) and for what CPU caches hold (cpu_live 1).
// Combinational.
`default_nettype none
module selective_cache_filter (
    input  wire page_node,
    input  wire cpu_live,
    output wire cacheable
);
    assign cacheable = !page_node && !cpu_live;
endmodule
`default_nettype wire
