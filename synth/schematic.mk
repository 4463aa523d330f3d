# schematic.mk - a unit's gates as a drawing, with plain names of bits and gates:  make -f synth/schematic.mk COST=build/cost/unit/point
.DELETE_ON_ERROR:
$(COST)/schematic.svg: $(COST)/logic.il synth/schematic.mk
	@printf '%s\n' "read_rtlil $<; abc -g gates,MUX -script +strash;map; opt_clean -purge; show -format dot -viewer none -notitle -prefix $(COST)/schematic" | yosys -q -s - > $(COST)/schematic.log 2>&1
	@sed -E 's/([0-9]+):\1 - 0:0/\1/g; s/0:0 - ([0-9]+):\1/\1/g; s/\$$[0-9]+\\n\$$_([A-Z0-9]+)_/\1/g' $(COST)/schematic.dot | dot -Tsvg -o $@
