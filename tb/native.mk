# native.mk - what a compiler may assume of the computer that builds: AVX2, popcnt and the like
# where it has them (NATIVE), and that clearing a small structure is some stores.
#
# gcc otherwise clears it by `rep stos`, which takes longer than most of a unit's C model does;
# another compiler does not know the option, nor does gcc for another computer.
NATIVE := $(if $(shell grep -m1 '^flags' /proc/cpuinfo 2>/dev/null | grep -w avx2 | grep -w bmi2 | grep -w fma | grep -w movbe | grep -w abm),-march=x86-64-v3)
STORES := -mmemset-strategy=unrolled_loop:256:noalign,libcall:-1:noalign
STORES := $(shell $(CC) $(STORES) -E -x c /dev/null >/dev/null 2>&1 && echo $(STORES))
