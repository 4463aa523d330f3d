/* Table of @name@: hits up to a limit. */
UNIT(@name@, SEQUENTIAL, "counts hits up to a limit", "your document, its section")
PARAM(LIMIT, 12, 2, 255, "hits until it is hot")
DERIVED(COUNT_W, 32 - __builtin_clz(LIMIT))
IN(hit, 1, ANY, "one more")
IN(clear, 1, RARE(24), "begin anew; wins over hit")
OUT(hot, 1, REG, ALWAYS, "the limit is reached")
STATE(count, COUNT_W, AT(count_q), CLAIMED, "hits since the last clear")
