# Warplock.  `make help` lists the targets; `make setup` installs what they need.
SHELL    := /bin/bash
BUILD    := build
CC       ?= gcc
WARPLOCK := $(BUILD)/warplock
PARTS    ?= base machine ptx sass mechanisms workloads litmus experiments sweep cuda
include tb/verilator.mk
export VERILATOR_SHARE VERILATOR
FST      := $(VERILATOR_SHARE)/include/gtkwave
# Position-independent, since the objects are also part of libcudart.so; all functions stay visible, since
# the mechanisms of a user's project find them in the program.
CFLAGS   := -std=c17 -O2 -g -fPIC -fno-semantic-interposition -Wall -Wextra -Wconversion -Werror $(if $(findstring clang,$(CC)),,-Wno-format-truncation)
CPPFLAGS := -D_GNU_SOURCE -Icmodel -I. -I$(FST)
LDLIBS   := -ljansson -linih -larchive -lz -lzstd -lcsv -lmuparser -lnettle -lsqlite3 -ldl -lpthread -lm -Wl,--as-needed,-lstdc++,--no-as-needed

SOURCES  := $(wildcard tb/*.c) $(wildcard cmodel/cli/*.c) \
            $(foreach p,$(PARTS),$(wildcard cmodel/$(p)/*.c cmodel/$(p)/*/*.c))
SOURCES  += $(wildcard synth/cost_*.c)
# Not in the library: a program of its own, and what becomes part of units.
TOOLS    := tb/portcheck.c tb/cxxrtl_binding.c tb/no_model.c
OBJECTS  := $(patsubst %.c,$(BUILD)/obj/%.o,$(filter-out $(TOOLS),$(SOURCES)))
LIBRARY  := $(BUILD)/libwarplock.a
MAIN     := $(BUILD)/obj/cmodel/cli/main.o
PROTOCOL := $(BUILD)/protocol/gtsc_random
LOOPS    := $(BUILD)/tests/spref_loops
TESTS    := $(patsubst tests/unit/%.c,$(BUILD)/tests/%,$(wildcard tests/unit/test_*.c))

# Every unit at its standard parameters (UNITS), and at every listed point (POINTS,
# as unit@K=V,K=V).
UNITS    := $(shell tb/rows.sh units)
POINTS   := $(shell set -o pipefail; tb/rows.sh set | tr ' ' @)
$(if $(filter-out 0,$(.SHELLSTATUS)),$(error the rows of the units cannot be read))

# The commands below build with every core unless -j was given.
PARALLEL  = $(if $(findstring j,$(filter-out --%,$(MAKEFLAGS))),,-j$(shell nproc))


.PHONY: all help setup run test docs waves agreement netlists goldens translators prove properties bench soak values loops kills lockstep reproduction units points clean
.DEFAULT_GOAL := all

all: $(WARPLOCK) cuda units   ## build the command, the CUDA runtime and every unit at its standard parameters

help:                    ## list the targets
	@awk -F '##' '/^[a-z-]+:.*##/ {split($$1, t, ":"); printf "  make %-10s %s\n", t[1], $$2}' $(filter-out %.d,$(MAKEFILE_LIST))

setup:                   ## install the Debian packages that are missing
	@tb/setup.sh

run: setup               ## the main job: BFS and ATAX on a Fermi-like machine, C and RTL in lockstep
	@$(MAKE) --no-print-directory $(PARALLEL) all
	@for workload in bfs atax; do \
	    echo; echo "== $$workload, 15 SMs, full-permutation indexing in front of every L1D, C and RTL in lockstep"; \
	    $(WARPLOCK) run -w $$workload --size small -c fermi15 -m fup20 -b fup20=lockstep \
	        --json $(BUILD)/$$workload.json || exit; \
	    echo "statistics     $(BUILD)/$$workload.json"; \
	done
	@echo; $(WARPLOCK) concentration

