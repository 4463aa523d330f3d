/* bc_decide - which caches take the line of a miss (lakshminarayana2014 3.5.4, Table 12).  Knows
 * flags alone, not whose they are. */
#define UNIT_TABLE "units/graph/bc_decide/bc_decide.ports.h"
#include "units/model.h"
#include "units/promises.h"

enum { L1 = 1, L2 = 2, CB = 4 };
enum reuse { NO, YES, UNKNOWN };
enum region { NN, NY, YN, YY, UU };

/* Table 12, with the rows that complete it (D-BC-1). */
static unsigned row(enum reuse pc, enum region region)
{
    static const unsigned char table[3][5] = {
        [NO] = {[NN] = L1 | L2, [NY] = L2 | CB, [YN] = L1, [YY] = L1, [UU] = L1},
        [YES] = {[NN] = L2, [NY] = L2 | CB},
        [UNKNOWN] = {[NN] = UNKNOWN_PASSES ? L2 : 0, [NY] = L2 | CB}};
    return table[pc][region];
}

static void comb(const struct state *s, const struct in *in, struct out *out)
{
    (void)s;
    const enum reuse pc = !in->l1_known ? UNKNOWN : in->l1_reuse ? YES : NO;
    const unsigned region = in->rg_known ? (unsigned)(2 * in->rg_shared + in->rg_private) : UU;
    const unsigned may = (LEVELS & 1 ? L1 : 0) | (LEVELS & 2 ? L2 | CB : 0);
    const unsigned what = row(pc, (enum region)region) & may;
    out->sampled = SAMPLE && what & (L1 | L2) && in->draw == 0;
    out->byp_l1 = what & L1 && !out->sampled;
    out->byp_l2 = what & L2 && !out->sampled;
    out->cb = (what & CB) != 0;
}

MODEL_COMBINATIONAL
