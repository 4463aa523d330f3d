# schematic.mk - a unit's gates as a drawing:  make -f synth/schematic.mk COST=build/cost/unit/point
.DELETE_ON_ERROR:
$(COST)/schematic.svg: $(COST)/logic.il
	@yosys -q -p "read_ilang $<; abc -g gates,MUX -script +strash;dc2;map; opt_clean -purge; show -format dot -viewer none -notitle -prefix $(COST)/schematic" > $(COST)/schematic.log 2>&1
	@dot -Tsvg $(COST)/schematic.dot -o $@