test: setup              ## everything that can be checked, ending in a count
	@$(MAKE) --no-print-directory $(PARALLEL) all points $(TESTS) $(PROTOCOL) $(LOOPS) $(LADDER) $(PLAIN)
	@tests/run.sh

docs: setup              ## what docs/ has from elsewhere: its picture, which vector holds which section, the reference
	@dot -Tsvg docs/architecture.dot -o docs/architecture.svg
	@perl tests/vectors.pl $(wildcard cmodel/units/*/*/*.vec) >docs/vectors.md
	@perl tests/reference.pl >docs/reference.md

waves: setup             ## UNIT=fup20: record a unit's worked example and open GTKWave; without UNIT: pictures of all
	@$(MAKE) --no-print-directory $(PARALLEL) $(WARPLOCK) UNIT=
	@waves/waves.sh show $(UNIT)

agreement: setup         ## cycles and counters against another simulator's figures: MACHINE=qv100, CASE="alu_chain ..."
	@$(MAKE) --no-print-directory $(PARALLEL) $(WARPLOCK) UNIT=
	@status=0; for machine in $(or $(MACHINE),gtx480 qv100); do \
	    page=$(BUILD)/agreement/$$machine-trace; \
	    tests/agreement/agreement.py --machine $$machine $(CASE) --csv $$page.csv || status=1; \
	    tests/agreement/page.py $$page.csv $$page.html && echo "page: $$page.html" || status=1; \
	    echo; \
	done; exit $$status

netlists: setup          ## every unit's synthesized netlist against its C model (an hour)
	@$(MAKE) --no-print-directory $(PARALLEL) all
	@for unit in $(notdir $(UNITS)); do $(WARPLOCK) check $$unit --backend c+netlist --steps 20000 || exit; done

goldens: setup           ## every unit's C model against its reference in Python, STEPS=1000000 (an hour)
	@$(MAKE) --no-print-directory $(PARALLEL) all
	@tests/golden.sh $(or $(STEPS),1000000)

translators: setup       ## every unit's C model against the RTL in Yosys' own simulator, STEPS=1000000
	@$(MAKE) --no-print-directory $(PARALLEL) all
	@tests/translators.sh $(or $(STEPS),1000000)

prove: setup             ## C model = RTL for all inputs and states, by CBMC: UNIT=fup20, or all
	@tb/prove/prove.sh $(UNIT)

properties: setup        ## the assertions about the RTL, for runs of any length: UNIT=fup20, or all
	@tb/prove/properties.sh $(UNIT)

bench: setup             ## speed, two things compared in one run: SECTION=mechanisms, or all
	@$(MAKE) --no-print-directory $(PARALLEL) all
	@tests/bench/bench.sh $(SECTION)

soak: setup              ## 10^8 random lockstep steps a unit, resumable: UNIT="dac_stack ..." STEPS=100000000
	@$(MAKE) --no-print-directory $(PARALLEL) all points
	@tests/soak.sh $(or $(STEPS),100000000) $(UNIT)

values: setup            ## 10^8 random accesses under each policy of inclusion, bypass and granularity, each value checked (an hour): OPERATIONS=100000000
	@$(MAKE) --no-print-directory $(PARALLEL) $(BUILD)/tests/test_hier_values UNIT=
	@HIER_OPERATIONS=$(or $(OPERATIONS),100000000) $(BUILD)/tests/test_hier_values

loops: setup             ## random loops in PTX with SPREF and without, from number FIRST on (ten minutes): KERNELS=100000 FIRST=0
	@$(MAKE) --no-print-directory $(PARALLEL) $(LOOPS) UNIT=
	@tests/spref/fuzz.py $(LOOPS) $(or $(FIRST),0) $(or $(KERNELS),100000)

kills: setup             ## a sweep whose collector and workers are killed at random: KILLS=50
	@$(MAKE) --no-print-directory $(PARALLEL) $(WARPLOCK) UNIT=
	@tests/sweep_kill.sh $(or $(KILLS),50)

