# plugin.mk - the mechanisms and workloads of a user's project as one shared object, which the
# program loads:  make -f tb/plugin.mk, in the project's view, with WARPLOCK_PROJECT its folder.
#
# Leaves build/plugin/project.so with
#   project_abi          the version of base/abi.h
#   project_mechanisms   every `const struct mechanism mechanism_<name>` of its files, NULL at the end
#   project_workloads    every `const struct workload workload_<name>`, NULL at the end
CC       ?= gcc
OUT      := build/plugin
SOURCES  := $(patsubst $(WARPLOCK_PROJECT)/%,%,$(wildcard $(WARPLOCK_PROJECT)/cmodel/mechanisms/*/*.c $(WARPLOCK_PROJECT)/cmodel/workloads/*/*.c))
OBJECTS  := $(patsubst %.c,$(OUT)/%.o,$(SOURCES) list.c)
C_FLAGS  := -D_GNU_SOURCE -std=c17 -O2 -g -fPIC -Wall -Wextra -Wconversion -Werror -ffp-contract=off -Icmodel -I.
declared  = $(sort $(shell sed -nE 's/^const struct $(1) ($(1)_[A-Za-z0-9_]+) = .*/\1/p' $(SOURCES)))

$(OUT)/project.so: $(OBJECTS)
	@$(CC) -shared -o $@.new $^ && mv $@.new $@

$(OUT)/%.o: %.c
	@mkdir -p $(@D)
	@$(CC) $(C_FLAGS) -MMD -MP -c -o $@ $<

$(OUT)/list.o: $(OUT)/list.c
	@$(CC) $(C_FLAGS) -MMD -MP -c -o $@ $<

define LIST
#include "base/abi.h"
#include "mechanisms/mechanism.h"
#include "workloads/workload.h"
extern const unsigned project_abi;
extern const struct mechanism *const project_mechanisms[];
extern const struct workload *const project_workloads[];
const unsigned project_abi = WARPLOCK_ABI;
$(foreach m,$(call declared,mechanism),extern const struct mechanism $m;)
$(foreach w,$(call declared,workload),extern const struct workload $w;)
const struct mechanism *const project_mechanisms[] = {$(foreach m,$(call declared,mechanism),&$m,) NULL};
const struct workload *const project_workloads[] = {$(foreach w,$(call declared,workload),&$w,) NULL};
endef
.PHONY: asked
$(OUT)/list.c: asked
	@mkdir -p $(@D)
	$(file >$@.new,$(LIST))@cmp -s $@.new $@ || mv $@.new $@

-include $(OBJECTS:.o=.d)
