# fuzz.mk - libFuzzer over one unit's C model and Verilated RTL:
#   make -f tb/ladder/fuzz.mk UNIT=family/unit [SET="K=V K=V"] fuzz
#
# Leaves build/units/<unit>/<K-V_K-V>/fuzz/fuzzer.  Everything is clang's, with counters on
# every branch of model, stimulus and RTL; the harness has none.
include tb/variant.mk

FUZZ       := $(DIR)/fuzz
COUNTERS   := -fsanitize=fuzzer-no-link
CLANG_C    := $(filter-out -Werror -Wall -Wextra -Wconversion,$(C_FLAGS)) -O1 -w -D_GNU_SOURCE
CLANG_CXX  := $(filter-out -fno-gnu-unique,$(CXX_FLAGS)) -w
HARNESS    := $(wildcard tb/ladder/fuzz/*.c) tb/lockstep.c tb/past.c $(wildcard tb/sequence*.c)
HARNESS_O  := $(patsubst %.c,build/fuzz/harness/%.o,$(HARNESS))

.PHONY: fuzz fuzz-where
fuzz: $(FUZZ)/fuzzer
fuzz-where: ; @echo $(FUZZ)

build/fuzz/harness/%.o: %.c $(wildcard tb/*.h tb/ladder/fuzz/*.h cmodel/units/unit.h)
	@mkdir -p $(dir $@)
	@clang $(CLANG_C) -c -o $@ $<

$(FUZZ)/fuzzer: $(FILES_V) $(FAMILY_V) $(MODEL_C) $(STIMULUS) $(SHARED_H) $(DIR)/public.vlt tb/rtl_binding.cpp tb/ladder/fuzz.mk $(HARNESS_O) $(VERILATED) $(CONTRACT)
	@mkdir -p $(FUZZ)
	@clang $(CLANG_C) $(COUNTERS) $(filter-out -DUNIT_TABLE%,$(DEFINES)) -Dunit_backend=unit_backend_c -c -o $(FUZZ)/c.o $(MODEL_C)
	@clang $(CLANG_C) $(COUNTERS) $(filter-out -DUNIT_TABLE%,$(DEFINES)) -c -o $(FUZZ)/stimulus.o $(STIMULUS)
	@rm -rf $(FUZZ)/rtl && $(VERILATE) -Wno-fatal -Wno-lint --prefix F$(NAME) $(SET_V) --Mdir $(FUZZ)/rtl $(DIR)/public.vlt $(BESIDE) $(RTL)
	@$(MAKE) -s -C $(FUZZ)/rtl -f F$(NAME).mk CXX=clang++ CFG_CXXFLAGS_PCH_I=-include CFG_CXXFLAGS_NO_UNUSED=-w OPT_FAST="-O1 $(COUNTERS) -fPIC" OPT_SLOW="-O0 -fPIC" F$(NAME)__ALL.a >/dev/null
	@clang++ $(CLANG_CXX) $(DEFINES) -Dunit_backend=unit_backend_rtl -DUNIT_MODEL=F$(NAME) -DUNIT_FORM='"rtl"' -DUNIT_STATE=1 -I$(FUZZ)/rtl -c -o $(FUZZ)/rtl.o tb/rtl_binding.cpp
	@clang++ -fsanitize=fuzzer -o $@ $(FUZZ)/c.o $(FUZZ)/stimulus.o $(FUZZ)/rtl.o $(HARNESS_O) $(FUZZ)/rtl/F$(NAME)__ALL.a $(VERILATED) -lz -lpthread -lm