reproduction: setup      ## every result of every document, run anew, into docs/reproduction.json and .md (days of one core, as the page says; resumable): JOBS=2
	@$(MAKE) --no-print-directory $(PARALLEL) $(WARPLOCK) UNIT=
	@$(WARPLOCK) sweep --all -d $(BUILD)/reproduction.db $(if $(JOBS),--jobs $(JOBS))
	@$(WARPLOCK) status -d $(BUILD)/reproduction.db | grep '^all '
	@$(WARPLOCK) scoreboard --json -d $(BUILD)/reproduction.db >docs/reproduction.json
	@$(WARPLOCK) scoreboard -e docs/reproduction.json >docs/reproduction.md && sed -n '/^| document/,/^| \*\*all/p' docs/reproduction.md

lockstep: setup          ## every workload with the units of IACM, BLPP and race detection in lockstep, graphs with SPREF's (twenty minutes)
	@$(MAKE) --no-print-directory $(PARALLEL) $(WARPLOCK) UNIT=
	@tests/iacm_lockstep.sh
	@tests/drd_lockstep.sh
	@tests/spref_lockstep.sh

units: $(addprefix unit/,$(UNITS))     ## build every unit at its standard parameters
points: $(addprefix point/,$(POINTS))  ## build every unit at every listed parameter set

# What all models share comes first, since sub-makes do not know of each other.
RUNTIME := $(BUILD)/verilated/libverilated.a $(BUILD)/verilated/model.h.gch

# A sub-make per unit and point: it knows the unit's files.  Netlists are built when
# first asked for.
.PHONY: $(addprefix unit/,$(UNITS)) $(addprefix point/,$(POINTS))
$(addprefix unit/,$(UNITS)): unit/%: $(BUILD)/tools/portcheck $(RUNTIME)
	@$(MAKE) -s -f tb/variant.mk compared UNIT=$*
comma := ,
empty :=
space := $(empty) $(empty)
$(addprefix point/,$(POINTS)): point/%: $(BUILD)/tools/portcheck $(RUNTIME)
	@$(MAKE) -s -f tb/variant.mk compared UNIT=$(firstword $(subst @, ,$*)) SET="$(subst $(comma),$(space),$(lastword $(subst @, ,$*)))"

$(RUNTIME) &:
	@echo "  RUNTIME verilator" && $(MAKE) -s -f tb/variant.mk UNIT=index/fup20 $(RUNTIME)

# Before anything else it looks whether this computer is one that it was compiled for.
$(MAIN): CPPFLAGS += $(if $(filter -march=x86-64-v3,$(TARGET)),-DNEEDS_AVX2)
$(MAIN): tb/compiler.mk
$(WARPLOCK): $(MAIN) $(LIBRARY)
	@echo "  LINK    $@" && $(CC) -rdynamic -o $@ $(MAIN) $(LIBRARY) $(LDLIBS)

# Files that are part of the program, under names made from their paths (_binary_..._start).
EMBEDDED    := $(BUILD)/obj/cmodel/base/page.html.o $(BUILD)/obj/cmodel/sweep/report.js.o \
               $(BUILD)/obj/$(BUILD)/report/vega.js.o $(BUILD)/obj/cmodel/sass/opcodes.csv.o \
               $(BUILD)/obj/$(BUILD)/run_code.txt.o
FST_OBJECTS := $(addprefix $(BUILD)/obj/fst/,fstapi.o lz4.o fastlz.o)
include cmodel/hot.mk
$(LIBRARY): $(HOT) $(filter-out $(MAIN) $(HOT_OBJECTS),$(OBJECTS)) $(EMBEDDED) $(FST_OBJECTS)
	@rm -f $@ && ar rcs $@ $^

# What the objects were compiled with; compiled anew when that changes.
$(BUILD)/cold.how: asked
	@mkdir -p $(@D) && echo "$(CC) $(CFLAGS)" | cmp -s - $@ || echo "$(CC) $(CFLAGS)" >$@

$(BUILD)/obj/%.o: %.c $(BUILD)/cold.how
	@mkdir -p $(dir $@)
	@echo "  CC      $<" && $(CC) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c -o $@ $<

