# mutants.mk - many mutants of one unit's RTL in one Verilated model:
#   make -f tb/ladder/mutants.mk UNIT=family/unit [SET="K=V K=V"] [COUNT=200] [SEED=1] mutants
#
# Leaves in build/units/<unit>/<K-V_K-V>/mutants/
#   base.il        the RTL as cells, hierarchy flattened, nothing mapped: what is mutated
#   list           one mutant a line, as Yosys applies it; line n is selected by mutsel = n
#   mutants.so     a backend; its context says which mutant (tb/ladder/mutants.cpp)
#   gold.*.aig     the RTL for abc, in the two ways of function.mk
# A mutant changes one bit of one cell's pin.  Clock pins are left alone: a clock that is
# inverted or stuck says nothing about the tests of a synchronous unit.  So are the enables of
# asynchronous reads, which no memory has.  And the outputs of registers: behind them a register
# would no longer be what its name shows; its inputs and its readers are changed.
include tb/variant.mk
include tb/ladder/function.mk

COUNT  ?= 200
SEED   ?= 1
MUT    := $(DIR)/mutants
SELECT_W := 12

.PHONY: mutants list mutants-where
mutants: $(MUT)/mutants.so
list: $(MUT)/list
mutants-where: ; @echo $(MUT)

# Upper bits that nothing reads go first: a mutant of them would be no mutant.  So do shifts by
# a variable, whose amount Yosys makes 32 bits wide and maps as if it were not.
$(MUT)/base.il: $(FILES_V) $(FAMILY_V) $(CONTRACT) tb/ladder/mutants.mk
	@mkdir -p $(MUT)
	@printf '%s\n' "$(READ_YS); rename -top $(NAME); proc; flatten; opt_expr; wreduce -keepdc; \
	    opt_expr; techmap t:\$$shift t:\$$shiftx; opt_expr; wreduce -keepdc; opt_expr; opt_clean; pmuxtree; opt_clean; write_rtlil $@" | $(YOSYS) -l $(MUT)/base.log >/dev/null

# Half as many again are drawn, for those of clock pins that go.
.PHONY: FORCE
$(MUT)/drawn: FORCE
	@mkdir -p $(MUT) && echo "$(COUNT) $(SEED)" > $@.new && { cmp -s $@.new $@ || mv $@.new $@; }

$(MUT)/list: $(MUT)/base.il $(MUT)/drawn
	@printf '%s\n' "read_rtlil $<; mutate -list $$(($(COUNT) * 3 / 2)) -seed $(SEED) -o $@.all" | $(YOSYS) -l $(MUT)/list.log >/dev/null
	@grep -vE -- '-port .?(RD_|WR_)?(CLK|ARST|SRST|Q) |memrd.* -port .?EN ' $@.all > $@.some || true
	@sed -n '1,$(COUNT)s/^mutate //p' $@.some > $@

# Wires are split into bits: Verilator 5.006 does not settle rightly where parts of vectors feed
# each other.  Registers stay whole, they are compared.
$(MUT)/mutants.v: $(MUT)/list tb/ladder/arrays.awk
	@awk '{print "mutate -ctrl mutsel $(SELECT_W) " NR " " $$0}' $< > $(MUT)/apply.ys
	@printf '%s\n' "read_rtlil $(MUT)/base.il; script $(MUT)/apply.ys; splitnets w:* t:\$$*dff* %co:+[Q] %d x:* %d; write_verilog -noattr $(MUT)/registers.v" | $(YOSYS) -l $(MUT)/apply.log >/dev/null
	@awk -f tb/ladder/arrays.awk $(MUT)/registers.v >$@

