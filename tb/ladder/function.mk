# function.mk - two ways to make a design one that abc compares with another, for Yosys, to be
# written as AIGER with -symbols.  Where a register has another name, or there are other ones,
# only the second way finds the same machine.  The argument of both is nothing, or $(AS_SYNTH):
# sums and comparisons are then built as synthesis builds them, products too.
AS_SYNTH := wreduce; alumacc;

# Outputs and next state as functions of inputs and state, for `cec`: every register becomes an
# input and an output of its name, and the rest AND gates.  Buffers at the outputs keep a register
# that is an output to its own name.  After `proc; flatten`.
in_bits     = $(AS_SYNC) memory_collect; memory_map; $(AS_RISING) opt -full -nodffe -nosdff; $(1) dffunmap; techmap; simplemap; opt -fast -nodffe -nosdff; setundef -zero
to_function = $(call in_bits,$(1)); iopadmap -outpad \$$_BUF_ A:Y; expose -evert-dff t:\$$_DFF_*_ t:\$$_SDFF*_ t:\$$_DFFE_*_; opt_clean; abc -g AND -fast; opt_clean

# A machine whose first cycle is one of reset, for `dsec`: the same outputs in every run.  After `proc`.
FROM_RESET  := $(DIR)/from_reset.v
to_machine  = read_verilog $(FROM_RESET); hierarchy -top from_reset; proc; flatten; opt_clean; $(call in_bits,$(1)); abc -g AND -fast; opt_clean; zinit -all

$(FROM_RESET): $(FILES_V) $(FAMILY_V) tb/ladder/from_reset.awk tb/ladder/function.mk | $(DIR)
	@printf '%s\n' "$(READ_YS); rename -top $(NAME); proc; tee -q -o $@.ports portlist -m $(NAME)" | $(YOSYS) >/dev/null
	@awk -v clock=$(CLOCK) -v falling=$(FALLING) -v reset=$(RESET) -v low=$(LOW) -f tb/ladder/from_reset.awk $@.ports > $@
