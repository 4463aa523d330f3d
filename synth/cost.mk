# cost.mk - the part of the top Makefile that makes the cost report.
#
# Every unit is measured by a job of its own, several at once, when its sources are newer; the
# report then finds all results made.  BAND=1: with the band of each unit (six mappings more).
COST_REPORT := $(BUILD)/cost/report
COST_CORES  ?= $(shell nproc)
# The units that take longest begin first.
COST_LONG   := caps/caps_top caps/pas_sched rdu/rdu
COST_UNITS  := $(addprefix $(BUILD)/cost/done/,$(COST_LONG) $(filter-out $(COST_LONG),$(shell printf '%s\n' $(UNITS) | tac)))

# Small ones of each family, or at small parameters: placement of a thousand cells takes minutes.
PLACED := dacache/dac_track index/pli adi/flush_ctrl oaws/oaws_epoch index/fup28 dacache/dac_gauge \
    adi/adi_idx_mux gtsc/gtsc_reset_ctl iacm/idle_mon graph/flex_sdm sharing/sa_l2_victim spref/spref_dist \
    sched/age_rank@WARPS=8 rdu/rdu_signature@M=64,WORD=64 caps/pas_sched@WARPS=8,RQ=2 blpp/blpp_alloc \
    index/icm_monitor sharing/sa_cta_sched@NSM=2,CTAW=7

# What meets its clock in several cycles, and can be had in the document's one; as family/unit, since rdu is
# a family, too.
CLOCKED := $(patsubst cmodel/units/%/,%,$(dir $(shell grep -l '^PARAM.ONE_CYCLE,' cmodel/units/*/*/*.ports.h)))
CLOCKED := $(filter $(COST_LONG),$(CLOCKED)) $(filter-out $(COST_LONG),$(CLOCKED))

.PHONY: cost cost-units clocked placement calibration
cost: setup              ## every claim of the documents, recomputed and measured
	@$(MAKE) --no-print-directory $(WARPLOCK)
	@$(MAKE) --no-print-directory -k -j$(COST_CORES) cost-units || true
	@mkdir -p $(BUILD)/cost
	@$(WARPLOCK) cost all --liberty all --forms $(if $(BAND),--band) --html $(COST_REPORT).html --json $(COST_REPORT).json > $(COST_REPORT).txt; \
	    status=$$?; tail -n 3 $(COST_REPORT).txt; echo "$(COST_REPORT).html and .txt, .json"; exit $$status

clocked: setup           ## restructured units: area, path, slack, cycles, verdicts, before and after
	@$(MAKE) --no-print-directory $(WARPLOCK)
	@printf '%s\n' $(CLOCKED) | xargs -P $(COST_CORES) -I{} sh -c 'echo "  COST    {}"; nice $(WARPLOCK) cost {} --forms >/dev/null 2>&1'; true
	@nice $(WARPLOCK) cost $(CLOCKED) --forms | sed -n '/^Restructured units/,/^verdicts that/p'

placement: setup         ## what placement and wires add to area and path (qflow): synth/data/placement.csv
	@synth/scripts/place.sh $(PLACED) > $(BUILD)/placement.csv && mv $(BUILD)/placement.csv synth/data/placement.csv

calibration: setup       ## paths and areas in warplock45 beside those in a production 45 nm library
	@$(MAKE) --no-print-directory $(WARPLOCK)
	@synth/scripts/calibration.sh

cost-units: $(COST_UNITS)
.SECONDEXPANSION:
$(COST_UNITS): $(BUILD)/cost/done/%: rtl/%.v $$(wildcard cmodel/units/%/*.ports.h) $$(wildcard rtl/common/*.v rtl/$$(dir $$*)*.v) synth/map.mk synth/data/libraries.csv
	@mkdir -p $(dir $@)
	@echo "  COST    $*" && nice $(WARPLOCK) cost $* --liberty all > $@.txt
	@touch $@
