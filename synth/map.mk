# map.mk - one unit at one parameter set, measured:
#   make -f synth/map.mk UNIT=family/unit [SET="K=V K=V"] [LIBRARY=name LIBERTY=file.lib LOAD=fF] TARGET
#
# Leaves in build/cost/<unit>/<K-V_K-V>/
#   storage.txt           flip-flops by width and memory bits of the elaborated design
#   memories.txt          each inferred memory: rows, width, ports
#   logic.il generic.il   gates before technology mapping, memories cut out / as flip-flops
#   xor.txt gates.txt     gates and depth with {AND XOR NOT}, with all two-input gates and MUX
#   <library>/area.txt    cells and area, memories as flip-flops
#   <library>/logic.txt   cells and area without the memories
#   <library>/timing.txt  critical path, leakage
#   <library>/script.txt  what it is mapped by: standard, or speed
#   <library>/through.<port>.txt  slowest path between this port and others, without a flip-flop
# Targets: storage, structure, mapped and through (of one library; PORT=name).  Knows nothing of claims.
include tb/variant.mk

COST := build/cost/$(NAME)/$(POINT)
LIB  := $(COST)/$(LIBRARY)
# Of the RTL alone: the port table plays no part in what Yosys finds.
SOURCE_V := $(FILES_V) $(FAMILY_V) cmodel/$(TABLE) synth/map.mk
# Named steps: the default scripts do not end in reasonable time on some units.
XOR_ABC  := +strash;map;print_stats
AND_ABC  := +strash;dc2;balance;map
GATE_ABC := +strash;map;print_stats
ABC_END  := topo;buffer,-c,-N,16;topo;upsize;dnsize
ABC_standard := &get,-n;&nf;&put;buffer,-c,-N,16;topo;upsize;dnsize
ABC_speed    := if,-g,-K,6;strash;dch;map,-B,0.9;$(ABC_END)
MAP_BY = dfflibmap -liberty $(LIBERTY); abc -liberty $(LIBERTY) -script +strash;$(ABC_$(1))
# Of the unit's clock row.
CLOCK_PS := $(shell awk '$$1 == "clock" { printf "%.3f", 1e6 / $$2 }' cmodel/$(ROOM)/$(NAME).unit)

.PHONY: storage structure mapped through cost-where
storage: $(COST)/storage.txt
structure: $(COST)/gates.txt
mapped: $(LIB)/timing.txt
through: $(LIB)/through.$(PORT).txt
cost-where: ; @echo $(COST)

$(COST)/storage.txt: $(SOURCE_V)
	@mkdir -p $(COST)
	@printf '%s\n' "$(READ_YS); rename -top $(NAME); proc; flatten; opt_clean; tee -q -o $@.part stat -width; \
	    memory -nordff -nomap; opt_clean; tee -q -o $(COST)/memories.txt dump t:\$$mem_v2" | $(YOSYS) >$(COST)/storage.log 2>&1 || { grep -h ERROR $(COST)/storage.log; exit 1; }
	@mv $@.part $@

# Module by module up to gates, then flat: what stands many times is made once.  XORs are counted
# in the plain structure; all mapping starts from one that is made smaller once.
IN_GATES = proc; opt_clean; memory -nordff -nomap; $(1) opt_expr; opt_clean; opt -nodffe -nosdff; wreduce; peepopt; opt_clean; \
    alumacc; opt; memory_map; $(AS_RISING) opt -full; techmap; opt_clean; flatten; opt_clean; rename -top $(NAME); \
    tee -q -o $@.abc abc -g AND$(comma)XOR -script $(XOR_ABC); opt_clean -purge; tee -q -a $@.abc stat; \
    abc -g AND -script $(AND_ABC); opt_clean -purge; write_rtlil $@
comma := ,

$(COST)/logic.il: $(COST)/storage.txt
	@printf '%s\n' "$(READ_YS); $(call IN_GATES,chtype -set sram_macro t:\$$mem_v2;)" | $(YOSYS) >$(COST)/logic.log 2>&1 \
	    || { grep -h ERROR $(COST)/logic.log; exit 1; }
	@mv $@.abc $(COST)/xor.txt

$(COST)/generic.il: $(COST)/logic.il
	@if [ ! -s $(COST)/memories.txt ]; then cp $(COST)/logic.il $@; else \
	    printf '%s\n' "$(READ_YS); $(call IN_GATES)" | $(YOSYS) >$(COST)/generic.log 2>&1 \
	    || { grep -h ERROR $(COST)/generic.log; exit 1; }; fi

