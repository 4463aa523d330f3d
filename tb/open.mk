# open.mk - rtl-open.so: a unit's RTL with every signal kept and named, for waveforms.
#   make -f tb/open.mk UNIT=family/unit [SET="K=V K=V"] rtl-open
include tb/variant.mk

.PHONY: rtl-open
rtl-open: $(DIR)/rtl-open.so

$(DIR)/rtl-open.so: $(FILES_V) $(FAMILY_V) tb/rtl_open.cpp tb/rtl_binding.cpp tb/inside.h tb/open.mk $(VERILATED) $(CONTRACT) | $(DIR)
	@rm -rf $(DIR)/rtl-open && $(VERILATE) --vpi --public-flat-rw -Wno-fatal -Wno-lint --prefix O$(NAME) $(SET_V) --Mdir $(DIR)/rtl-open $(BESIDE) $(RTL)
	@$(MAKE) -s -C $(DIR)/rtl-open -f O$(NAME).mk OPT_FAST="-O1 -fPIC -fvisibility=hidden -fno-gnu-unique" OPT_SLOW="-O0 -fPIC -fvisibility=hidden -fno-gnu-unique" O$(NAME)__ALL.a >/dev/null
	@$(CXX) $(CXX_FLAGS) $(DEFINES) -DUNIT_MODEL=O$(NAME) -DUNIT_FORM='"rtl"' -DUNIT_STATE=1 -I$(DIR)/rtl-open \
	    -shared -o $@ tb/rtl_open.cpp $(DIR)/rtl-open/O$(NAME)__ALL.a $(VERILATED) -lz -lpthread
