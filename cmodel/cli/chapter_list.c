/* chapter_list.c - the documents' comparisons as data: machine, workloads, schemes, what the
 * document prints, and a remark on what does not reproduce.  Knows nothing of running them. */
#include "cli/chapter.h"

/* The benchmarks of CAPS Table IV, in its order: CP LPS BPR HSP MRQ STE CNV HST JC1 FFT SCN
 * MM PVR CCL BFS KM.  PageViewRank's place is taken by the inverted index over the same kind
 * of text records. */
#define CAPS_WORKLOADS \
    { \
        "cp", "laplace3d", "backprop", "hotspot", "mriq", "stencil3d", "convsep", "histogram", \
            "jacobi1d", "fft", "scan", "gemm", "invindex", "components", "bfs", "kmeans" \
    }
#define CAPS_INPUTS \
    "Inputs and grid sizes are this project's; the document gives none (caps-prefetch Q14).  "
#define CAPS_REMARK \
    CAPS_INPUTS \
    "Reproduced: CAPS and ORCH gain, CAPS drop is the most accurate, INTER and its reach cost " \
    "IPC and traffic, MTA is not above INTRA, coverage of HSP, BFS, PVR and KM is near 0, " \
    "histogram and jacobi1d are 100 % accurate.  Not reproduced: 97 %, 0.91 % early, traffic " \
    "below 1.03.  Stale: a request that the L1D cannot take is tried again (Q8) and goes out " \
    "after its warp has asked and the line has left; CAPS drop forgets it.  Gone: leading " \
    "warps run ahead by more lines than 16 KB hold (CP's loads come after its long loop).  " \
    "Wrong: halo loads of laplace3d until their counter passes 128, and loads that BFS's " \
    "target warps branch around.  More than four load PCs (D15: CP, MRQ, STE, CNV, FFT) train " \
    "again and again.  LAP and ORCH: half of the macro blocks' other lines are never asked " \
    "for; ORCH's gain is its order of warps."
#define CAPS_CTAS_REMARK \
    CAPS_INPUTS \
    "Strides go with the CTA that taught them (D5).  Reproduced: with 1 CTA all are below BASE " \
    "with 8, INTRA and MTA are best and CAPS adds nothing; with 8 and 16 CAPS leads and MTA is " \
    "below BASE.  More than four CTAs gain little even without a prefetcher: 48 warps and the " \
    "L1D are full before that."
#define CAPS_ENTRIES_REMARK \
    CAPS_INPUTS \
    "Replacement matters only where more than four loads compete (D15: cp, mriq, stencil3d, " \
    "convsep, fft), as the document's two to four targeted loads would have it."
#define CAPS_TIMELINESS_REMARK \
    CAPS_INPUTS \
    "Reproduced: the distance is longest on PAS, and without wake-up more lines are evicted " \
    "early at nearly the same IPC.  Not reproduced: two-level above round robin.  A ready " \
    "queue of eight is short for these kernels: with 48 two-level reaches round robin in scan, " \
    "backprop and jacobi1d.  Under round robin laplace3d and the graphs use few prefetches, " \
    "after long distances, and hide that distances are shorter than on two-level in six of the " \
    "other nine kernels.  clear: a marker goes with its warp's first base (Q5).  drop: requests " \
    "that the L1D cannot take are forgotten (Q8)."
#define SCHEME(title_, mechanisms_, claimed_) \
    { \
        .title = title_, .mechanisms = mechanisms_, .claimed = claimed_ \
    }
#define SCHEME_OF(title_, mechanisms_, claimed_, ...) \
    { \
        .title = title_, .mechanisms = mechanisms_, .claimed = claimed_, .prefetch = { \
            __VA_ARGS__ \
        } \
    }
#define SCHEME_MEMORY(title_, mechanisms_, claimed_, ...) \
    { \
        .title = title_, .mechanisms = mechanisms_, .claimed = claimed_, .memory = { __VA_ARGS__ } \
    }
/* `share_`: fully cached divergent loads of all divergent ones. */
#define SCHEME_CACHED(title_, mechanisms_, claimed_, share_) \
    { \
        .title = title_, .mechanisms = mechanisms_, .claimed = claimed_, \
        .memory.cached_divergent = share_ \
    }