$(EMBEDDED): $(BUILD)/obj/%.o: %
	@mkdir -p $(dir $@)
	@ld -r -b binary -z noexecstack -o $@ $<

# A hash of all sources that a run's result depends on, kernels and units apart, which a tree has as
# files: it tells whether the same program ran a sweep's point (cmodel/cli/sweep_world.c), whoever
# built it.  No other command is part of a run, nor are sweeps and what reads their results
# (tests/run_code.sh); run_code.sums has each file's own.
RUN_CODE := $(sort $(wildcard $(foreach p,base machine ptx sass isa mechanisms workloads,cmodel/$(p)/*.[ch] cmodel/$(p)/*/*.[ch]) \
            cmodel/cli/run_*.[ch] cmodel/cli/machine.[ch] cmodel/cli/options.[ch] cmodel/cli/trace_options.[ch] tb/*.[ch])) \
            cmodel/cli/cmd_run.c cmodel/cli/commands.h cmodel/sass/opcodes.csv cmodel/hot.mk tb/compiler.mk
$(BUILD)/run_code.txt: asked
	@mkdir -p $(@D) && sha256sum $(RUN_CODE) >$(@D)/run_code.sums && \
	    sha256sum <$(@D)/run_code.sums | head -c 64 >$@.$$$$ && printf '\0' >>$@.$$$$ && \
	    { cmp -s $@.$$$$ $@ && rm $@.$$$$ || mv $@.$$$$ $@; }

# The report's plotting library, from npm.
$(BUILD)/report/vega.js: cmodel/sweep/report_library.sh
	@$< $@

# GTKWave's FST writer as Verilator ships it: others' code, its warnings left alone.
$(FST_OBJECTS): $(BUILD)/obj/fst/%.o: $(FST)/%.c $(BUILD)/cold.how
	@mkdir -p $(dir $@)
	@$(CC) -O2 -fPIC -w -DFST_CONFIG_INCLUDE='"fst_config.h"' -I$(FST) -c -o $@ $<

$(BUILD)/tools/portcheck: $(BUILD)/obj/tb/portcheck.o $(BUILD)/obj/tb/timing.o
	@mkdir -p $(dir $@)
	@$(CC) -o $@ $^ -ljansson -ldl

# Some look into headers of units, which the library's objects do not depend on.
-include $(wildcard $(BUILD)/obj/tests/*.d)
$(BUILD)/tests/%: tests/unit/%.c $(LIBRARY) $(wildcard tests/unit/*.h)
	@mkdir -p $(dir $@) $(BUILD)/obj/tests
	@echo "  TEST    $<" && $(CC) $(CPPFLAGS) $(CFLAGS) -Itests -MMD -MP -MF $(BUILD)/obj/tests/$*.d -MT $@ -o $@ $< $(LIBRARY) -lcmocka $(LDLIBS)

# A component of the machine by itself: linked with what it may know, and nothing else.
COMPONENT_base := cmodel/machine/config/config.c cmodel/machine/config/ini_text.c
COMPONENT_noc  := $(wildcard cmodel/machine/noc/network*.c) cmodel/machine/noc/ring.c
COMPONENT_dram := $(wildcard cmodel/machine/memory/dram*.c)
COMPONENT_l2   := $(wildcard cmodel/machine/l2/*.c cmodel/machine/cache/*.c) cmodel/machine/memory/memory.c \
                  cmodel/machine/noc/ring.c cmodel/machine/noc/message.c cmodel/machine/plug/sockets_base.c
COMPONENT_hostmem := $(wildcard cmodel/machine/cache/*.c) cmodel/machine/memory/hostmem.c cmodel/machine/memory/memory.c \
                  cmodel/machine/memory/pages.c cmodel/machine/l2/perform.c cmodel/machine/l2/atomic.c \
                  cmodel/machine/noc/ring.c cmodel/machine/noc/message.c
$(foreach c,noc dram l2 hostmem,$(eval $(BUILD)/tests/test_component_$c: $(COMPONENT_$c)))
$(BUILD)/tests/test_component_%: tests/unit/test_component_%.c $(COMPONENT_base) $(wildcard cmodel/base/*.h cmodel/machine/*/*.h)
	@mkdir -p $(dir $@)
	@echo "  TEST    $<" && $(CC) $(CPPFLAGS) $(CFLAGS) -o $@ $(filter %.c,$^) -lcmocka -ljansson -linih -lm

# Random protocol tester of the G-TSC units.
$(PROTOCOL): $(wildcard tests/protocol/*.c tests/protocol/*.h) $(LIBRARY)
	@mkdir -p $(dir $@)
	@echo "  TESTER  $@" && $(CC) $(CPPFLAGS) $(CFLAGS) -o $@ $(filter %.c %.a,$^) $(LDLIBS)

# Random loops of SPREF.
$(LOOPS): $(wildcard tests/spref/*.c tests/spref/*.h) $(LIBRARY)
	@mkdir -p $(dir $@)
	@echo "  TESTER  $@" && $(CC) $(CPPFLAGS) $(CFLAGS) -Itests -o $@ $(filter %.c %.a,$^) $(LDLIBS)

# libFuzzer over every reader of foreign text, under ASan and UBSan.
FUZZERS   := $(patsubst tests/fuzz/fuzz_%.c,%,$(wildcard tests/fuzz/fuzz_*.c))
FUZZ      ?= $(FUZZERS)
RUNS      ?= 10000000
FUZZ_SAN  := -fsanitize=address,undefined -fno-sanitize-recover=undefined
FUZZ_PART := $(patsubst %.c,$(BUILD)/fuzz/obj/%.o,$(filter cmodel/machine/% cmodel/ptx/% cmodel/sass/% cmodel/workloads/% cmodel/experiments/% cmodel/base/digest.c cmodel/cuda/fatbin.c cmodel/cuda/cubin.c,$(SOURCES)) $(wildcard tb/sequence*.c))
.PHONY: fuzz
fuzz: setup              ## fuzz the parsers: FUZZ="ptx config ..." RUNS=10000000; or a unit: UNIT=fup20 TIME=60
ifdef UNIT
	@$(MAKE) --no-print-directory $(WARPLOCK) UNIT=
	@tb/ladder/fuzz.sh $(UNIT) $(or $(TIME),60)
else
	@$(MAKE) --no-print-directory $(PARALLEL) $(addprefix $(BUILD)/fuzz/,$(FUZZ))
	@tests/fuzz.sh $(RUNS) $(FUZZ)
endif
$(BUILD)/fuzz/obj/%.o: %.c
	@mkdir -p $(dir $@)
	@clang $(CPPFLAGS) -std=c17 -O1 -g -w -MMD -MP -fsanitize=fuzzer-no-link $(FUZZ_SAN) -c -o $@ $<
$(BUILD)/fuzz/parts.a: $(FUZZ_PART) $(EMBEDDED)
	@rm -f $@ && ar rcs $@ $^
$(addprefix $(BUILD)/fuzz/,$(FUZZERS)): $(BUILD)/fuzz/%: tests/fuzz/fuzz_%.c $(BUILD)/fuzz/parts.a $(BUILD)/obj/fst/lz4.o
	@echo "  FUZZER  $<" && clang $(CPPFLAGS) -std=c17 -O1 -g -w -fsanitize=fuzzer $(FUZZ_SAN) -o $@ $< $(BUILD)/fuzz/parts.a $(BUILD)/obj/fst/lz4.o $(LDLIBS)

clean:                   ## remove everything that was built
	rm -rf $(BUILD)

-include $(OBJECTS:.o=.d) $(BUILD)/obj/tb/portcheck.d $(FUZZ_PART:.o=.d)

# Last: the second needs second expansion.
include tb/ladder/ladder.mk
include cmodel/cuda/cuda.mk
include synth/cost.mk
include tb/api/library.mk
include tb/install.mk
