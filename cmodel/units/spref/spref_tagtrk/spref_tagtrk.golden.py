"""spref_tagtrk by lakshminarayana2014-graph 3.1.4: each register is what it was computed to be, and
Table 1 with its completion is a list of cases."""

from golden_spref import (
    ADD, CONST, FRESH, LD, MAD, MOV, MUL, NO_FORM, NO_ID, NO_REG, OTHER, RANDOM, SHL, STRIDE, SUB,
    WRITES, log2_of, wrap,
)

FIRST, SECOND = 1, 2


class Golden:
    def __init__(self, p):
        self.tags = {r: CONST for r in range(NO_REG)}
        self.forms = {r: (NO_ID, NO_REG, 0) for r in range(NO_REG)}  # load-id, base, shift
        self.strides = [None] * 4  # register, delta, written in this pass
        self.index, self.index_step = NO_REG, 0

    # What is known when the instruction comes.
    def known(self, i):
        strides = [None if i.tag_init else s for s in self.strides]
        if i.pass_begin:
            strides = [s and (s[0], s[1], False) for s in strides]
        tags, forms, index = self.tags, self.forms, self.index
        if i.tag_init:
            tags = {r: CONST for r in tags}
            forms = {r: (NO_ID, *f[1:]) for r, f in forms.items()}
            index = NO_REG
        tags = {**tags, NO_REG: CONST}
        forms = {**forms, NO_REG: (NO_ID, NO_REG, 0)}
        return tags, forms, strides, index

    @staticmethod
    def entry(strides, reg):
        return next((s for s in strides if s and s[0] == reg), (reg, 0, False))

    def factor(self, i):
        if i.op in (MUL, MAD):
            return log2_of(i.imm)
        return i.imm if i.imm < 32 else None

    def tag_of(self, i):
        """(tag, delta, is it the step of the index)."""
        tags, _, strides, index = self.known(i)
        a, b, c = (CONST if tags[r] == FRESH else tags[r] for r in (i.src0, i.src1, i.src2))
        da, db, dc = (self.entry(strides, r)[1] for r in (i.src0, i.src1, i.src2))
        own = [r == i.dst != NO_REG for r in (i.src0, i.src1, i.src2)]
        if i.pred or RANDOM in (a, b, c):
            return RANDOM, 0, False
        if i.op == MOV:
            return (RANDOM, 0, False) if a == STRIDE and i.raw_upd else (a, da, False)
        if i.op in (ADD, SUB) and own[0] and not own[1]:
            return self.advance(i, tags[i.src0], b, self.entry(strides, i.src0), index)
        if any(own):
            return RANDOM, 0, False
        if i.op == OTHER:
            return (CONST if {a, b, c} == {CONST} else RANDOM), 0, False
        if i.op in (MUL, SHL):
            return *self.times(i, a, da, b), False
        if i.op == MAD:
            return *self.plus(self.times(i, a, da, b), (c, dc)), False
        if i.op in (ADD, SUB):
            return *self.plus((a, da), (b, -db if i.op == SUB else db)), False
        return RANDOM, 0, False

    def times(self, i, a, da, b):
        k = self.factor(i)
        if (a, b) == (CONST, CONST):
            return CONST, 0
        if (a, b) == (STRIDE, CONST) and i.imm_valid and k is not None:
            return STRIDE, da << k
        return RANDOM, 0

    @staticmethod
    def plus(x, y):
        kinds = {x[0], y[0]}
        if RANDOM in kinds or (x[0], y[0]) == (STRIDE, STRIDE):
            return RANDOM, 0
        if kinds == {CONST}:
            return CONST, 0
        return x if x[0] == STRIDE else y

    def advance(self, i, tag, b, entry, index):
        amount = i.imm if i.imm_valid else i.step_val
        step = wrap(-amount if i.op == SUB else amount)
        _, delta, written = entry
        if b != CONST or written:
            return RANDOM, 0, False
        if i.__dict__["pass"] == FIRST:
            if tag != CONST:
                return RANDOM, 0, False
            mine = index in (NO_REG, i.dst)
        else:
            if tag != STRIDE or delta != step:
                return RANDOM, 0, False
            mine = index == i.dst
        if i.imm_valid:
            return STRIDE, step, False
        return (STRIDE, step, True) if mine and i.step_ok else (RANDOM, 0, False)

    def form_of(self, i):
        tags, forms, _, _ = self.known(i)
        ops = [forms[r] for r in (i.src0, i.src1, i.src2)]
        ids = {f[0] for f in ops} - {NO_ID}
        nothing = (NO_ID, NO_REG, 0)
        if i.pred:
            return nothing
        if i.op == LD:
            return (i.head_id, NO_REG, 0)
        if len(ids) != 1:
            return nothing
        if i.op == MOV:
            lid = ids.pop()
            return (lid, NO_REG, 0) if lid == NO_FORM else (lid, *ops[0][1:])
        plain = [f[0] in (1, 2) and f[1] == NO_REG for f in ops]
        base = [
            r != NO_REG and tags[r] in (CONST, FRESH) and forms[r][0] == NO_ID
            for r in (i.src0, i.src1, i.src2)
        ]
        k = self.factor(i) if i.imm_valid else None
        scales = plain[0] and ops[0][2] == 0 and k is not None and k < 8
        if i.op in (MUL, SHL) and scales:
            return (ops[0][0], NO_REG, k)
        if i.op == MAD and scales and base[2]:
            return (ops[0][0], i.src2, k)
        if i.op == ADD and plain[0] and base[1]:
            return (ops[0][0], i.src1, ops[0][2])
        if i.op == ADD and plain[1] and base[0]:
            return (ops[1][0], i.src0, ops[1][2])
        return (NO_FORM, NO_REG, 0)

    def result(self, i):
        _, _, strides, _ = self.known(i)
        tag, delta, steps = self.tag_of(i)
        full = False
        if tag == STRIDE:
            _, _, written = self.entry(strides, i.dst)
            room = None in strides or any(s and s[0] == i.dst for s in strides)
            full = not written and not room
            if written or not room:
                tag = RANDOM
        if tag == CONST and i.__dict__["pass"] == FIRST:
            tag = FRESH
        return tag, wrap(delta), steps and tag == STRIDE, full

    def writes(self, i):
        return i.__dict__["pass"] and i.op in WRITES and i.dst != NO_REG

    def outputs(self, i):
        tags, forms, strides, _ = self.known(i)
        tag, _, _, full = self.result(i)
        _, delta, written = self.entry(strides, i.src0)
        strided = tags[i.src0] == STRIDE
        lid, base, shift = forms[i.src0]
        return {
            "addr_tag": tags[i.src0],
            "addr_lid": lid,
            "addr_delta": delta if strided else 0,
            "addr_base": base,
            "addr_shift": shift,
            "addr_done": strided and written,
            "end_tag": tags[i.src1],
            "dst_tag_next": tag,
            "dst_lid_next": self.form_of(i)[0],
            "index": self.index,
            "index_step": self.index_step,
            "strides_full": full and self.writes(i),
        }

    def clock(self, i):
        if not i.__dict__["pass"]:
            return
        tag, delta, steps, _ = self.result(i)
        form = self.form_of(i)
        tags, forms, strides, self.index = self.known(i)
        if self.writes(i):
            tags[i.dst], forms[i.dst] = tag, form
            if tag == STRIDE:
                at = next((n for n, s in enumerate(strides) if s and s[0] == i.dst), None)
                at = strides.index(None) if at is None else at
                strides[at] = (i.dst, delta, True)
            else:
                strides = [None if s and s[0] == i.dst else s for s in strides]
            if steps:
                self.index = i.dst
                self.index_step = wrap(-i.step_val if i.op == SUB else i.step_val)
        if i.pass_end and i.__dict__["pass"] == FIRST:
            tags = {r: RANDOM if t == FRESH else t for r, t in tags.items()}
        del tags[NO_REG], forms[NO_REG]
        self.tags, self.forms, self.strides = tags, forms, strides