#define WITH_CTAS(title_, mechanisms_, ctas) \
    { \
        .title = title_ " " #ctas, .mechanisms = mechanisms_, .set = "sm.ctas=" #ctas \
    }
#define CTA_SWEEP(title, mechanism) \
    WITH_CTAS(title, mechanism, 1), WITH_CTAS(title, mechanism, 2), \
        WITH_CTAS(title, mechanism, 4), WITH_CTAS(title, mechanism, 8), \
        WITH_CTAS(title, mechanism, 16)

/* Table 2 of the ACI/IACM/BLPP dissertation, in its order: HS NW BLK CONV FWT 2DC 2MM SRAD SC
 * BFS KM II SPMV ATAX GSM SYRK BP BT NN OP. */
#define ACI_WORKLOADS \
    { \
        "hotspot", "nw", "blackscholes", "convsep", "fwt", "conv2d", "mm2", "srad", \
            "streamcluster", "bfs", "kmeans", "invindex", "spmv", "atax", "gesummv", "syrk", \
            "backprop", "btree", "nn", "montecarlo" \
    }
#define ACI_REMARK \
    "Reproduced: PLI leads, PRI behind it.  Not reproduced: ADI ahead of BXI.  " \
    "The document gives no inputs but ATAX's width, and runs longer kernels: adaptation (ADI), " \
    "which takes 6K accesses a bit, weighs more here; ADI 64 adapts with periods of 64, 64 and " \
    "4.  ASCIB, of which the document gives no figure, drains the misses before a flush and " \
    "counts writes.  The engine chooses by toggles; a run's exact_mrp_differs counts the choices " \
    "that the mean run length would have made otherwise (aci 3.7.7), 33 of 901 in the ADI column."
/* The index takes `extra` cycles more: the LD/ST latency is `total` instead of 1. */
#define MORE_LATENCY(extra, total, claimed_) \
    { \
        .title = "+" #extra, .mechanisms = "pli", .claimed = claimed_, \
        .set = "ldst.latency=" #total \
    }

/* The divergent benchmarks of wang2015 Tables 4.2 and 5.2 in their order; no workload here is
 * PVC.  Thread counts are those of the document's inputs, or fill its 30 SMs; loops are cut
 * (D-WL-1). */
#define WANG_DIVERGENT \
    "atax:doc", "bicg:doc", "mvt:doc", "gesummv:doc", "syrk", "syr2k:n=256,rows=128,trip=64", \
        "kmeans:doc", "streamcluster:n=32768,dims=128,centres=16,launches=2", "bfs:doc", "spmv", \
        "invindex:records=30720,longest=128"
#define WANG_DACACHE_REMARK \
    "Not reproduced: the size of the gain, RRIP's last place, bypass ahead of Uncon and Stall.  " \
    "With 16 or 32 KB between lanes the Fermi hash uses 8 of 32 sets: a warp's load takes 4 " \
    "lines of a set where Eq 4.1 expects one, and the partition trains down to one warp of a " \
    "scheduler; behind an index that spreads them (-m fup28,dacache over -m fup28) GESUMMV " \
    "gains 1.46x.  At most 3 % of the misses find no candidate (6 % with 128 MSHRs), so that " \
    "bypassing has little to add.  Loops are cut, PVC is left out."
#define WANG_PARTITION_REMARK \
    "Reproduced: KMEANS and INVINDEX gain more with two or three protected warps than with none " \
    "or one, and Stall costs least at 2.  Not reproduced: Static0 level with LRU, 1 to 3 well " \
    "above it, bypass ahead at 2 and 3.  ATAX, BICG and MVT are best with none or one, since a " \
    "warp's load takes 4 lines of a set; few misses find no candidate: see wang2015-dacache.  " \
    "Loops are cut, PVC is left out."
#define WANG_PROMOTION_REMARK \
    "Reproduced: the granularity changes little.  Not reproduced: the size of the gain (see " \
    "wang2015-dacache) and 4 ahead of 1: INVINDEX and SYR2K are better with 3 and 4, GESUMMV, " \
    "KMEANS and ATAX with 1.  Loops are cut, PVC is left out."
