# ladder.mk - the part of the top Makefile that climbs the upper rungs of the ladder of
# equivalence: mutants and coverage of one unit, and the whole of it for all.
LADDER      := $(BUILD)/ladder
LADDER_OBJ  := $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard tb/ladder/*.c))
-include $(LADDER_OBJ:.o=.d)

.PHONY: mutate
mutate: setup            ## UNIT=fup20 [COUNT=200] [PARAM=K=V,K=V]: does a unit's test notice a changed RTL?
	@$(MAKE) --no-print-directory $(PARALLEL) $(LADDER)
	@$(LADDER) mutate $(UNIT) $(if $(COUNT),--count $(COUNT)) $(addprefix --param ,$(or $(PARAM),$(call equiv_point,mutate,$(UNIT)))) $(addprefix --steps ,$(or $(STEPS),$(call equiv_steps,mutate,$(UNIT))))

$(LADDER): $(LADDER_OBJ) $(LIBRARY)
	@echo "  LINK    $@" && $(CC) -o $@ $(LADDER_OBJ) $(LIBRARY) $(LDLIBS)

.PHONY: coverage
coverage: setup          ## UNIT=fup20: lines, toggles and bins that its tests never reach
	@$(MAKE) --no-print-directory $(PARALLEL) $(LADDER)
	@$(LADDER) coverage $(UNIT) $(if $(STEPS),--steps $(STEPS))

# The whole ladder.  A rung of a unit is run again when the contents of what its result depends
# on (inputs.sh) have changed since it ran, so an interrupted run goes on where it was.  A rung
# that found something has run, too: the report says what.  A stamp holds the seconds that it took.
# SHORT=1: a few steps and mutants, for tests.
EQUIV       := $(BUILD)/equiv/$(if $(SHORT),short,done)
EQUIV_RUNGS := check coverage gates mutate prove $(if $(SHORT),,fuzz)
EQUIV_UNITS := $(if $(UNIT),$(filter $(addprefix %/,$(UNIT)),$(UNITS)),$(UNITS))
EQUIV_STEPS := $(if $(SHORT),20000,1000000)
# What the unit's row of a rung says, for units too large at their standard: K=V,K=V and steps.
equiv_point = $(filter-out -,$(word 2,$(shell tb/rows.sh $(1) $(2))))
equiv_steps = $(word 3,$(shell tb/rows.sh $(1) $(2)))
# Status 1, a difference or too few kills, is an outcome too.  A short result takes the place of
# a full one, which is then no longer there.
equiv_stamp = status=$$?; if [ $$status -le 1 ]; then $(equiv_done); else echo "  no result for $(*F), status $$status: $@"; exit 1; fi
equiv_done  = mkdir -p $(@D) && echo $$SECONDS >$@$(if $(SHORT), && rm -f $(subst /short/,/done/,$@))

.PHONY: equiv equiv-rungs
equiv: setup             ## the ladder of equivalence, every unit and rung; UNIT="fup20 ..." SHORT=1
	@$(MAKE) --no-print-directory $(PARALLEL) $(WARPLOCK) $(LADDER) UNIT=
	@$(MAKE) --no-print-directory $(PARALLEL) -k equiv-rungs 2>&1 | grep --line-buffered -v '^make'; status=$${PIPESTATUS[0]}; \
	$(LADDER) report $(UNIT) && exit $$status

# The simulator's runs first: they are one job, and the longest.
equiv-rungs: $(if $(SHORT)$(UNIT),,$(EQUIV)/system) $(foreach rung,$(EQUIV_RUNGS),$(addprefix $(EQUIV)/$(rung)/,$(EQUIV_UNITS)))

# The hash of each rung and unit: a file that changes when that does.
.PHONY: equiv-inputs
equiv-inputs:
	@tb/ladder/inputs.sh --write $(BUILD)/equiv/inputs
$(foreach rung,$(EQUIV_RUNGS) system,$(addprefix $(BUILD)/equiv/inputs/$(rung)/,$(UNITS))): equiv-inputs
	@:

$(addprefix $(EQUIV)/check/,$(UNITS)): $(EQUIV)/check/%: $(BUILD)/equiv/inputs/check/%
	@mkdir -p $(BUILD)/check; echo "  CHECK    $(*F)"; \
	$(WARPLOCK) check $(*F) --json --steps $(EQUIV_STEPS) >$(BUILD)/check/$(*F).new; status=$$?; \
	jq --arg inputs "$$(cat $<)" '.inputs = $$inputs' $(BUILD)/check/$(*F).new >$(BUILD)/check/$(*F).json; (exit $$status); $(equiv_stamp)

$(addprefix $(EQUIV)/coverage/,$(UNITS)): $(EQUIV)/coverage/%: $(BUILD)/equiv/inputs/coverage/%
	@mkdir -p $(BUILD)/coverage; echo "  COVERAGE $(*F)"; \
	$(LADDER) coverage $(*F) $(if $(SHORT),--standard --steps 20000) >$(BUILD)/coverage/$(*F).txt 2>/dev/null; $(equiv_stamp)

$(addprefix $(EQUIV)/mutate/,$(UNITS)): $(EQUIV)/mutate/%: $(BUILD)/equiv/inputs/mutate/%
	@mkdir -p $(BUILD)/mutate; echo "  MUTATE   $(*F)"; rm -f $(BUILD)/mutate/$(*F).json $(BUILD)/mutate/$(*F)@*.json; \
	$(LADDER) mutate $(*F) --jobs 1 $(addprefix --param ,$(call equiv_point,mutate,$(*F))) \
	    $(if $(SHORT),--count 40 --steps 40000 --proof 5,$(addprefix --steps ,$(call equiv_steps,mutate,$(*F)))) >$(BUILD)/mutate/$(*F).txt 2>/dev/null; $(equiv_stamp)

$(addprefix $(EQUIV)/gates/,$(UNITS)): $(EQUIV)/gates/%: $(BUILD)/equiv/inputs/gates/%
	@echo "  GATES    $(*F)"; mkdir -p $(BUILD)/units; rm -f $(BUILD)/gates/$(*F)@*.json; \
	flock $(BUILD)/units/$(*F).lock $(MAKE) -s -f tb/ladder/gates.mk UNIT=$* SET="$(subst $(comma),$(space),$(call equiv_point,gates,$(*F)))" $(if $(SHORT),GATE_SECONDS=20) gates; $(equiv_stamp)

$(addprefix $(EQUIV)/prove/,$(UNITS)): $(EQUIV)/prove/%: $(BUILD)/equiv/inputs/prove/%
	@[ -n "$$(tb/rows.sh prove $(*F))" ] || exit 0; echo "  PROVE    $(*F)"; \
	tb/prove/prove.sh $(*F) >/dev/null 2>&1; status=$$?; [ $$status -le 1 ] || [ $$status = 5 ] && $(equiv_done)

$(addprefix $(EQUIV)/fuzz/,$(UNITS)): $(EQUIV)/fuzz/%: $(BUILD)/equiv/inputs/fuzz/%
	@echo "  FUZZ     $(*F)"; mkdir -p $(BUILD)/equiv; tb/ladder/fuzz.sh $(*F) 20 >$(BUILD)/equiv/fuzz-$(*F).txt 2>&1; $(equiv_stamp)

$(EQUIV)/system: $(addprefix $(BUILD)/equiv/inputs/system/,$(UNITS))
	@echo "  SYSTEM   every system row of the units"; mkdir -p $(@D); \
	tb/ladder/system.sh >$(BUILD)/equiv/system.txt 2>&1; $(equiv_stamp)