$(COST)/gates.txt: $(COST)/logic.il
	@printf '%s\n' "read_rtlil $<; tee -q -o $@.part abc -g gates,MUX -script $(GATE_ABC); opt_clean -purge; \
	    tee -q -a $@.part stat" | $(YOSYS) >$(COST)/gates.log 2>&1 || { grep -h ERROR $(COST)/gates.log; exit 1; }
	@mv $@.part $@

# FROM,MAP,NETLIST,STAT: gates FROM mapped by MAP to NETLIST, and its STAT.  Nets and ports are split
# into bits: OpenSTA reads no assignment to a concatenation.
IN_LIBRARY = printf '%s\n' "read_rtlil $(1); $(2); setundef -zero; splitnets -ports; opt_clean -purge; \
	    write_verilog -noattr -noexpr $(3).part" | $(YOSYS) >$(3:.v=.log) 2>&1 || { grep -h ERROR $(3:.v=.log); exit 1; }; \
	awk -f synth/scripts/buffer_flops.awk $(LIBERTY) $(3).part > $(3) && rm $(3).part || exit 1; \
	printf '%s\n' "read_liberty -lib $(LIBERTY); read_verilog $(3); tee -q -o $(4) stat -liberty $(LIBERTY)" | \
	    $(YOSYS) >>$(3:.v=.log) 2>&1 || { grep -h ERROR $(3:.v=.log); exit 1; }

# A unit without memories is the same with and without them.
$(LIB)/%/area.txt: $(COST)/generic.il $(LIBERTY) synth/map.mk synth/scripts/buffer_flops.awk
	@mkdir -p $(@D)
	@$(call IN_LIBRARY,$<,$(call MAP_BY,$*),$(@D)/netlist.v,$@.part)
	@if [ ! -s $(COST)/memories.txt ]; then cp $@.part $(@D)/logic.txt; else \
	    $(call IN_LIBRARY,$(COST)/logic.il,$(call MAP_BY,$*),$(@D)/logic.v,$(@D)/logic.txt); fi
	@mv $@.part $@

# STA,PORT: what OpenSTA says of the netlist goes to the target's .part.
STA = printf 'set liberty %s\nset netlist %s\nset top %s\nset load %s\nset clock %s\nset through {%s}\nsource synth/scripts/sta.tcl\n' \
    $(LIBERTY) $(@D)/netlist.v $(NAME) $(LOAD) $(CLOCK) '$(1)' > $@.tcl; sta -no_splash -exit $@.tcl > $@.part 2>&1; ! grep -E '^Error' $@.part

.PRECIOUS: $(LIB)/%/area.txt $(LIB)/%/timing.txt
$(LIB)/%/timing.txt: $(LIB)/%/area.txt synth/scripts/sta.tcl
	@command -v sta >/dev/null || { echo "OpenSTA (sta) is not installed: apt-get install opensta" >&2; exit 1; }
	@$(call STA) && grep -q 'slack' $@.part || exit 1
	@mv $@.part $@

# Mapped for area; a unit that misses its clock so is mapped for speed, and the faster one is it.
# That takes minutes and never halves a path: one that is twice the clock's period stays as it is.
# (ABC ends on its own mistake for some netlists: then there is but the first.)
PATH_PS = awk '$$NF ~ /MET|VIOLATED/ { print 1e6 - $$1; exit }' $(LIB)/$(1)/timing.txt
$(LIB)/timing.txt: $(LIB)/standard/timing.txt
	@by=standard; path=$$($(call PATH_PS,standard)); \
	if awk -v path="$$path" 'BEGIN { clock = $(or $(CLOCK_PS),1e9); exit !(path > clock && path < 2 * clock) }'; then \
	    $(MAKE) -s -f synth/map.mk UNIT=$(UNIT) SET='$(SET)' LIBRARY=$(LIBRARY) LIBERTY=$(LIBERTY) LOAD=$(LOAD) \
	        $(LIB)/speed/timing.txt >/dev/null 2>&1 && \
	    awk -v path="$$path" -v other="$$($(call PATH_PS,speed))" 'BEGIN { exit !(other < path) }' && by=speed; \
	fi; \
	cp $(LIB)/$$by/netlist.v $(LIB)/$$by/area.txt $(LIB)/$$by/logic.txt $(LIB)/ && echo $$by > $(LIB)/script.txt && \
	cp $(LIB)/$$by/timing.txt $@

$(LIB)/through.$(PORT).txt: $(LIB)/timing.txt synth/scripts/sta.tcl
	@$(call STA,$(PORT))
	@mv $@.part $@
