# hot.mk - the part of the top Makefile that compiles what a simulation spends its time in, the
# machine and the kernels it executes (ptx), for speed.
#
# With gcc they are compiled twice.  A first command counts branches over a few short runs;
# then each file is compiled by its counts, and all become one object, optimised across files.
# The counts are taken once: a file changed since, or a header of it, is compiled without, until
# `make retrain`.  Another compiler compiles them once.  It does not know what they do.
# What stands between a workload and the machine is left out: a test puts its own in that place.
COLD        := cmodel/machine/host/host_machine.c cmodel/machine/host/launch_file.c cmodel/ptx/ptx_loader.c cmodel/ptx/reference_host.c
HOT_SOURCES := $(filter-out $(COLD),$(filter cmodel/machine/% cmodel/ptx/%,$(SOURCES)))
HOT_OBJECTS := $(patsubst %.c,$(BUILD)/obj/%.o,$(HOT_SOURCES))
HOT         := $(HOT_OBJECTS)

# Loops unrolled and specialised.  No contraction: a * b + c stays two roundings.
include tb/native.mk
FAST := -O3 $(NATIVE) -ffp-contract=off

$(HOT_OBJECTS): $(BUILD)/obj/%.o: %.c
	@mkdir -p $(@D)
	@$(FORGET_STALE)
	@echo "  CC      $<" && $(CC) $(CPPFLAGS) $(CFLAGS) $(FAST) $(BY_COUNTS) -MMD -MP -c -o $@ $<

.PHONY: hot-warnings
hot-warnings:
	@printf '%s\n' $(HOT_SOURCES) | xargs -P "$$(nproc)" -n 1 $(CC) $(CPPFLAGS) $(CFLAGS) -c -o /dev/null

ifneq ($(and $(filter workloads,$(PARTS)),$(shell $(CC) --version 2>/dev/null | grep 'Free Software Foundation')),)
HOT         := $(BUILD)/obj/hot.o
TRAINING    := $(BUILD)/training
TRAINER     := $(BUILD)/warplock-training
TRAINED     := $(TRAINING)/counts
TRAINER_OBJ := $(patsubst %.c,$(TRAINING)/obj/%.o,$(HOT_SOURCES))
COUNTED     := bfs,fermi15,small spmv,fermi15,small vecadd,fermi15,small atax,wang2015-fup,tiny gemm,fermi15,tiny
-include $(TRAINER_OBJ:.o=.d)

# Code that no run reached is compiled as if there were no counts, not for size.  Counts of other
# code than is compiled would mislead the compiler, or break it: those older than a file's sources
# go.  `make hot-warnings`, part of the tests, holds these files to the warnings that are errors
# elsewhere.
BY_COUNTS = -flto -fprofile-use -fprofile-partial-training -Wno-missing-profile -Wno-error
FORGET_STALE = [ -z "$$(find $(filter %.c %.h,$^) -newer $(@:.o=.gcda) -print -quit 2>/dev/null)" ] || rm -f $(@:.o=.gcda)
$(HOT_OBJECTS): | $(TRAINED)

$(HOT): $(HOT_OBJECTS) cmodel/hot.mk
	@echo "  JOIN    $@" && $(CC) $(CFLAGS) $(FAST) -flto=auto -r -flinker-output=nolto-rel -o $@ $(HOT_OBJECTS)

# gcc looks for an object's counts beside it, under its name: -dumpdir has them written there.
$(TRAINING)/obj/%.o: %.c
	@mkdir -p $(@D)
	@$(CC) $(CPPFLAGS) $(CFLAGS) $(FAST) -w -fprofile-generate -dumpdir $(BUILD)/obj/$(<D)/ -MMD -MP -c -o $@ $<

$(TRAINER): $(TRAINER_OBJ) $(filter-out $(HOT_OBJECTS),$(OBJECTS)) $(EMBEDDED) $(FST_OBJECTS)
	@$(CC) -fprofile-generate -o $@ $^ $(LDLIBS)

$(TRAINED): | $(TRAINER)
	@echo "  TRAIN   $(TRAINER)"; rm -f $(HOT_OBJECTS:.o=.gcda)
	@for run in $(COUNTED); do \
	    IFS=, read -r workload machine size <<<"$$run"; \
	    $(TRAINER) run -w $$workload -c $$machine --size $$size >$(TRAINING)/log 2>&1 || { cat $(TRAINING)/log >&2; exit 1; }; \
	done; touch $@

.PHONY: retrain
retrain:                 ## count branches again for the compiler, after large changes to the machine
	@rm -rf $(TRAINING) $(TRAINER) $(HOT_OBJECTS) && $(MAKE) --no-print-directory $(PARALLEL) $(WARPLOCK)
endif
