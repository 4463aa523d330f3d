# covered.mk - a unit's RTL that counts the lines it takes and the signals that change:
#   make -f tb/ladder/covered.mk UNIT=family/unit [SET="K=V K=V"] covered
#
# Leaves in build/units/<unit>/<K-V_K-V>/covered/covered.so, a backend whose context names
# the file to add to (tb/ladder/covered.cpp).  Blocks are not split or reordered: Verilator 5.006
# puts the counter of a branch in a part of its own then, and asks the condition again after
# the branch has changed it.  Signals of more than 256 bits have no toggle points (Verilator's
# standard); the bits of ports and state, of any width, are what `warplock check` counts.
include tb/variant.mk

COV := $(DIR)/covered
COVERED_RUNTIME := build/verilated/covered.a
COVERED_FLAGS := $(filter-out -DVM_COVERAGE=0,$(CXX_FLAGS)) -DVM_COVERAGE=1

.PHONY: covered covered-where
covered: $(COV)/covered.so
covered-where: ; @echo $(COV)

$(COV)/covered.so: $(FILES_V) $(FAMILY_V) $(DIR)/public.vlt tb/ladder/covered.cpp tb/rtl_binding.cpp tb/ladder/covered.mk $(COVERED_RUNTIME) $(CONTRACT)
	@mkdir -p $(COV)
	@rm -rf $(COV)/rtl && $(VERILATE) --coverage-line --coverage-toggle -fno-split -fno-reorder -Wno-fatal -Wno-lint --prefix C$(NAME) $(SET_V) --Mdir $(COV)/rtl $(DIR)/public.vlt $(BESIDE) $(RTL)
	@$(MAKE) -s -C $(COV)/rtl -f C$(NAME).mk OPT_FAST="-O1 -fPIC -fvisibility=hidden -fno-gnu-unique" OPT_SLOW="-O0 -fPIC -fvisibility=hidden -fno-gnu-unique" C$(NAME)__ALL.a >/dev/null
	@$(CXX) $(COVERED_FLAGS) $(DEFINES) -DUNIT_MODEL=C$(NAME) -DUNIT_FORM='"covered"' -DUNIT_STATE=1 -I$(COV)/rtl \
	    -shared -o $@ tb/ladder/covered.cpp $(COV)/rtl/C$(NAME)__ALL.a $(COVERED_RUNTIME) -lz -lpthread

# The Verilator runtime with coverage in it.
COVERED_OBJECTS := $(patsubst %,build/verilated/covered/%.o,verilated verilated_threads verilated_cov)
build/verilated/covered/%.o: $(VERILATOR_SHARE)/include/%.cpp
	@mkdir -p $(dir $@)
	@$(CXX) $(COVERED_FLAGS) -c -o $@ $<
$(COVERED_RUNTIME): $(COVERED_OBJECTS)
	@ar rcs $@ $^
