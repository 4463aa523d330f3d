# variant.mk - builds one unit at one parameter set:  make -f tb/variant.mk UNIT=family/unit [SET="K=V K=V"]
#
# Leaves in build/units/<unit>/<K-V_K-V>/
#   c.so rtl.so netlist.so cxxrtl.so   the backends
#   stimulus.so              cross bins and directed inputs
#   checked                  lint, Yosys checks, and table = RTL (ports, widths, storage bits)
# Run by the top Makefile for every unit and `set` row (cmodel/units/unit_file.md), and by the
# warplock command for any other legal parameter set.
FAMILY   := $(patsubst %/,%,$(dir $(UNIT)))
NAME     := $(notdir $(UNIT))
ROOM     := units/$(UNIT)
TABLE    := $(ROOM)/$(NAME).ports.h
MODEL_C  := cmodel/$(ROOM)/$(NAME).c
# A unit may have none; its folder is then what a new one appears in.
MODEL    := $(or $(wildcard $(MODEL_C)),tb/no_model.c cmodel/$(ROOM))
# In Verilog or in SystemVerilog.
RTL      := $(firstword $(wildcard rtl/$(UNIT).v rtl/$(UNIT).sv) rtl/$(UNIT).v)
STIMULUS := cmodel/$(ROOM)/$(NAME).stimulus.c
# What models and stimulus share, all of them and those of a family.
SHARED_H := $(wildcard cmodel/units/*.h cmodel/units/$(FAMILY)/*.h)

# Every parameter with its value: the table's standard, overridden by SET.
override_of = $(patsubst $(1)=%,%,$(filter $(1)=%,$(SET)))
STANDARD := $(shell sed -n -f tb/params.sed cmodel/$(TABLE))
VALUES   := $(foreach p,$(STANDARD),$(firstword $(subst =, ,$(p)))=$(or $(call override_of,$(firstword $(subst =, ,$(p)))),$(lastword $(subst =, ,$(p)))))
empty    :=
space    := $(empty) $(empty)
POINT    := $(or $(subst $(space),_,$(subst =,-,$(VALUES))),standard)
DIR      := build/units/$(NAME)/$(POINT)

# The pins of a clock and a reset that are not clk, rising, and rst, synchronous and high.
PINS     := $(shell sed -n -f tb/clock.sed cmodel/$(TABLE))
$(if $(filter wrong,$(PINS)),$(error cmodel/$(TABLE): write CLOCK(port, RISING or FALLING) and RESET(port, HIGH or LOW, SYNCHRONOUS or ASYNCHRONOUS)))
pin       = $(or $(patsubst $(1)=%,%,$(filter $(1)=%,$(PINS))),$(2))
CLOCK    := $(call pin,CLOCK,clk)
RESET    := $(call pin,RESET,rst)
FALLING  := $(call pin,CLOCK_FALLING,0)
LOW      := $(call pin,RESET_LOW,0)
CLOCKING := $(if $(PINS),$(addprefix -DUNIT_,CLOCK=$(CLOCK) CLOCK_FALLING=$(FALLING) RESET=$(RESET) RESET_LOW=$(LOW) \
            RESET_ASYNCHRONOUS=$(call pin,RESET_ASYNCHRONOUS,0)))

CC       ?= gcc
CXX      ?= g++
include tb/verilator.mk
include tb/compiler.mk
VERILATED := build/verilated/libverilated.a
MODEL_H   := build/verilated/model.h
DEFINES  := -DUNIT_TABLE='"$(TABLE)"' -DUNIT_NAME=$(NAME) $(foreach v,$(VALUES),-DUNIT_SET_$(v)) $(CLOCKING)
# A parameter may make a comparison constant, hence -Wno-type-limits.
C_FLAGS  := -std=c17 -O2 -g -fPIC -fvisibility=hidden -Wall -Wextra -Wconversion -Werror \
            -Wno-unused-const-variable -Wno-type-limits -Icmodel -I.
# C models run in every cycle of a simulation.  At -O3 gcc may see uses before a value where there are none.
FAST     := -O3 -Wno-error=maybe-uninitialized
# -O2 takes up to three times as long to compile a model, which runs no faster by it.
CXX_FLAGS := -std=gnu++17 -O1 -fPIC -fvisibility=hidden -fno-gnu-unique -faligned-new -Wall -Wno-unused-variable \
            -isystem $(VERILATOR_SHARE)/include -isystem $(VERILATOR_SHARE)/include/vltstd -Icmodel -I. \
            -DVERILATOR=1 -DVM_TRACE=0 -DVM_COVERAGE=0 -DVM_SC=0
# RTL that stays as others wrote it: a file of it may have any name, and other modules beside its own.
FOREIGN  := $(shell grep -s '^foreign ' cmodel/$(ROOM)/$(NAME).unit)
BESIDE   := $(if $(FOREIGN),--top-module $(NAME) $(filter-out $(RTL),$(wildcard rtl/$(FAMILY)/*.v rtl/$(FAMILY)/*.sv)))
# Verilator 5.006 folds some trees of XNOR cells wrongly, hence -fno-const-bit-op-tree.
VERILATE := $(VERILATOR) --cc --no-timing -O3 -fno-const-bit-op-tree --x-assign unique --x-initial unique -y rtl/common -y rtl/$(FAMILY)
SET_V    := $(addprefix -G,$(VALUES))
SET_YS   := $(foreach v,$(VALUES),-chparam $(subst =, ,$(v)))
# A table of registers that a reset clears is no memory to Yosys, which would say so of each.
# Yosys 0.52 cuts what -p gives it at the commas: scripts go in by standard input.
YOSYS    := yosys -q -w 'Replacing memory' -s -
# Deferred: a module is elaborated at the parameters it is used with, and at no others.
FAMILY_V := $(wildcard rtl/$(FAMILY)/*.v rtl/$(FAMILY)/*.sv)
READ_YS  := read_verilog -defer rtl/common/*.v $(if $(filter %.v,$(FAMILY_V)),rtl/$(FAMILY)/*.v); \
            $(if $(filter %.sv,$(FAMILY_V)),read_verilog -sv -defer rtl/$(FAMILY)/*.sv;) hierarchy -check -top $(NAME) $(SET_YS)
FILES_V  := $(RTL) $(wildcard rtl/common/*.v)
# With one clock it does not matter which edge counts, and the flip-flops of a library count the rising one.
AS_RISING := $(if $(filter 1,$(FALLING)),setparam -set CLK_POLARITY 1'b1 t:\$$*dff*;)
# An asynchronous reset that is only ever given with a clock edge is a synchronous one; some steps know no other.
AS_SYNC  := $(if $(filter RESET_ASYNCHRONOUS=1,$(PINS)),techmap -map tb/asynchronous.v;)
CONTRACT := cmodel/$(TABLE) cmodel/units/table.h cmodel/units/no_rows.h cmodel/units/unit.h tb/variant.mk

# $(call BACKEND,FOLDER,MODEL,FORM,STATE,BINDING): compiles what Verilator left in FOLDER with its binding, as one
# file: what every model includes takes longer to read than most models.  The Verilator runtime comes after it.
BACKEND  = printf '\#include <%s>\n' $$(cd $(1) && echo $(2)*.cpp) $(5) >$(1)/all.cc && \
    $(CXX) $(CXX_FLAGS) -include $(MODEL_H) $(DEFINES) -DUNIT_MODEL=$(2) -DUNIT_FORM='"$(3)"' -DUNIT_STATE=$(4) \
        -DVL_INCLUDE_OPT=include -isystem $(1) -shared -o $@ $(1)/all.cc -lz -lpthread
INPUTS    = $(sort $(CONTRACT) $(MODEL) $(STIMULUS) $(SHARED_H) $(FILES_V) $(FAMILY_V) $(VERILATED) \
    $(MODEL_H).gch $(addprefix tb/,compiler.mk clock.sed asynchronous.v stimulus.h public.vlt.h portcheck.c timing.c rtl_binding.cpp rtl_open.cpp \
    inside.h open.mk cxxrtl_binding.c random.h) cmodel/units/model.h cmodel/units/clocking.h rtl/common $(dir $(RTL)) cmodel/units cmodel/units/$(FAMILY))

.DELETE_ON_ERROR:
.DEFAULT_GOAL := all
.PHONY: all compared c rtl netlist cxxrtl stimulus where
all: compared $(DIR)/netlist.so
compared: $(DIR)/c.so $(DIR)/stimulus.so $(DIR)/rtl.so $(DIR)/checked
c: $(DIR)/c.so
# Nobody builds a project's units before they are used: the table is checked then.
rtl: $(if $(WARPLOCK_PROJECT),$(DIR)/checked) $(DIR)/rtl.so
netlist: $(DIR)/netlist.so
cxxrtl: $(DIR)/cxxrtl.so
stimulus: $(DIR)/stimulus.so
# Its folder; and before it all that its objects depend on (tb/made.h), with the folders that a new
# file would appear in.
where: ; $(info inputs $(INPUTS))$(info $(DIR))

$(DIR):
	@mkdir -p $@

$(DIR)/c.so: $(MODEL) $(SHARED_H) cmodel/units/model.h tb/compiler.mk $(CONTRACT) | $(DIR)
	@$(CC) $(C_FLAGS) $(FAST) $(TARGET) $(STORES) $(if $(wildcard $(MODEL_C)),$(filter-out -DUNIT_TABLE%,$(DEFINES)),$(DEFINES)) -shared -o $@ $<

$(DIR)/stimulus.so: $(STIMULUS) $(SHARED_H) tb/stimulus.h $(CONTRACT) | $(DIR)
	@$(CC) $(C_FLAGS) $(filter-out -DUNIT_TABLE%,$(DEFINES)) -shared -o $@ $<

$(DIR)/public.vlt: tb/public.vlt.h $(CONTRACT) | $(DIR)
	@{ echo '`verilator_config'; $(CC) -E -P -Icmodel $(DEFINES) -x c $<; } > $@

# Lint is a separate pass: warnings there are errors, the model build is quiet.
$(DIR)/rtl.so: $(FILES_V) $(FAMILY_V) $(DIR)/public.vlt tb/rtl_binding.cpp $(VERILATED) $(MODEL_H).gch $(CONTRACT)
	@rm -rf $(DIR)/rtl && $(VERILATE) -Wno-fatal -Wno-lint --prefix V$(NAME) $(SET_V) --Mdir $(DIR)/rtl $(DIR)/public.vlt $(BESIDE) $(RTL)
	@$(call BACKEND,$(DIR)/rtl,V$(NAME),rtl,1,tb/rtl_binding.cpp) $(VERILATED)

# Registers stay those of the RTL, neither coded anew nor copied into reads of memories, so that
# tb/ladder/gates.mk compares both by name.
$(DIR)/netlist.v: $(FILES_V) $(FAMILY_V) $(CONTRACT) | $(DIR)
	@printf '%s\n' "$(READ_YS); synth -nofsm -nordff -noabc -flatten -top $(NAME); abc -fast -g AND,NAND,OR,NOR,XOR,XNOR,MUX; opt_clean -purge; rename -top $(NAME); check -assert; write_verilog -noattr $@" | $(YOSYS) -l $(DIR)/synth.log >/dev/null

$(DIR)/netlist.so: $(DIR)/netlist.v tb/rtl_binding.cpp $(VERILATED) $(MODEL_H).gch $(CONTRACT)
	@rm -rf $(DIR)/netlist && $(VERILATE) -Wno-fatal -Wno-lint -Wno-UNOPTFLAT --prefix N$(NAME) --top-module $(NAME) --Mdir $(DIR)/netlist $<
	@$(call BACKEND,$(DIR)/netlist,N$(NAME),netlist,0,tb/rtl_binding.cpp) -O0 $(VERILATED)

# The RTL through Yosys' own translator to C++.  Its runtime is under this folder in Yosys 0.23, and
# in a folder runtime/cxxrtl of it since.  Clang compiles it in a third of g++'s time.
CXXRTL   = $(shell yosys-config --datdir/include)/backends/cxxrtl
CAPI     = $(firstword $(wildcard $(CXXRTL)/runtime/cxxrtl/capi/cxxrtl_capi.cc $(CXXRTL)/cxxrtl_capi.cc))
$(DIR)/cxxrtl.so: $(FILES_V) $(FAMILY_V) tb/cxxrtl_binding.c tb/random.h $(CONTRACT) | $(DIR)
	@[ -n "$(CAPI)" ] || { echo "Yosys' headers are not installed: make setup"; exit 1; }
	@printf '%s\n' "$(READ_YS); rename -top $(NAME); write_cxxrtl -g2 $(DIR)/cxxrtl.cc" | $(YOSYS) >/dev/null
	@$(CC) $(C_FLAGS) $(filter-out -DUNIT_NAME%,$(DEFINES)) -I$(dir $(CAPI)) -c -o $(DIR)/cxxrtl.o tb/cxxrtl_binding.c
	@clang++ -std=gnu++17 -O1 -fPIC -fvisibility=hidden -w -fbracket-depth=100000 -I$(CXXRTL)/runtime -I$(CXXRTL)/../.. \
	    -include $(CAPI) -shared -o $@ $(DIR)/cxxrtl.cc $(DIR)/cxxrtl.o

# Lint at this parameter set, then the table against the RTL as Yosys sees it.  Of RTL that stays as
# others wrote it, only errors are told.
LINT     := $(VERILATOR) --lint-only --no-timing -y rtl/common -y rtl/$(FAMILY) $(SET_V) $(BESIDE) $(RTL)
$(DIR)/checked: $(FILES_V) $(FAMILY_V) $(DIR)/c.so build/tools/portcheck
	@$(if $(FOREIGN),$(LINT) -Wno-fatal -Wno-lint -Wno-style 2>$(DIR)/lint.log || { cat $(DIR)/lint.log; exit 1; },$(LINT) -Wall)
	@printf '%s\n' "$(READ_YS); rename -top $(NAME); proc; check -assert; memory -nordff -nomap; opt_clean; flatten; write_json $(DIR)/design.json" | $(YOSYS) >/dev/null
	@build/tools/portcheck $(DIR)/c.so $(DIR)/design.json $(RTL)
	@touch $@

# What every Verilated model includes, compiled once: most of a model's compilation otherwise.
$(MODEL_H).gch: tb/variant.mk
	@mkdir -p $(dir $@)
	@printf '#include <%s>\n' cstdint cstring memory new type_traits verilated.h >$(MODEL_H)
	@$(CXX) $(CXX_FLAGS) -x c++-header -o $@.$$$$ $(MODEL_H) && mv $@.$$$$ $@

# The Verilator runtime, once for all, so that what -O2 takes does not count.
VERILATED_OBJECTS := $(patsubst %,build/verilated/%.o,verilated verilated_threads)
build/verilated/%.o: $(VERILATOR_SHARE)/include/%.cpp
	@mkdir -p $(dir $@)
	@$(CXX) $(CXX_FLAGS) -O2 -c -o $@ $<
$(VERILATED): $(VERILATED_OBJECTS)
	@ar rcs $@ $^
