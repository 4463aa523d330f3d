# compiler.mk - what the C compiler can do, asked once and kept under build/, since a unit's make
# runs whenever a simulation opens the unit.  Nothing is asked of the computer that builds: the
# same sources and compiler give the same program everywhere.
#
#   GCC      not empty for gcc
#   TARGET   for which computers the machine, PTX and the units' C models are compiled: on x86-64
#            those of level X86 below; write x86-64 there for one without AVX2
#   STORES   the option that clears a small structure by some stores; gcc otherwise does it by
#            `rep stos`, which takes longer than most of a unit's C model does
X86      := x86-64-v3
COMPILER := build/compiler/$(subst /,-,$(firstword $(CC))).mk
-include $(COMPILER)
$(COMPILER): tb/compiler.mk
	@mkdir -p $(@D)
	@{ echo "GCC := $$($(CC) --version 2>/dev/null | grep -o -m1 'Free Software Foundation')"; \
	   echo "TARGET := $$($(CC) -dumpmachine | grep -q '^x86_64' && echo '-march=$$(X86)')"; \
	   stores=-mmemset-strategy=unrolled_loop:256:noalign,libcall:-1:noalign; \
	   echo "STORES := $$($(CC) $$stores -E -x c /dev/null >/dev/null 2>&1 && echo $$stores)"; } >$@.$$$$ && mv $@.$$$$ $@
