/* config_keys.h - every configuration key of the machine, declared once.
 *
 * Works after the machine tables of the documents (section 2 of each specification).
 * Include with the macros defined:
 *   U(section, name, default, min, max, unit, meaning)    an unsigned number
 *   E(section, name, default, "a|b|c", meaning)           one of the listed words
 * The field is `uint32_t section_name` of struct gpu_config; a word's value is
 * its position in the list, the order of the enum in config.h.
 * It must not know what any component does with a value.
 */
U(machine, sms, 15, 1, 128, "SMs", "streaming multiprocessors")
U(machine, launch_cycles, 0, 0, 1000000, "core cycles", "launch of a kernel to its first CTA")
E(machine, dispatch, 0, "first|next",
  "each cycle's CTAs go round the SMs from SM 0, or from the one after the last that got one")
E(machine, spread, 0, "no|yes",
  "a grid that does not fill the machine is spread: to an SM at most CTAs / SMs, rounded up")
U(machine, sms_per_node, 1, 1, 8, "SMs", "SMs that share one interconnect port (a cluster)")
U(machine, stuck_cycles, 200000, 100, 4000000000, "core cycles",
  "no progress for so long is reported as STUCK")
U(machine, spin_cycles, 200000, 100, 4000000000, "core cycles",
  "a kernel whose warps for twice so long only repeat themselves is reported as STUCK")

U(clock, core_khz, 700000, 1000, 10000000, "kHz", "SM clock; every time stamp is in its cycles")
U(clock, icnt_khz, 700000, 1000, 10000000, "kHz", "interconnect clock")
U(clock, l2_khz, 700000, 1000, 10000000, "kHz", "L2 clock")
U(clock, dram_khz, 924000, 1000, 10000000, "kHz", "DRAM command clock")

U(sm, warps, 48, 1, 64, "warps", "warp slots per SM")
U(sm, threads, 1536, 32, 2048, "threads", "resident threads per SM")
U(sm, ctas, 8, 1, 32, "CTAs", "resident CTAs per SM")
U(sm, registers, 32768, 1024, 1048576, "32-bit registers", "register file of an SM")
U(sm, shared_bytes, 49152, 0, 1048576, "bytes", "shared memory of an SM")
U(sm, schedulers, 2, 1, 4, "schedulers",
  "warp schedulers; warp w belongs to scheduler w mod schedulers")
E(sm, scheduler, 0, "gto|lrr|two-level", "warp scheduling policy")
E(sm, greed, 0, "warp|slot",
  "gto prefers the warp that issued last until it ends, or whatever warp is in its slot")
U(sm, ready_queue, 8, 1, 64, "warps", "ready queue of the two-level scheduler, per SM")
E(sm, consistency, 0, "rc|sc",
  "rc: several memory requests of a warp in flight; sc: one instruction at a time")
E(sm, local, 0, "grid|slots",
  "a trace's local memory lies side by side for the threads of the grid, or of the machine")
E(sm, fence, 0, "performed|registers",
  "a fence waits for the warp's accesses; or only for its registers, then the L1D drops clean lines")
E(sm, barrier_drains, 0, "no|yes", "a CTA barrier also waits for the warp's own memory requests")
E(sm, launch_hold, 0, "no|yes", "nothing issues before the initial CTA distribution is complete")
U(sm, branch_cycles, 4, 1, 200, "core cycles",
  "issue of a control transfer to the next issue of the warp")
U(sm, const_cycles, 4, 1, 200, "core cycles", "constant and parameter access, issue to use")

U(sm, const_interval, 1, 1, 32, "core cycles",
  "with operand collectors: cycles that one occupies its unit")

U(fetch, rounds, 0, 0, 8, "rounds",
  "decode and fetch rounds a cycle, two instructions each; 0: instructions are always there")

U(fetch, icache_sets, 0, 0, 64, "sets", "instruction cache, lines of 128 bytes; 0: it always hits")
U(fetch, icache_ways, 4, 1, 16, "ways", "its associativity")
U(fetch, mshrs, 2, 1, 8, "entries", "blocks of code on their way")
U(fetch, mshr_targets, 32, 1, 64, "warps", "that can wait for one block")

