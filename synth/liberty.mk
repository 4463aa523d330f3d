# liberty.mk - one cell library made ready for mapping:
#   LEAVE_OUT=regex make -f synth/liberty.mk NAME=name SOURCE=made|file.lib|file.lib.gz
#
# Leaves build/cost/lib/<name>.lib and <name>.nand2, the area of a two-input NAND in it.
CC ?= gcc
LIB := build/cost/lib/$(NAME)
MAKER := build/tools/make_liberty

.DELETE_ON_ERROR:
.PHONY: ready
ready: $(LIB).nand2

$(MAKER): synth/make_liberty.c synth/liberty_cells.c synth/liberty_model.c synth/cost_csv.c \
        synth/liberty_cells.h synth/liberty_model.h synth/cost_csv.h
	@mkdir -p $(dir $@)
	@$(CC) -std=c17 -O2 -Wall -Wextra -Wconversion -Werror -D_GNU_SOURCE -I. -o $@ $(filter %.c,$^) -lcsv -lm

ifeq ($(SOURCE),made)
$(LIB).lib: synth/data/cells_45nm.csv $(MAKER)
	@mkdir -p $(dir $@)
	@$(MAKER) $< > $@
else
$(LIB).lib: $(SOURCE) synth/scripts/trim.awk synth/data/libraries.csv
	@mkdir -p $(dir $@)
	@{ case $< in *.gz) gzip -dc $<;; *) cat $<;; esac; } | awk -f synth/scripts/trim.awk > $@
endif

$(LIB).nand2: $(LIB).lib synth/scripts/nand2.v
	@printf '%s\n' "read_verilog synth/scripts/nand2.v; synth -top nand2; abc -liberty $<; tee -q -o $@.part stat -liberty $<" | yosys -q -s - > $(LIB).log 2>&1 \
	    || { grep -hE 'ERROR|error' $(LIB).log; exit 1; }
	@grep -q 'Chip area' $@.part || { echo "$(SOURCE): no cell of it makes a NAND2; give a Liberty file with combinational cells"; exit 1; }
	@mv $@.part $@