#define WANG_OAWS_REMARK \
    "Reproduced: Static, FCW-Only, OAWS-Dyn in this order and MASCAR far below them.  " \
    "Not reproduced: SWL-Best below OAWS-Dyn, CCWS so low, FCW-Only level with OAWS-Dyn.  ATAX, " \
    "BICG and MVT spend their time in the divergent kernel, whose lines share 8 of 32 sets of " \
    "the L1D and a few sets of the L2, so that every warp less pays; the coherent kernels that " \
    "a limit hurts weigh little.  The partition starts at 4 warps and learns slowly: FCW-Only " \
    "loses on the short kernels of BFS and streamcluster.  Loops are cut (wang2015 D-WL-1)."

#define WANG_SMR_REMARK \
    "Reproduced: a low static rate admits too many warps; BFS and KMEANS are stable from 50 to " \
    "90 %.  Not reproduced: the peak at 50 %.  GESUMMV has it at 20 and 100 %, and INVINDEX " \
    "gains up to 100 %, where a warp counts with all of its misses: its records compete for " \
    "the L1D, and fewer warps keep theirs (SWL 3 of wang2015-oaws).  Loops are cut (wang2015 " \
    "D-WL-1)."

static const struct chapter chapters[] = {
    {"wang2015-fup",
     "wang2015-fup",
     "set indexing of the L1D, associativity-sensitive group",
     "wang2015 5.2 (its 3.3.2), geometric mean of six",
     {"atax", "bicg", "mvt", "gesummv", "syrk", "syr2k"},
     {SCHEME("CONV", "conv", 1.0), SCHEME("BXOR", "bxor", 3.21), SCHEME("pDisp", "pdisp", 3.70),
      SCHEME("Fermi", "rxi", 0), SCHEME("FUP20", "fup20", 4.36), SCHEME("FUP28", "fup28", 4.36)},
     "Sizes are cut (wang2015 D-WL-1), so the matrices' second, coherent kernels weigh less than "
     "in the document.",
     false},
    {"wang2015-dacache",
     "wang2015-dacache",
     "management of the L1D, divergent group",
     "wang2015 5.3 (its 4.3.1), mean of twelve",
     {WANG_DIVERGENT},
     {SCHEME("LRU", "", 1.0), SCHEME_MEMORY("RRIP", "rrip", 1.0, 0, 0, 0, 1.064),
      SCHEME_MEMORY("DIP", "dip", 1.124, 0, 0, 0, .962),
      SCHEME_MEMORY("Uncon", "dacache-uncon", 1.259, 0, 1.351, 1.273, .792),
      SCHEME_MEMORY("Stall", "dacache-stall", 1.256, 0, 1.372, 1.276, .776),
      SCHEME_MEMORY("DaCache", "dacache", 1.404, 0, 1.70, 1.341, .75)},
     WANG_DACACHE_REMARK,
     false},
    {"wang2015-partition",
     "wang2015-dacache",
     "fixed partitions of DaCache, divergent group",
     "wang2015 5.3 (its 4.3.4-4.3.6): Static, then + Stall and + Bypass over it, mean of twelve",
     {WANG_DIVERGENT},
     {SCHEME("LRU", "", 1.0), SCHEME("Static0", "dacache-static0-uncon", .999),
      SCHEME("Static1", "dacache-static1-uncon", 1.23),
      SCHEME("Static2", "dacache-static2-uncon", 1.247),
      SCHEME("Static3", "dacache-static3-uncon", 1.219),
      SCHEME("S0+Stall", "dacache-static0-stall", .956),
      SCHEME("S1+Stall", "dacache-static1-stall", 1.188),
      SCHEME("S2+Stall", "dacache-static2-stall", 1.247),
      SCHEME("S3+Stall", "dacache-static3-stall", 1.135),
      SCHEME("S0+Bypass", "dacache-static0", 1.005), SCHEME("S1+Bypass", "dacache-static1", 1.169),
      SCHEME("S2+Bypass", "dacache-static2", 1.407), SCHEME("S3+Bypass", "dacache-static3", 1.358)},
     WANG_PARTITION_REMARK,
     false},
    {"wang2015-promotion",
     "wang2015-dacache",
     "promotion granularity of DaCache, divergent group",
     "wang2015 5.3 (its 4.3.7), mean of twelve; only 1 and 4 are printed",
     {WANG_DIVERGENT},
     {SCHEME("LRU", "", 1.0), SCHEME("Promo1", "dacache-promo1", 1.371),
      SCHEME("Promo2", "dacache-promo2", 0), SCHEME("Promo3", "dacache-promo3", 0),
      SCHEME("Promo4", "dacache", 1.404), SCHEME("Promo5", "dacache-promo5", 0),
      SCHEME("MRU", "dacache-promo-mru", 0)},
     WANG_PROMOTION_REMARK,
     false},
    {"wang2015-oaws",
     "wang2015-oaws",
     "warp scheduling against memory occlusion, divergent group",
     "wang2015 5.4 (its 5.5.2, 5.5.4), mean of twelve; fully cached loads of all divergent ones",
     {WANG_DIVERGENT, "pfilter"},
     {SCHEME_CACHED("GTO", "", 1.0, .20),
      {.title = "MASCAR", .mechanisms = "mascar", .claimed = 1.048, .set = "ldst.replay_queue=32"},
      SCHEME_CACHED("CCWS", "ccws", 1.104, .25),
      SCHEME("SWL 1", "swl-1", 0),
      SCHEME("SWL 2", "swl-2", 0),
      SCHEME("SWL 3", "swl-3", 0),
      SCHEME("SWL 4", "swl-4", 0),
      SCHEME("SWL 6", "swl-6", 0),
      SCHEME("SWL 8", "swl-8", 0),
      SCHEME("SWL 12", "swl-12", 0),
      {.title = "SWL-Best", .best_of = "swl-", .claimed = 1.60, .memory.cached_divergent = .31},
      SCHEME("Static", "oaws-static", 1.353),
      SCHEME_CACHED("FCW-Only", "fcw-only", 1.72, .45),
      SCHEME_CACHED("OAWS-Dyn", "oaws-dyn", 1.74, .42)},
     WANG_OAWS_REMARK,
     false},
    {"wang2015-smr",
     "wang2015-oaws",
     "static miss rate of OAWS-Static",
     "wang2015 5.4 (its 5.5.6, Fig. 5.9): five benchmarks, not named; peak at 50 %, stable 35-90 %",
     {"atax:doc", "gesummv:doc", "kmeans:doc", "bfs:doc", "invindex:records=30720,longest=128"},
     {SCHEME("0 %", "oaws-static-0", 1.0), SCHEME("10 %", "oaws-static-10", 0),
      SCHEME("20 %", "oaws-static-20", 0), SCHEME("30 %", "oaws-static-30", 0),
      SCHEME("40 %", "oaws-static-40", 0), SCHEME("50 %", "oaws-static", 1.353),
      SCHEME("60 %", "oaws-static-60", 0), SCHEME("70 %", "oaws-static-70", 0),
      SCHEME("80 %", "oaws-static-80", 0), SCHEME("90 %", "oaws-static-90", 0),
      SCHEME("100 %", "oaws-static-100", 0)},
     WANG_SMR_REMARK,
     false},
    {"caps",
     "caps",
     "CTA-aware prefetching against the compared prefetchers, all workloads",
     "CAPS VI-B, VI-C, VI-D, VI-E, means of its 16 benchmarks (their inputs are not given)",
     CAPS_WORKLOADS,
     {SCHEME("BASE", "tl", 1.0), SCHEME("INTRA", "intra", 0), SCHEME("INTER", "inter", 0),
      SCHEME("INTER8", "inter-8", 0), SCHEME("MTA", "mta", 0), SCHEME("MTA3", "mta-tables3", 0),
      SCHEME("NLP", "nlp", 0), SCHEME("LAP", "lap", 1.01), SCHEME("ORCH", "orch", 1.01),
      SCHEME("CAPS drop", "caps-drop", 1.08),
      SCHEME_OF("CAPS", "caps", 1.08, .18, .97, .0091, 172.7, 1.03)},
     CAPS_REMARK,
     true},
    {"caps-timeliness",
     "caps",
     "eager wake-up and host schedulers (Fig. 14)",
     "CAPS VI-E, means of its 16 benchmarks",
     CAPS_WORKLOADS,
     {SCHEME("BASE", "tl", 1.0), SCHEME("RR", "rr", 0),
      SCHEME_OF("CAP+RR", "caps-rr", 0, 0, 0, 0, 64.3, 0),
      SCHEME_OF("CAP+TL", "caps-tl", 0, 0, 0, 0, 145.0, 0),
      SCHEME_OF("noWAKE", "caps-nowake", 0, 0, 0, .0116, 0, 0), SCHEME("clear", "caps-clear", 0),
      SCHEME("drop", "caps-drop", 0),
      SCHEME_OF("CAPS", "caps", 1.08, .18, .97, .0091, 172.7, 1.03)},
     CAPS_TIMELINESS_REMARK,
     true},
    {"caps-ctas",
     "caps",
     "concurrent CTAs of an SM, all over BASE with 8 (Fig. 11)",
     "CAPS VI-B: a chart only; at 1 CTA all are below BASE with 8 and CAPS adds nothing",
     CAPS_WORKLOADS,
     {SCHEME("BASE", "tl", 1.0), CTA_SWEEP("BASE", "tl"), CTA_SWEEP("INTRA", "intra"),
      CTA_SWEEP("MTA", "mta"), CTA_SWEEP("CAPS", "caps-flush")},
     CAPS_CTAS_REMARK,
     true},
    {"caps-entries",
     "caps",
     "entries of PerCTA and DIST (D15, Q17)",
     "CAPS V-B: replacement did not matter, 2 to 4 targeted loads are usual",
     CAPS_WORKLOADS,
     {SCHEME("BASE", "tl", 1.0), SCHEME("CAPS 2", "caps-2", 0),
      SCHEME_OF("CAPS 4", "caps", 1.08, .18, .97, .0091, 172.7, 1.03),
      SCHEME("CAPS 8", "caps-8", 0), SCHEME("CAPS 16", "caps-16", 0)},
     CAPS_ENTRIES_REMARK,
     true},
    {"aci",
     "aci",
     "set indexing of the L1D, conventional indexing at the L2",
     "ACI/IACM/BLPP dissertation 3.4.2, geometric mean of 20",
     ACI_WORKLOADS,
     {SCHEME("CVI", "conv", 1.0), SCHEME("BXI", "bxor", 1.402), SCHEME("RXI", "rxi", 1.398),
      SCHEME("PLI", "pli", 1.470), SCHEME("PRI", "pmod", 1.458), SCHEME("ADI", "adi", 1.423),
      SCHEME("ADI 64", "adi-small", 0), SCHEME("ASCIB", "ascib", 0)},
     ACI_REMARK,
     false},
    {"aci-l2",
     "aci",
     "the same set indexing at the L1D and in every L2 bank",
     "ACI/IACM/BLPP dissertation 3.4.3, mean of 20",
     ACI_WORKLOADS,
     {SCHEME("CVI", "conv,l2-conv", 1.0), SCHEME("BXI", "bxor,l2-bxor", 1.571),
      SCHEME("PLI", "pli,l2-pli", 1.699), SCHEME("PRI", "pmod,l2-pmod", 1.657),
      SCHEME("ADI", "adi,l2-adi", 1.598), SCHEME("ADI 64", "adi-small,l2-adi-small", 0)},
     ACI_REMARK,
     false},
    {"aci-latency",
     "aci",
     "PLI at the L1D, with more cycles before every access",
     "ACI/IACM/BLPP dissertation 3.4.4, Fig. 20, mean of 20",
     ACI_WORKLOADS,
     {SCHEME("PLI", "pli", 1.0), MORE_LATENCY(1, 2, .991), MORE_LATENCY(2, 3, .987),
      MORE_LATENCY(3, 4, .972), MORE_LATENCY(4, 5, .943)},
     "The document gives no inputs but ATAX's width.",
     false},
};
enum { N_CHAPTERS = sizeof chapters / sizeof *chapters };

const struct chapter *chapter_at(size_t i)
{
    return i < N_CHAPTERS ? &chapters[i] : chapter_coherence_at(i - N_CHAPTERS);
}