U(pipe, branch_latency, 1, 1, 200, "core cycles", "control transfers: issue to use")
U(pipe, branch_interval, 1, 1, 32, "core cycles", "control: cycles a warp occupies a unit")
U(pipe, branch_units, 1, 1, 4, "units", "control units behind operand collectors")
U(pipe, int_latency, 4, 1, 200, "core cycles", "integer: issue to use")
U(pipe, int_interval, 1, 1, 32, "core cycles", "integer: cycles a warp occupies a unit")
U(pipe, int_units, 2, 1, 4, "units", "integer units")
U(pipe, fp32_latency, 4, 1, 200, "core cycles", "fp32: issue to use")
U(pipe, fp32_interval, 1, 1, 32, "core cycles", "fp32: cycles a warp occupies a unit")
U(pipe, fp32_units, 2, 1, 4, "units", "fp32 units")
U(pipe, fp16_interval, 0, 0, 32, "core cycles",
  "with operand collectors: half precision on the fp32 units; 0: as fp32")
U(pipe, fp64_latency, 8, 1, 200, "core cycles", "fp64: issue to use")
U(pipe, fp64_interval, 2, 1, 64, "core cycles", "fp64: cycles a warp occupies a unit")
U(pipe, fp64_units, 1, 1, 4, "units", "fp64 units")
U(pipe, sfu_latency, 20, 1, 200, "core cycles", "special functions: issue to use")
U(pipe, sfu_interval, 8, 1, 64, "core cycles", "special functions: cycles a warp occupies a unit")
U(pipe, sfu_units, 1, 1, 4, "units", "special function units")
U(pipe, tensor_latency, 16, 1, 200, "core cycles", "matrix instructions: issue to use")
U(pipe, tensor_interval, 8, 1, 64, "core cycles",
  "matrix: cycles a warp occupies a unit; a warp-group instruction by its tile")
U(pipe, tensor_units, 0, 0, 4, "units", "matrix units; 0: such instructions go to the SFUs")
U(pipe, uniform_latency, 4, 1, 200, "core cycles", "uniform data path: issue to use")
U(pipe, uniform_interval, 1, 1, 32, "core cycles", "uniform: cycles a warp occupies a unit")
U(pipe, uniform_units, 0, 0, 4, "units",
  "uniform units; 0: such instructions go to the integer units")

U(copy, start_cycles, 32, 0, 10000, "core cycles", "issue of a bulk copy to its first request")
U(copy, queue, 64, 1, 1024, "copies", "bulk copies that wait or are under way in an SM")

U(cluster, cycles, 90, 1, 10000, "core cycles",
  "from one SM to another for what the blocks of a cluster send each other")
U(cluster, bytes, 32, 1, 1024, "bytes/cycle", "that an SM can send to others of a cluster")

U(operands, banks, 0, 0, 32, "banks",
  "register banks of one port; 0: no operand collectors, pipes take what issues at once")
U(operands, steps, 1, 1, 4, "steps", "of ports and banks, in a cycle")
E(operands, subcores, 0, "no|yes",
  "each scheduler has registers, collectors, banks and units of its own: an equal part of all")
U(operands, result_buses, 2, 1, 8, "buses", "arithmetic results written back in a cycle")
U(operands, general, 2, 0, 8, "collectors", "operand collectors for instructions of every class")
U(operands, general_ports, 1, 0, 8, "ports",
  "instructions of a class that go in there in a cycle, or out")
U(operands, sp, 6, 0, 8, "collectors", "operand collectors for single precision")
U(operands, sp_ports, 2, 0, 4, "ports", "instructions in, and out, a cycle")
U(operands, sp_registers, 2, 1, 4, "registers",
  "between issue and collectors, and again to the units")
U(operands, int, 0, 0, 8, "collectors", "operand collectors for integer operations")
U(operands, int_ports, 0, 0, 4, "ports", "instructions in, and out, a cycle")
U(operands, int_registers, 0, 0, 4, "registers",
  "as sp_registers; 0: integer goes with single precision")
U(operands, dp, 0, 0, 8, "collectors", "operand collectors for double precision")
U(operands, dp_ports, 0, 0, 4, "ports", "instructions in, and out, a cycle")
U(operands, dp_registers, 0, 0, 4, "registers",
  "as sp_registers; 0: double precision goes with special functions")
