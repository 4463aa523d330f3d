# ladder.mk - the part of the top Makefile that climbs the upper rungs of the ladder of
# equivalence: mutants and coverage of one unit.
LADDER      := $(BUILD)/ladder
LADDER_OBJ  := $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard tb/ladder/*.c))
-include $(LADDER_OBJ:.o=.d)

.PHONY: mutate
mutate: setup            ## UNIT=fup20 [COUNT=200] [PARAM=K=V,K=V]: does a unit's test notice a changed RTL?
	@$(MAKE) --no-print-directory $(PARALLEL) $(LADDER)
	@$(LADDER) mutate $(UNIT) $(if $(COUNT),--count $(COUNT)) $(if $(PARAM),--param $(PARAM)) $(if $(STEPS),--steps $(STEPS))

$(LADDER): $(LADDER_OBJ) $(LIBRARY)
	@echo "  LINK    $@" && $(CC) -o $@ $(LADDER_OBJ) $(LIBRARY) $(LDLIBS)

.PHONY: coverage
coverage: setup          ## UNIT=fup20: lines, toggles and bins that its tests never reach
	@$(MAKE) --no-print-directory $(PARALLEL) $(LADDER)
	@$(LADDER) coverage $(UNIT) $(if $(STEPS),--steps $(STEPS))
