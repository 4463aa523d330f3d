/* litmus_tests.h - the litmus tests: LITMUS(name, threads, weak outcome).
 * Included with LITMUS defined; has no include guard on purpose.
 *
 * Threads are separated by |, operations by spaces: x=1 stores, a=x loads into the
 * register a, F is a fence where the fenced variant has one.  Locations x, y, z start at 0;
 * every register has its own name; x!1 is a store by an atomic exchange.  The weak outcome,
 * which sequential consistency forbids, names registers and final values of locations.
 * Works after tabbakh2018-coherence 3.6.12; S, R, CoWW, CoRW, CoWR are the usual others. */
LITMUS("MP", "x=1 F y=1 | a=y F b=x", "a=1 b=0")
LITMUS("SB", "x=1 F a=y | y=1 F b=x", "a=0 b=0")
LITMUS("LB", "a=x F y=1 | b=y F x=1", "a=1 b=1")
LITMUS("WRC", "x=1 | a=x F y=1 | b=y F c=x", "a=1 b=1 c=0")
LITMUS("IRIW", "x=1 | y=1 | a=x F b=y | c=y F d=x", "a=1 b=0 c=1 d=0")
LITMUS("2+2W", "x=1 F y=2 | y=1 F x=2", "x=1 y=1")
LITMUS("S", "x=2 F y=1 | a=y F x=1", "a=1 x=2")
LITMUS("R", "x=1 F y=1 | y=2 F a=x", "a=0 y=2")
LITMUS("CoRR", "x=1 | a=x b=x", "a=1 b=0")
LITMUS("CoWW", "x=1 x=2 | a=x b=x", "x=1")
LITMUS("CoRW", "a=x x=1 | x=2", "a=2 x=2")
LITMUS("CoWR", "x=1 a=x | x=2", "a=2 x=1")
/* What race detection has to keep (tabbakh2018-coherence 3.7): MPF a fetched block may bring a
 * flag that nobody asked for (R-13), MPE epochs may come again (D-R10), RWC a warp may read its
 * SM's store too early, MPM and SBT a fetch may be older than the epoch it arrives in (D-R5,
 * D-R20), OWS an own store passes a load that is not committed (D-R21), 3SB the
 * same behind a store, CoAR an atomic passes
 * the copy (R-14), MPR a load may be passed by a younger one (R-15), CoFW a fetch under way
 * may come after an own store (D-R19). */
LITMUS("MPF", "z=1 F y=1 | a=x b=y F c=z", "b=1 c=0")
LITMUS("MPE", "x=1 F y=1 | z=1 z=2 z=3 a=y F b=x", "a=1 b=0")
LITMUS("RWC", "x=1 | a=x F b=y | y=1 F c=x", "a=1 b=0 c=0")
LITMUS("MPM", "x=1 F y=1 | a=z | b=y | c=y F d=x", "c=1 d=0")
LITMUS("SBT", "x=1 F a=z | b=y | c=x | z=1 F d=x", "a=0 d=0")
LITMUS("OWS", "x=1 | b=y F c=x | a=x F y=1", "a=1 b=1 c=0")
LITMUS("3SB", "x=1 F a=y | y=1 F b=z | z=1 F c=x", "a=0 b=0 c=0")
LITMUS("CoAR", "x!1 a=x | x=2", "a=0")
LITMUS("MPR", "x=1 F y=1 | a=z b=y F c=x", "b=1 c=0")
LITMUS("CoFW", "x=1 a=x | b=x", "a=0")