U(operands, sfu, 8, 0, 8, "collectors", "operand collectors for special functions")
U(operands, sfu_ports, 1, 0, 4, "ports", "instructions in, and out, a cycle")
U(operands, sfu_registers, 1, 1, 4, "registers", "as sp_registers")
U(operands, mem, 2, 0, 8, "collectors", "operand collectors for the LD/ST unit")
U(operands, mem_ports, 1, 0, 4, "ports", "instructions in, and out, a cycle")
U(operands, mem_registers, 1, 1, 4, "registers", "as sp_registers")
U(operands, branch_registers, 1, 0, 4, "registers",
  "as sp_registers; general collectors only; 0: control goes with integer")

U(ldst, interval, 1, 1, 32, "core cycles", "cycles a warp occupies address generation")
U(ldst, latency, 1, 1, 100, "core cycles", "issue to first presentation at an idle L1D port")
E(ldst, segments, 0, "blocks|width",
  "requests for blocks; or 32 bytes of byte accesses, 64 of 16 bits, and stores of 32, 64, 128 bytes")
E(ldst, past_l1d, 0, "blocks|sectors",
  "requests past the L1D: a block each; or a sector, an atomic's bytes once, and it holds its warp")
E(ldst, order, 0, "lanes|descending",
  "requests of an instruction: in the order of its lanes, or from the highest address down")
U(ldst, ack_cycles, 0, 0, 64, "core cycles",
  "until a store's acknowledgement that has come is counted: its way through the LD/ST unit")
U(ldst, queue, 2, 1, 16, "instructions",
  "memory instructions between issue and their last L1D access")
U(ldst, replay_queue, 0, 0, 64, "accesses",
  "load accesses without MSHR entry or port place that wait beside the LD/ST unit; 0: none")
U(ldst, inflight, 128, 1, 512, "instructions", "memory instructions of an SM in flight")

U(shared, latency, 24, 1, 200, "core cycles", "shared memory: issue to use without conflict")
U(shared, interval, 1, 1, 32, "core cycles", "shared memory: cycles of a conflict-free warp access")
U(shared, stages, 26, 1, 64, "core cycles", "with operand collectors: pipeline behind the banks")
E(shared, conflicts, 0, "all-words|first-word",
  "words of a lane that count for bank conflicts; first-word: those of atomics once, too")
U(shared, banks, 32, 1, 64, "banks", "banks of four bytes")

E(l1d, enable, 1, "no|yes", "no: every global access goes to the L2")
U(l1d, sets, 32, 1, 1024, "sets", "sets; the size is sets x ways x 128 bytes")
U(l1d, ways, 4, 1, 256, "ways", "associativity; above 32 only by sectors")
E(l1d, index, 0, "linear|fermi-hash",
  "set index of the machine itself; fermi-hash needs 32 or 64 sets")
E(l1d, allocate, 0, "on-miss|on-fill", "on-miss reserves the line when the miss leaves")
E(l1d, at_launch, 0, "emptied|refreshed",
  "copies of earlier kernels; refreshed: they stay, with memory's bytes, as where no data move")
E(l1d, global_write, 0, "evict|through|through-allocate",
  "store to global memory that hits, or misses")
E(l1d, local_write, 1, "as-global|back", "store to local memory; back keeps hits dirty in the L1D")
U(l1d, sector_bytes, 0, 0, 128, "bytes",
  "sectors of 32, 64 or 128 bytes miss and are filled by themselves, stores are kept; 0: lines")
E(l1d, carveout, 0, "no|yes",
  "by sectors: shared memory in use, in steps of 0, 8, 16, 32, 64 KB or all, is taken from the ways")
U(l1d, dirty_percent, 25, 0, 100, "%",
  "by sectors: written lines are replaced only when they are so many of all")
U(l1d, banks, 1, 1, 4, "banks", "with operand collectors, by sectors: sectors go round them")
U(l1d, stages, 35, 1, 64, "core cycles",
  "with operand collectors: queue in front of the tags, of each bank")
U(l1d, hit_cycles, 1, 0, 200, "core cycles", "accepted access to use of the data")
U(l1d, access_cycles, 1, 1, 16, "core cycles", "port occupation of one 128-byte access")
U(l1d, mshrs, 32, 1, 512, "entries", "misses in flight")
U(l1d, mshr_targets, 8, 1, 64, "targets", "accesses one MSHR entry can hold")
E(l1d, prefetch_stall, 0, "retry|drop",
  "prefetch that finds no line, MSHR entry or miss queue place: try again, or forget it")
U(l1d, miss_queue, 8, 1, 64, "messages", "memory port FIFO")
U(l1d, fill_cycles, 1, 1, 200, "core cycles", "reply taken to use of the data")

