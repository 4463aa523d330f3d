/* Table of oaws_epoch: the ageing period of the divergent load classifier. */
UNIT(oaws_epoch, SEQUENTIAL, "period of classifier ageing", "wang2015 3.16.1")
PARAM(EPOCH, 16384, 2, 16777216, "D-DLC-2: cycles between ageings")
DERIVED(COUNT_W, 32 - __builtin_clz(EPOCH - 1))
IN(enable, 1, MOSTLY(50), "0: no ageing; the period starts anew")
EVENT(age_tick, COMB, "age the classifier")
STATE(count, COUNT_W, AT(count_q), EXTRA, "cycles of this period")
