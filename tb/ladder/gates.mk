# gates.mk - is the netlist that simulations run the same machine as the RTL?
#   make -f tb/ladder/gates.mk UNIT=family/unit [SET="K=V K=V"] [GATE_SECONDS=300] gates
#
# Leaves build/gates/<unit>@<K=V,K=V>.json (result: proven, unproven, timeout or error; seconds), and in
# build/units/<unit>/<K-V_K-V>/gates/equiv.log what Yosys says: which register or output is unproven.
# Registers of both are matched by name; every output and every next state is then proven
# equal for all inputs and all states, or by induction over steps.  Not knowing the C model.
include tb/variant.mk

GATES := $(DIR)/gates
GATE_SECONDS ?= 300
comma := ,
SHELL := /bin/bash

.PHONY: gates gates-where
ANSWER := build/gates/$(NAME)@$(or $(subst $(space),$(comma),$(SET)),-).json
gates: $(ANSWER)
gates-where: ; @echo $(GATES)

FLAT := proc; flatten; memory -nordff; memory_map; opt_expr; opt_clean; async2sync; dffunmap; opt_expr; techmap; opt_expr; opt_clean

$(ANSWER): $(DIR)/netlist.v $(FILES_V) $(FAMILY_V) tb/ladder/gates.mk
	@mkdir -p $(GATES) build/gates
	@started=$$SECONDS; timeout $(GATE_SECONDS) yosys -q -l $(GATES)/equiv.log -p "$(READ_YS); rename -top gold; $(FLAT); design -stash gold; \
	    read_verilog $<; rename -top gate; $(FLAT); design -stash gate; \
	    design -copy-from gold -as gold gold; design -copy-from gate -as gate gate; \
	    equiv_make gold gate both; hierarchy -top both; opt_clean; equiv_simple; equiv_induct -seq 2; \
	    tee -o $(GATES)/status equiv_status -assert" >/dev/null 2>&1; code=$$?; \
	case $$code in 0) word=proven;; 124) word=timeout;; *) word=error; grep -q "unproven .equiv cells in" $(GATES)/equiv.log && word=unproven;; esac; \
	echo "{\"unit\": \"$(NAME)\", \"point\": \"$(or $(subst $(space),$(comma),$(SET)),-)\", \"result\": \"$$word\", \"seconds\": $$((SECONDS - started))}" > $@
