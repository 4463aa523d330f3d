/* Table of avu_rename: physical registers that hold speculative results.
 *
 * One operation per step, held until ready:
 *   KERNEL_START     new kernel: no register renamed; the first `used` physical ones are taken
 *   RENAME    a result of {warp, areg} goes to new_phys: the register it has, else the lowest
 *             free one; not ready while there is none
 *   COMMIT    the results of `warp` become architectural, lowest register first, one per step
 *   SQUASH    the same, but speculative results are dropped; temporary ones are kept
 *   RETIRE    one register, {warp, areg}, becomes architectural
 * Each register that leaves is shown by move_valid; move_copy: its value goes to the
 * architectural register.  Look-up answers in the same step, from the table as it stands.  An
 * operation on a warp or register that is not there is done at once and changes nothing. */
UNIT(avu_rename, SEQUENTIAL, "rename table and free list of speculative results", "tabbakh2018 3.7.6, 3.7.8")
PARAM(WARPS, 4, 1, 64, "warps; of the document 48")
PARAM(REGS, 7, 2, 64, "architectural registers per warp; of the document 63")
PARAM_POW2(PHYS, 16, 4, 1024, "physical registers; of the document 1024")
DERIVED(PHYS_W, __builtin_ctz(PHYS))
DERIVED(REG_W, 32 - __builtin_clz(REGS - 1))
DERIVED(ENTRIES, WARPS * REGS)
DERIVED(FREE_W, PHYS < 64 ? PHYS : 64)
ENUM(op, NONE, 0)
ENUM(op, KERNEL_START, 1)
ENUM(op, RENAME, 2)
ENUM(op, COMMIT, 3)
ENUM(op, SQUASH, 4)
ENUM(op, RETIRE, 5)
IN(op, 3, BELOW(6), "what happens")
IN(warp, 6, BELOW(WARPS), "its warp")
IN(areg, 6, BELOW(REGS), "RENAME, RETIRE: its register")
IN(temp, 1, ANY, "RENAME: TEMP_NONSPEC, not speculative itself; 0: SPEC")
IN(used, PHYS_W + 1, BELOW(PHYS / 2), "KERNEL_START: physical registers of the resident warps")
IN(lk_warp, 6, BELOW(WARPS), "look-up")
IN(lk_reg, 6, BELOW(REGS), "look-up")
OUT(lk_hit, 1, COMB, ALWAYS, "the register is renamed")
OUT(lk_phys, PHYS_W, COMB, lk_hit, "to this one")
OUT(lk_temp, 1, COMB, lk_hit, "and its value is temporary, not speculative")
OUT(ready, 1, COMB, ALWAYS, "the operation is done at this edge")
OUT(none_free, 1, REG, ALWAYS, "no physical register is free")
OUT(new_valid, 1, COMB, ALWAYS, "RENAME is done")
OUT(new_phys, PHYS_W, COMB, new_valid, "where the result goes")
OUT(move_valid, 1, COMB, ALWAYS, "a renamed register leaves the table")
OUT(move_reg, REG_W, COMB, move_valid, "this one of `warp`")
OUT(move_phys, PHYS_W, COMB, move_valid, "it was here")
OUT(move_copy, 1, COMB, move_valid, "and its value is kept")
EVENT(stall, COMB, "RENAME finds no free register")
HELD(op, op, ready)
HELD(warp, op, ready)
HELD(areg, op, ready)
HELD(temp, op, ready)
STATE_ARRAY(phys, PHYS_W, ENTRIES, AT(phys_q), CLAIMED, valid, "physical register of {warp, areg}")
STATE_ARRAY(valid, 1, ENTRIES, AT(valid_q), EXTRA, ALWAYS, "renamed")
STATE_ARRAY(temporary, 1, ENTRIES, AT(temp_q), EXTRA, valid, "TEMP_NONSPEC; 0: SPEC")
STATE_ARRAY(free, FREE_W, PHYS / FREE_W, AT(free_q), EXTRA, ALWAYS, "physical registers not in use")
