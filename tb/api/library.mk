# library.mk - the part of the top Makefile that makes libwarplock-units (tb/api/warplock-units.h): the
# harness compiled for a shared library, with nothing visible but the functions of that header.
API_LIB     := $(BUILD)/libwarplock-units.so
API_SOURCES := tb/api/warplock_units.c $(filter-out $(TOOLS),$(wildcard tb/*.c)) $(wildcard cmodel/base/*.c)
API_OBJECTS := $(patsubst %.c,$(BUILD)/pic/%.o,$(API_SOURCES)) $(patsubst %,$(BUILD)/pic/fst/%.o,fstapi lz4 fastlz)
-include $(API_OBJECTS:.o=.d)

.PHONY: library
library: $(API_LIB)

$(API_LIB): $(API_OBJECTS) $(EMBEDDED)
	@echo "  LINK    $@" && $(CC) -shared -Wl,-soname,libwarplock-units.so.1 -Wl,--no-undefined -o $@ $^ $(LDLIBS)

$(BUILD)/pic/%.o: %.c
	@mkdir -p $(@D)
	@$(CC) $(CPPFLAGS) $(CFLAGS) -fPIC -fvisibility=hidden -MMD -MP -c -o $@ $<
$(BUILD)/pic/fst/%.o: $(FST)/%.c
	@mkdir -p $(@D)
	@$(CC) -O2 -w -fPIC -fvisibility=hidden -DFST_CONFIG_INCLUDE='"fst_config.h"' -I$(FST) -c -o $@ $<