E(icnt, topology, 0, "crossbar|mesh", "a butterfly of one stage is the crossbar")
U(icnt, flit_bytes, 32, 1, 256, "bytes", "channel width")
U(icnt, header_bytes, 8, 0, 64, "bytes", "control part of every message")
U(icnt, latency, 4, 1, 100, "icnt cycles", "per hop, switch and wire")
U(icnt, mesh_width, 0, 0, 16, "nodes",
  "columns of the mesh; 0: the smallest square that holds all nodes")
U(icnt, buffer, 8, 1, 64, "messages", "input buffer of a mesh router port")
U(icnt, reply_buffer, 8, 1, 1024, "messages", "reply buffer in front of an SM")
U(icnt, reply_cycles, 0, 0, 64, "core cycles", "from that buffer into the SM")

U(icnt, inject_flits, 0, 0, 1024, "flits",
  "queue between a sender and its input buffer, a flit a cycle; 0: the sender's own is that buffer")
U(icnt, input_flits, 64, 1, 1024, "flits", "with inject_flits: input buffer of the router")
U(icnt, speedup, 1, 1, 2, "-", "the router's switch is so many times as fast as its links")

E(icnt, switch, 0, "flits|packets",
  "a crossbar moves flits, or whole packets from a queue of each sender")
U(icnt, packet_queue, 512, 1, 1024, "messages", "packets: queue of a sender")

U(icnt, jitter, 0, 0, 4096, "core cycles",
  "each message takes up to so many more, at random; order between two nodes is kept")
U(icnt, jitter_seed, 1, 0, 4294967295, "-", "seed of icnt.jitter")
U(icnt, slow_cycles, 0, 0, 100000, "core cycles",
  "messages between icnt.slow_sm and icnt.slow_partition take so many more, each way")
U(icnt, slow_sm, 0, 0, 255, "-", "the SM of icnt.slow_cycles")
U(icnt, slow_partition, 0, 0, 31, "-", "the memory partition of icnt.slow_cycles")

U(l2, partitions, 6, 1, 32, "partitions", "memory partitions")
U(l2, banks, 2, 1, 4, "banks", "L2 banks per partition")
U(l2, sets, 64, 1, 65536, "sets", "sets per bank")
U(l2, ways, 8, 1, 32, "ways", "associativity")
E(l2, slices, 0, "interleaved|polynomial",
  "bank of a block: by interleave alone, or hashed with the bits above; for 64 banks")
E(l2, index, 0, "linear|fermi-hash|polynomial",
  "set index of the machine itself; fermi-hash needs 32 or 64 sets, polynomial 32")
E(l2, index_address, 0, "partition|raw",
  "address the index sees: without or with the bits that choose the bank")
U(l2, interleave_bytes, 256, 128, 65536, "bytes",
  "addresses go round the partitions in such pieces")
E(l2, write, 0, "back|back-fetch|evict",
  "back: misses allocate by byte mask; back-fetch: read the line first; evict: through")
U(l2, latency, 120, 0, 2000, "core cycles", "arrival at the bank to its first tag access")
U(l2, port_bytes, 32, 4, 128, "bytes", "data port width, per L2 cycle")
U(l2, atomic_lanes, 1, 1, 32, "lanes", "lanes of an atomic served per L2 cycle")
E(l2, sectors, 0, "no|yes",
  "requests, misses and replies are of one sector; writes allocate without a fetch")
U(l2, arrivals, 16, 1, 1024, "messages", "by sectors: packets that wait to be split")
U(l2, dram_queue, 64, 1, 1024, "requests",
  "by sectors: from the miss queue to DRAM, and as many back")
U(l2, mshrs, 32, 1, 256, "entries", "misses in flight, per bank")
U(l2, mshr_targets, 4, 1, 256, "targets", "requests one MSHR entry can hold")
U(l2, miss_queue, 4, 2, 64, "requests",
  "requests from the bank to DRAM; 2 makes room for a victim and its fetch")
U(l2, input_queue, 8, 1, 64, "messages",
  "requests waiting at a bank, beyond those in its latency pipeline")
U(l2, reply_queue, 8, 1, 64, "messages", "replies waiting for the interconnect")

U(dram, channels, 6, 1, 32, "channels", "memory controllers")
U(dram, interleave_bytes, 256, 128, 65536, "bytes",
  "addresses go round the channels in such pieces")
