# cost.mk - the part of the top Makefile that makes the cost report.
#
# Every unit is measured by a job of its own, several at once, when its sources are newer; the
# report then finds all results made.
COST_REPORT := $(BUILD)/cost/report
COST_CORES  ?= $(shell nproc)
# The units that take longest begin first.
COST_LONG   := caps/caps_top caps/pas_sched rdu/rdu
COST_UNITS  := $(addprefix $(BUILD)/cost/done/,$(COST_LONG) $(filter-out $(COST_LONG),$(shell printf '%s\n' $(UNITS) | tac)))

.PHONY: cost cost-units
cost: setup              ## every claim of the documents, recomputed and measured
	@$(MAKE) --no-print-directory $(WARPLOCK)
	@$(MAKE) --no-print-directory -k -j$(COST_CORES) cost-units || true
	@mkdir -p $(BUILD)/cost
	@$(WARPLOCK) cost all --liberty all --html $(COST_REPORT).html --json $(COST_REPORT).json > $(COST_REPORT).txt; \
	    status=$$?; tail -n 3 $(COST_REPORT).txt; echo "$(COST_REPORT).html and .txt, .json"; exit $$status

cost-units: $(COST_UNITS)
.SECONDEXPANSION:
$(COST_UNITS): $(BUILD)/cost/done/%: rtl/%.v $$(wildcard cmodel/units/%/*.ports.h) $$(wildcard rtl/common/*.v rtl/$$(dir $$*)*.v) synth/map.mk synth/data/libraries.csv
	@mkdir -p $(dir $@)
	@echo "  COST    $*" && nice $(WARPLOCK) cost $* --liberty all > $@.txt
	@touch $@
