# band.mk - one unit mapped otherwise, read after map.mk:
#   make -f synth/map.mk UNIT=... LIBRARY=... LIBERTY=... LOAD=... -f synth/band.mk SCRIPT=name [RETIMED=1] banded
#
# Leaves area.txt and timing.txt in build/cost/<unit>/<K-V_K-V>/<library>/band/<script>[_retimed]/.
# Scripts: standard, that of map.mk; speed, the older mapper with cuts for delay; area, the same for area.
BAND := $(LIB)/band/$(SCRIPT)$(if $(RETIMED),_retimed)

BAND_ABC_standard := $(patsubst +strash;%,%,$(MAP_ABC))
BAND_ABC_speed    := map,-B,0.9;topo;buffer,-c,-N,16;topo;upsize;dnsize
BAND_ABC_area     := map,-a;topo;buffer,-c,-N,16;topo;upsize;dnsize
# To be moved, flip-flops stand without enable and reset, and go through ABC, which maps none.
BAND_MAP = $(if $(RETIMED),dffunmap; simplemap; \
    abc -dff -liberty $(LIBERTY) -script +strash;dretime;strash;$(BAND_ABC_$(SCRIPT)); dfflibmap -liberty $(LIBERTY), \
    dfflibmap -liberty $(LIBERTY); abc -liberty $(LIBERTY) -script +strash;$(BAND_ABC_$(SCRIPT)))

.PHONY: banded
banded: $(BAND)/timing.txt

$(BAND)/timing.txt: $(COST)/generic.il $(LIBERTY) synth/band.mk synth/scripts/sta.tcl
	@mkdir -p $(BAND)
	@printf '%s\n' "read_rtlil $<; $(BAND_MAP); setundef -zero; splitnets -ports; opt_clean -purge; \
	    write_verilog -noattr -noexpr $(BAND)/netlist.v; tee -q -o $(BAND)/area.txt stat -liberty $(LIBERTY)" | $(YOSYS) >$(BAND)/map.log 2>&1 \
	    || { grep -h ERROR $(BAND)/map.log; exit 1; }
	@$(subst $(LIB)/netlist.v,$(BAND)/netlist.v,$(call STA)) && grep -q 'slack' $@.part || exit 1
	@mv $@.part $@
