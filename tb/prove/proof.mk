# proof.mk - what CBMC reads of one unit at one parameter set:
#   make -f tb/prove/proof.mk UNIT=family/unit [SET="K=V K=V"] transition | question | where
#
# Leaves transition.c, the unit's RTL as a C function, in the folder of the parameter set;
# `question` prints the compiler's arguments that make harness.c the unit's own.
include tb/variant.mk

.PHONY: transition question
transition: $(DIR)/transition.c
question:
	@printf '%s\n' -I cmodel -I . -D_GNU_SOURCE '-DMODEL_FILE="$(MODEL_C)"' \
	    '-DRTL_FILE="$(DIR)/transition.c"' $(DEFINES)

$(DIR)/transition.json: $(FILES_V) $(FAMILY_V) $(CONTRACT) | $(DIR)
	@printf '%s\n' "$(READ_YS); rename -top $(NAME); proc; flatten; $(AS_SYNC) memory_collect; memory_map; opt_expr; opt_clean; dffunmap; opt_clean; write_json $@" | $(YOSYS) >/dev/null

$(DIR)/transition.c: $(DIR)/transition.json $(DIR)/c.so build/tools/transition
	@build/tools/transition $(DIR)/c.so $< > $@

build/tools/transition: tb/prove/transition.c tb/prove/cells.c tb/prove/operators.c tb/prove/cells.h tb/prove/operators.h cmodel/units/unit.h tb/design.h tb/value.h
	@mkdir -p build/tools
	@$(CC) -std=c17 -O2 -g -Wall -Wextra -Wconversion -Werror -Wno-format-truncation -D_GNU_SOURCE -Icmodel -I. \
	    -o $@ $(filter %.c,$^) -ljansson -ldl