U(dram, banks, 16, 1, 32, "banks", "banks per channel")
U(dram, bank_groups, 4, 1, 32, "groups", "bank groups")
U(dram, row_bytes, 2048, 128, 65536, "bytes", "row (page) of one bank of a channel")
U(dram, bus_bytes, 32, 1, 256, "bytes", "data bus, per command clock")
U(dram, burst_cycles, 2, 1, 16, "dram cycles", "data bus time of one column access")
U(dram, queue, 16, 1, 2048, "requests", "requests waiting in a controller")
U(dram, bank_queue, 2048, 1, 2048, "requests", "of these, at most so many for one bank")
U(dram, latency, 100, 0, 2000, "core cycles", "fixed part of the way, added to the command timing")
E(dram, scheduler, 0, "requests|banks",
  "the oldest legal command of all requests; or each bank is given one request at a time")
U(dram, return_queue, 116, 1, 1024, "requests", "banks: reads that have their data")
E(dram, command_bus, 0, "one|dual",
  "banks: a row command and a column command of a later bank in a tick; or any one of each")
U(dram, bank_bits, 0, 0, 4294967295, "mask",
  "address bits, without those of the channel, that make the bank; 0: rows go round the banks")
U(dram, row_shift, 16, 7, 40, "bits", "with bank_bits: the row is the address from this bit on")
U(dram, rows, 4096, 1, 2147483648, "rows", "with bank_bits: rows of a bank; a power of two")
U(dram, tCL, 12, 1, 200, "dram cycles", "read command to first data")
U(dram, tWL, 4, 1, 200, "dram cycles", "write command to first data")
U(dram, tRP, 12, 1, 200, "dram cycles", "precharge to activate")
U(dram, tRC, 40, 1, 400, "dram cycles", "activate to activate, one bank")
U(dram, tRAS, 28, 1, 400, "dram cycles", "activate to precharge")
U(dram, tRCD, 12, 1, 200, "dram cycles", "activate to column command")
U(dram, tRRD, 6, 1, 200, "dram cycles", "activate to activate, two banks")
U(dram, tFAW, 0, 0, 400, "dram cycles", "window of at most four activates; 0: not modelled")
U(dram, tCCD, 2, 1, 100, "dram cycles", "column command to column command")
U(dram, tCCDL, 3, 1, 100, "dram cycles", "the same inside one bank group")
U(dram, tCDLR, 5, 1, 200, "dram cycles", "last write data to read command")
U(dram, tWR, 12, 1, 200, "dram cycles", "last write data to precharge")
U(dram, tRTPL, 2, 1, 200, "dram cycles", "read command to precharge")
U(dram, tREFI, 0, 0, 100000, "dram cycles",
  "refresh of all banks to the next; 0: no refresh is modelled")
U(dram, tRFC, 0, 0, 2000, "dram cycles", "refresh to activate")

U(host, page_bytes, 4096, 4096, 4096, "bytes", "placement granule")
U(host, bandwidth_mbps, 80000, 1, 4000000, "MB/s", "host memory bandwidth")
U(host, latency, 100, 1, 100000, "core cycles", "host memory, request to data")
U(host, link_latency, 100, 0, 100000, "core cycles", "the link to it, there and back")
U(host, link_mbps, 0, 0, 4000000, "MB/s",
  "bandwidth of the link, each way, headers included; 0: no narrower than what is behind it")
U(host, ports, 1, 1, 16, "ports", "network ports of the host memory node; blocks go round them")
U(host, queue, 64, 1, 1024, "messages", "requests waiting at a port of the host memory node")
U(host, pages, 0, 0, 268435456, "pages", "page placement: what host memory holds; 0: any number")
U(host, gpu_pages, 0, 0, 268435456, "pages", "the same of GPU memory")
U(host, replace_cycles, 14000, 0, 1000000, "core cycles",
  "a page is replaced, after all SMs have stopped; 20 us at 700 MHz")
U(host, gpu_pj_per_byte, 112, 0, 100000, "pJ/byte",
  "model of energy: GPU memory (GDDR5, 14 pJ/bit)")
U(host, cpu_pj_per_byte, 160, 0, 100000, "pJ/byte",
  "model of energy: host memory (DDR4, 20 pJ/bit)")
U(host, link_pj_per_byte, 80, 0, 100000, "pJ/byte", "model of energy: the link (10 pJ/bit)")
