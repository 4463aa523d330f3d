# band.mk - one unit mapped otherwise, read after map.mk:
#   make -f synth/map.mk UNIT=... LIBRARY=... LIBERTY=... LOAD=... -f synth/band.mk SCRIPT=name [RETIMED=1] banded
#
# Leaves area.txt and timing.txt in build/cost/<unit>/<K-V_K-V>/<library>/band/<script>[_retimed]/.
# Scripts: standard and speed, those of map.mk; area, the older mapper for area.
BAND := $(LIB)/band/$(SCRIPT)$(if $(RETIMED),_retimed)

ABC_area := map,-a;$(ABC_END)
ABC_RETIME := retime,-M,4
# To be moved, flip-flops stand without enable and reset, and go through ABC, which maps none.
BAND_MAP = $(if $(RETIMED),dffunmap; simplemap; \
    abc -dff -liberty $(LIBERTY) -script +strash;$(ABC_RETIME);strash;$(ABC_$(SCRIPT)); dfflibmap -liberty $(LIBERTY), \
    $(call MAP_BY,$(SCRIPT)))

.PHONY: banded
banded: $(BAND)/timing.txt

$(BAND)/timing.txt: $(COST)/generic.il $(LIBERTY) synth/band.mk synth/scripts/sta.tcl synth/scripts/buffer_flops.awk
	@mkdir -p $(BAND)
	@$(call IN_LIBRARY,$<,$(BAND_MAP),$(BAND)/netlist.v,$(BAND)/area.txt)
	@$(call STA) && grep -q 'slack' $@.part || exit 1
	@mv $@.part $@
