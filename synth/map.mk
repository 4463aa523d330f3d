# map.mk - one unit at one parameter set, measured:
#   make -f synth/map.mk UNIT=family/unit [SET="K=V K=V"] [LIBRARY=name LIBERTY=file.lib LOAD=fF] TARGET
#
# Leaves in build/cost/<unit>/<K-V_K-V>/
#   storage.txt           flip-flops by width and memory bits of the elaborated design
#   memories.txt          each inferred memory: rows, width, ports
#   coarse.il             the elaborated design
#   generic.il logic.il   gates before technology mapping, memories as flip-flops / cut out
#   xor.txt gates.txt     gates and depth with {AND XOR NOT}, with all two-input gates and MUX
#   <library>/area.txt    cells and area, memories as flip-flops
#   <library>/logic.txt   cells and area without the memories
#   <library>/timing.txt  critical path, leakage
# Targets: storage, structure, mapped (of one library).  Knows nothing of claims.
include tb/variant.mk

COST := build/cost/$(NAME)/$(POINT)
LIB  := $(COST)/$(LIBRARY)
# Of the RTL alone: the port table plays no part in what Yosys finds.
SOURCE_V := $(FILES_V) $(FAMILY_V) cmodel/$(TABLE) synth/map.mk
# Named steps: the default scripts do not end in reasonable time on some units.
XOR_ABC  := +strash;map
GATE_ABC := +strash;dc2;map
MAP_ABC  := +strash;dc2;strash;&get,-n;&nf;&put;buffer,-c,-N,16;topo;upsize;dnsize
MAP_TO_LIBRARY = dfflibmap -liberty $(LIBERTY); abc -liberty $(LIBERTY) -script $(MAP_ABC)
QUIET    := yosys -q

.PHONY: storage structure mapped cost-where
storage: $(COST)/storage.txt
structure: $(COST)/gates.txt
mapped: $(LIB)/timing.txt
cost-where: ; @echo $(COST)

$(COST)/storage.txt: $(SOURCE_V)
	@mkdir -p $(COST)
	@$(QUIET) -p "$(READ_YS); rename -top $(NAME); proc; flatten; opt_clean; tee -q -o $@.part stat -width; \
	    memory -nomap; opt_clean; tee -q -o $(COST)/memories.txt dump t:\$$mem_v2; \
	    write_ilang $(COST)/coarse.il" >$(COST)/storage.log 2>&1 || { grep -h ERROR $(COST)/storage.log; exit 1; }
	@mv $@.part $@

$(COST)/logic.il: $(COST)/storage.txt
	@$(QUIET) -p "read_ilang $(COST)/coarse.il; chtype -set sram_macro t:\$$mem_v2; \
	    synth -noabc -noshare -run coarse:check; write_ilang $@" >$(COST)/logic.log 2>&1 \
	    || { grep -h ERROR $(COST)/logic.log; exit 1; }

$(COST)/generic.il: $(COST)/logic.il
	@if [ ! -s $(COST)/memories.txt ]; then cp $(COST)/logic.il $@; else \
	    $(QUIET) -p "$(READ_YS); synth -noabc -noshare -flatten -top $(NAME); rename -top $(NAME); write_ilang $@" >$(COST)/generic.log 2>&1 \
	    || { grep -h ERROR $(COST)/generic.log; exit 1; }; fi

$(COST)/gates.txt: $(COST)/generic.il
	@$(QUIET) -p "read_ilang $(COST)/logic.il; design -save logic; abc -g AND,XOR -script $(XOR_ABC); opt_clean -purge; \
	    tee -q -o $(COST)/xor.txt stat; tee -q -a $(COST)/xor.txt ltp -noff; design -load logic; \
	    abc -g gates,MUX -script $(GATE_ABC); opt_clean -purge; tee -q -o $@.part stat; tee -q -a $@.part ltp -noff" >$(COST)/gates.log 2>&1 \
	    || { grep -h ERROR $(COST)/gates.log; exit 1; }
	@mv $@.part $@

# A unit without memories is the same with and without them.  Nets and ports are split into bits:
# OpenSTA reads no assignment to a concatenation.
$(LIB)/area.txt: $(COST)/generic.il $(LIBERTY)
	@mkdir -p $(LIB)
	@$(QUIET) -p "read_ilang $<; $(MAP_TO_LIBRARY); setundef -zero; splitnets -ports; opt_clean -purge; \
	    write_verilog -noattr -noexpr $(LIB)/netlist.v; tee -q -o $@.part stat -liberty $(LIBERTY)" >$(LIB)/map.log 2>&1 \
	    || { grep -h ERROR $(LIB)/map.log; exit 1; }
	@if [ ! -s $(COST)/memories.txt ]; then cp $@.part $(LIB)/logic.txt; else \
	    $(QUIET) -p "read_ilang $(COST)/logic.il; $(MAP_TO_LIBRARY); opt_clean -purge; \
	    tee -q -o $(LIB)/logic.txt stat -liberty $(LIBERTY)" >$(LIB)/logic.log 2>&1 \
	    || { grep -h ERROR $(LIB)/logic.log; exit 1; }; fi
	@mv $@.part $@

$(LIB)/timing.txt: $(LIB)/area.txt synth/scripts/sta.tcl
	@printf 'set liberty %s\nset netlist %s\nset top %s\nset load %s\nsource synth/scripts/sta.tcl\n' \
	    $(LIBERTY) $(LIB)/netlist.v $(NAME) $(LOAD) > $(LIB)/run.tcl
	@sta -no_splash -exit $(LIB)/run.tcl > $@.part 2>&1; if grep -E '^Error' $@.part || ! grep -q 'slack' $@.part; then exit 1; fi
	@mv $@.part $@
