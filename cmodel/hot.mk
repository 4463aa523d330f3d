# hot.mk - the part of the top Makefile that compiles what a simulation spends its time in, the
# machine, the kernels it executes (ptx) and the mechanisms, for speed.
#
# With gcc they are compiled twice: a first command counts branches over a few short runs, then
# each file is compiled by the counts, and all become one object, optimised across files.  A
# change to the machine or to ptx counts anew, so that the program is a function of its sources;
# no mechanism runs in the count, and no program whose speed `make bench` reports.  `make
# PROFILE=no` compiles once, for those who change them often.  Another compiler compiles them once.
# What stands between a workload and the machine is left out: a test puts its own in that place.
COLD        := $(wildcard cmodel/machine/host/*.c) cmodel/ptx/ptx_loader.c cmodel/ptx/reference_host.c
HOT_SOURCES := $(filter-out $(COLD),$(filter cmodel/machine/% cmodel/ptx/% cmodel/sass/% cmodel/mechanisms/%,$(SOURCES)))
HOT_OBJECTS := $(patsubst %.c,$(BUILD)/obj/%.o,$(HOT_SOURCES))
HOT         := $(HOT_OBJECTS)

# Loops unrolled and specialised; small structures cleared by vectors (tb/compiler.mk).  No contraction: a * b + c stays two roundings.  At -O3 gcc
# sees uses before a value where there are none.
include tb/compiler.mk
FAST := -O3 $(TARGET) $(subst unrolled,vector,$(STORES)) -ffp-contract=off -Wno-maybe-uninitialized

# What the objects were compiled with; compiled anew when that changes.
PROFILE ?= yes
HOW := -fPIC $(FAST)$(if $(filter-out no,$(PROFILE)), by counts)
.PHONY: asked
$(BUILD)/hot.how: asked
	@mkdir -p $(@D) && echo "$(HOW)" | cmp -s - $@ || echo "$(HOW)" >$@

$(HOT_OBJECTS): $(BUILD)/obj/%.o: %.c $(BUILD)/hot.how
	@mkdir -p $(@D)
	@echo "  CC      $<" && $(CC) $(CPPFLAGS) $(CFLAGS) $(FAST) $(BY_COUNTS) -MMD -MP -c -o $@ $<

# The same without optimisation across files, for tests that replace one of them (tests/rebuilt.inc);
# and with the warnings that are errors elsewhere, for tests/lint.sh.
PLAIN := $(patsubst %.c,$(BUILD)/plain/%.o,$(HOT_SOURCES))
-include $(PLAIN:.o=.d)
.PHONY: plain
plain: $(PLAIN)
$(PLAIN): $(BUILD)/plain/%.o: %.c
	@mkdir -p $(@D)
	@$(CC) $(CPPFLAGS) $(CFLAGS) -ffp-contract=off -MMD -MP -c -o $@ $<

ifneq ($(and $(filter workloads,$(PARTS)),$(GCC),$(filter-out no,$(PROFILE))),)
HOT         := $(BUILD)/obj/hot.o
TRAINING    := $(BUILD)/training
TRAINER     := $(BUILD)/warplock-training
TRAINED     := $(TRAINING)/counts
TRAINER_OBJ := $(patsubst %.c,$(TRAINING)/obj/%.o,$(HOT_SOURCES))
IDLE_OBJ    := $(filter $(TRAINING)/obj/cmodel/mechanisms/%,$(TRAINER_OBJ))
COUNTED     := $(foreach w,sssp bicg syrk conv2d lud histogram streamcluster,$w,fermi15,$(if $(filter syrk conv2d,$w),tiny,small)) \
               hotspot,fermi15,tiny mm2,wang2015-fup,small
# The same of traces: dumped from a workload, then run on a machine.
COUNTED_TRACES := $(foreach w,sssp lud histogram,$w,gtx480-trace,small) streamcluster,qv100-trace,tiny
-include $(TRAINER_OBJ:.o=.d)

# Code that no run reached is compiled as if there were no counts, not for size; what all but a
# thousandth of the counts fell on is hot (gcc: a hundredth), since other programs are simulated
# than those that were counted.  `make plain`, part of the tests, holds these files to the warnings
# that are errors elsewhere.
HEAT      := --param hot-bb-count-ws-permille=999
BY_COUNTS = $(HEAT) -flto -fprofile-use -fprofile-partial-training -Wno-missing-profile -Wno-error
$(HOT_OBJECTS): $(TRAINED)

$(HOT): $(HOT_OBJECTS) cmodel/hot.mk
	@echo "  JOIN    $@" && $(CC) $(CFLAGS) $(FAST) -w $(HEAT) -flto=auto -r -flinker-output=nolto-rel -o $@ $(HOT_OBJECTS)

# gcc looks for an object's counts beside it, under its name: -dumpdir has them written there.
$(TRAINING)/obj/%.o: %.c $(BUILD)/hot.how
	@mkdir -p $(@D)
	@$(CC) $(CPPFLAGS) $(CFLAGS) $(FAST) -w -fprofile-generate -dumpdir $(BUILD)/obj/$(<D)/ -MMD -MP -c -o $@ $<

# The rest of the program is not counted, and a change to it counts nothing anew.
# The runtime of CUDA programs is another library's.
NOT_COUNTED := $(BUILD)/obj/cmodel/cli/cuda_session.o $(filter $(BUILD)/obj/cmodel/cuda/%,$(OBJECTS))
$(TRAINER): $(filter-out $(IDLE_OBJ),$(TRAINER_OBJ)) | $(IDLE_OBJ) $(filter-out $(HOT_OBJECTS) $(NOT_COUNTED),$(OBJECTS)) $(EMBEDDED) $(FST_OBJECTS)
	@$(CC) -fprofile-generate -o $@ $^ $| $(LDLIBS)

$(TRAINED): $(TRAINER)
	@echo "  TRAIN   $(TRAINER)"; rm -f $(HOT_OBJECTS:.o=.gcda)
	@for run in $(COUNTED); do \
	    IFS=, read -r workload machine size <<<"$$run"; \
	    $(TRAINER) run -w $$workload -c $$machine --size $$size >$(TRAINING)/log 2>&1 || { cat $(TRAINING)/log >&2; exit 1; }; \
	done
	@for run in $(COUNTED_TRACES); do \
	    IFS=, read -r workload machine size <<<"$$run"; rm -rf $(TRAINING)/trace; \
	    { $(TRAINER) run -w $$workload -c fermi15 --size $$size --dump-trace $(TRAINING)/trace && \
	      $(TRAINER) run --trace $(TRAINING)/trace/kernelslist.g -c $$machine; } >$(TRAINING)/log 2>&1 || \
	        { cat $(TRAINING)/log >&2; exit 1; }; \
	done; rm -rf $(TRAINING)/trace; touch $@
endif