# Flattened names: inst.reg, in Verilator's writing inst__02ereg.  The binding knows them by
# the names of the hierarchy.
$(MUT)/mutants.so: $(MUT)/mutants.v $(DIR)/public.vlt tb/ladder/mutants.cpp tb/rtl_binding.cpp $(VERILATED)
	@sed 's/-var "/-var "*/' $(DIR)/public.vlt > $(MUT)/public.vlt
	@rm -rf $(MUT)/rtl && $(VERILATE) -Wno-fatal -Wno-lint -Wno-UNOPTFLAT --prefix M$(NAME) --top-module $(NAME) --Mdir $(MUT)/rtl $(MUT)/public.vlt $<
	@sed -i 's/__02e/__DOT__/g; s/__05b\([0-9]*\)__05d__DOT__/__BRA__\1__KET____DOT__/g' $(MUT)/rtl/*.h $(MUT)/rtl/*.cpp
	@$(MAKE) -s -C $(MUT)/rtl -f M$(NAME).mk OPT_FAST="-O1 -fPIC -fvisibility=hidden -fno-gnu-unique" OPT_SLOW="-O0 -fPIC -fvisibility=hidden -fno-gnu-unique" M$(NAME)__ALL.a >/dev/null
	@$(CXX) $(CXX_FLAGS) $(DEFINES) -DUNIT_MODEL=M$(NAME) -DUNIT_FORM='"mutants"' -DUNIT_STATE=1 -I$(MUT)/rtl \
	    -shared -o $@ tb/ladder/mutants.cpp $(MUT)/rtl/M$(NAME)__ALL.a $(VERILATED) -lz -lpthread

# Is a mutant that lives a change at all?  Both as functions of any state, compared by abc; then
# as machines that begin in reset, whose registers it may change where no run leads.  A mutant
# that takes longer than its limit to become one, or to compare, stays undecided.
LIVING ?=
PROOF_SECONDS ?= 20
.PHONY: equivalent
equivalent: $(patsubst %,$(MUT)/%.answer,$(LIVING))

# As functions they are made once, all mutants in one design of which mutsel then is a constant; as
# machines each by itself.
$(MUT)/gates.il: $(MUT)/list tb/ladder/mutants.mk tb/ladder/function.mk
	@awk '{print "mutate -ctrl mutsel $(SELECT_W) " NR " " $$0}' $< > $(MUT)/gates.ys
	@printf '%s\n' "read_rtlil $(MUT)/base.il; script $(MUT)/gates.ys; $(call to_function,); write_rtlil $@" | $(YOSYS) -l $(MUT)/gates.log >/dev/null

# Yosys' script that leaves number $(1), 0 for the RTL, as abc's COMMAND $(2) has it.
MADE_FOR_cec  = read_rtlil $(MUT)/gates.il; delete -input w:mutsel; connect -set mutsel $(SELECT_W)'d$(1)
MADE_FOR_dsec = read_rtlil $(MUT)/base.il; $(if $(filter 0,$(1)),,mutate $$(sed -n '$(1)p' $(MUT)/list);) $(call to_machine,)
$(MUT)/gold.cec.aig: $(MUT)/gates.il
$(MUT)/gold.dsec.aig: $(MUT)/base.il $(FROM_RESET) tb/ladder/mutants.mk
$(MUT)/gold.cec.aig $(MUT)/gold.dsec.aig: $(MUT)/gold.%.aig:
	@printf '%s\n' "$(call MADE_FOR_$*,0); write_aiger -symbols $@" | $(YOSYS) -l $(MUT)/gold.$*.log >/dev/null

# COMMAND: `answer` becomes what abc's COMMAND says of mutant and RTL.  abc leaves what it cannot
# solve where it runs.
COMPARE = \
	printf '%s\n' "$(call MADE_FOR_$(1),$*); write_aiger -symbols $(MUT)/$*.aig" \
	    | timeout $$((3 * $(PROOF_SECONDS))) $(YOSYS) -l $(MUT)/$*.log >/dev/null; \
	(cd $(MUT) && timeout $(PROOF_SECONDS) yosys-abc -c "$(1) gold.$(1).aig $*.aig" >$*.$(1) 2>&1); rm -f $(MUT)/$*.aig; \
	if grep -q 'Networks are equivalent' $(MUT)/$*.$(1); then answer=equivalent; \
	elif grep -q 'NOT EQUIVALENT' $(MUT)/$*.$(1); then answer=different; else answer=undecided; fi

$(MUT)/%.answer: $(MUT)/gold.cec.aig $(MUT)/gold.dsec.aig $(MUT)/list
	@$(call COMPARE,cec); \
	if [ $$answer != equivalent ]; then $(call COMPARE,dsec); fi; echo $$answer >$@
