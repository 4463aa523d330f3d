/* set_lines.stimulus.h - lines of one set for the victim units' stimulus: a random LRU order, and
 * states drawn so that full sets, sets with RESERVED or held lines and sets without any victim are
 * as frequent as the rest.  For a unit with valid, reserved, held and lru_rank. */
static void drive_set_lines(struct tb_random *random, struct in *in)
{
    const uint64_t all = (1u << WAYS) - 1;
    for (unsigned i = 0; i < WAYS; i++) {
        unsigned j = (unsigned)tb_random_below(random, i + 1);
        in->lru_rank[i] = in->lru_rank[j];
        in->lru_rank[j] = i;
    }
    switch (tb_random_below(random, 4)) {
    case 0: in->valid = all; break;
    case 1: in->reserved |= ~in->valid & all; break;
    case 2: in->reserved = all & ~(UINT64_C(1) << tb_random_below(random, WAYS)); break;
    default: break;
    }
    if (tb_random_below(random, 4) != 0) {
        in->held = 0;
    }
    in->valid &= ~in->reserved & all;
}
