# gates.mk - is the netlist that simulations run the same machine as the RTL?
#   make -f tb/ladder/gates.mk UNIT=family/unit [SET="K=V K=V"] [GATE_SECONDS=120] gates
#
# Leaves build/gates/<unit>@<K=V,K=V>.json (result: proven, unproven, timeout or error; by;
# seconds), and in build/units/<unit>/<K-V_K-V>/gates what the tools say.  First both become
# functions of inputs and state, and abc compares every output and every next state (cec).  The RTL goes through
# Verilog once more, as the netlist did: of two names of a register the same one is left.
# Where synthesis left other registers than the RTL has, Yosys proves it register by register
# and by induction over two steps (equiv).  It does not know the C model.
include tb/variant.mk
include tb/ladder/function.mk

SHELL := /bin/bash
comma := ,
GATES := $(DIR)/gates
GATE_SECONDS ?= 120
GATE_SET := $(or $(subst $(space),$(comma),$(SET)),-)
ANSWER   := build/gates/$(NAME)@$(GATE_SET).json

.PHONY: gates gates-where
gates: $(ANSWER)
gates-where: ; @echo $(GATES)

FLAT := proc; flatten; memory -nordff; memory_map; opt_expr; opt_clean; async2sync; dffunmap; opt_expr; techmap; opt_expr; opt_clean
LIMIT := timeout $(GATE_SECONDS)

$(ANSWER): $(DIR)/netlist.v $(FILES_V) $(FAMILY_V) tb/ladder/gates.mk tb/ladder/function.mk
	@mkdir -p $(GATES) build/gates && rm -f $(GATES)/*
	@started=$$SECONDS; word=error; by=cec; \
	printf '%s\n' "$(READ_YS); rename -top $(NAME); proc; flatten; memory_collect; memory_map; opt_clean; dffunmap; simplemap; opt_clean -purge; write_verilog -noattr $(GATES)/rtl.v; design -reset; read_verilog $(GATES)/rtl.v; proc; $(TO_FUNCTION); write_aiger -symbols $(GATES)/rtl.aig" | $(LIMIT) $(YOSYS) -l $(GATES)/rtl.log >/dev/null 2>&1; \
	printf '%s\n' "read_verilog $<; hierarchy -top $(NAME); proc; $(TO_FUNCTION); write_aiger -symbols $(GATES)/netlist.aig" | $(LIMIT) $(YOSYS) -l $(GATES)/netlist.log >/dev/null 2>&1; \
	$(LIMIT) yosys-abc -c "cec $(GATES)/rtl.aig $(GATES)/netlist.aig" >$(GATES)/cec.log 2>&1; code=$$?; \
	if grep -q 'Networks are equivalent' $(GATES)/cec.log; then word=proven; \
	elif [ $$code = 124 ]; then word=timeout; \
	else by=equiv; printf '%s\n' "$(READ_YS); rename -top gold; $(FLAT); design -stash gold; \
	    read_verilog $<; rename -top gate; $(FLAT); design -stash gate; \
	    design -copy-from gold -as gold gold; design -copy-from gate -as gate gate; \
	    equiv_make gold gate both; hierarchy -top both; opt_clean; equiv_simple; equiv_induct -seq 2; \
	    equiv_status -assert" | $(LIMIT) $(YOSYS) -l $(GATES)/equiv.log >/dev/null 2>&1; \
	    case $$? in 0) word=proven;; 124) word=timeout;; *) grep -q 'unproven .equiv cells in' $(GATES)/equiv.log && word=unproven;; esac; \
	fi; \
	printf '{"unit": "%s", "point": "%s", "result": "%s", "by": "%s", "seconds": %d}\n' $(NAME) '$(GATE_SET)' $$word $$by $$((SECONDS - started)) > $@
