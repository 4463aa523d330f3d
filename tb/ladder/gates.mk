# gates.mk - is the netlist that simulations run the same machine as the RTL?
#   make -f tb/ladder/gates.mk UNIT=family/unit [SET="K=V K=V"] [GATE_SECONDS=300] gates
#
# Leaves build/gates/<unit>@<K=V,K=V>.json (result: proven, different, timeout or error; by;
# seconds), and in build/units/<unit>/<K-V_K-V>/gates what the tools say.  First both become
# functions of inputs and state, and abc compares every output and every next state (cec), with
# arithmetic in either of two shapes: where both sides have the same, it takes seconds.  The RTL
# goes through Verilog once more, as the netlist did: of two names of a register the same one is
# left.  Where they differ in a state that no run reaches, or that takes too long, abc proves that
# both give the same outputs in every run from reset (dsec).
# It does not know the C model.
include tb/variant.mk
include tb/ladder/function.mk

SHELL := /bin/bash
comma := ,
GATES := $(DIR)/gates
GATE_SECONDS ?= 300
GATE_SET := $(or $(subst $(space),$(comma),$(SET)),-)
ANSWER   := build/gates/$(NAME)@$(GATE_SET).json

.PHONY: gates gates-where
gates: $(ANSWER)
gates-where: ; @echo $(GATES)

# IN_ABC,COMMAND,STEPS,PERCENT of the time for each tool: what abc's COMMAND says of both, each
# made by STEPS, in `word`.
READ_RTL     = $(READ_YS); rename -top $(NAME); proc
READ_NETLIST = read_verilog $(DIR)/netlist.v; hierarchy -top $(NAME); proc
LIMIT        = timeout $$(($(GATE_SECONDS) * $(3) / 100))
IN_ABC       = by=$(1); word=error; rm -f $(GATES)/*.aig; \
	printf '%s\n' "$(READ_RTL); $(RTL_AGAIN_$(1)) $(2); write_aiger -symbols $(GATES)/rtl.aig" | $(LIMIT) $(YOSYS) -l $(GATES)/rtl.$(1).log >/dev/null 2>&1; \
	printf '%s\n' "$(READ_NETLIST); $(2); write_aiger -symbols $(GATES)/netlist.aig" | $(LIMIT) $(YOSYS) -l $(GATES)/netlist.$(1).log >/dev/null 2>&1; \
	(cd $(GATES) && $(LIMIT) yosys-abc -c "$(1) rtl.aig netlist.aig" >$(1).log 2>&1); code=$$?; \
	if grep -q 'Networks are equivalent' $(GATES)/$(1).log; then word=proven; \
	elif grep -q 'Networks are NOT EQUIVALENT' $(GATES)/$(1).log; then word=different; \
	elif [ $$code = 124 ] || grep -q 'UNDECIDED' $(GATES)/$(1).log; then word=timeout; fi
RTL_AGAIN_cec = flatten; memory_collect; memory_map; opt_clean; dffunmap; simplemap; opt_clean -purge; write_verilog -noattr $(GATES)/rtl.v; design -reset; read_verilog $(GATES)/rtl.v; proc;

$(ANSWER): $(DIR)/netlist.v $(FILES_V) $(FAMILY_V) $(FROM_RESET) tb/ladder/gates.mk
	@mkdir -p $(GATES) build/gates && rm -f $(GATES)/*
	@started=$$SECONDS; inputs=$$(tb/ladder/inputs.sh gates $(NAME)) || exit; $(call IN_ABC,cec,$(call to_function,),20); \
	if [ $$word != proven ]; then $(call IN_ABC,cec,$(call to_function,$(AS_SYNTH)),40); fi; \
	if [ $$word != proven ]; then $(call IN_ABC,dsec,$(call to_machine,$(AS_SYNTH)),100); fi; \
	jq -n --arg unit $(NAME) --arg point '$(GATE_SET)' --arg result $$word --arg by $$by --arg inputs "$${inputs##* }" --argjson seconds $$((SECONDS - started)) '$$ARGS.named' > $@
