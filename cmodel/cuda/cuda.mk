# cuda.mk - the part of the top Makefile that builds the runtime library for CUDA programs, one for
# each major version that programs ask for: the same objects under another name and version node.
#
# Programs are linked with all names resolved at start, so that every name of symbols.csv is there:
# those without code here refuse by name, those of per-thread streams (_ptsz, _ptds) are the plain ones.
CUDA        := $(BUILD)/cuda
CUDA_LIBS   := $(foreach v,13 12 11.0,$(CUDA)/libcudart.so.$v)
CUDA_OBJ    := $(patsubst %.c,$(BUILD)/obj/%.o,$(filter cmodel/cuda/%,$(SOURCES)) cmodel/cli/cuda_session.c)
.PHONY: cuda
ifeq ($(shell uname -sm),Linux x86_64)
cuda: $(CUDA_LIBS)       ## the runtime library for CUDA programs, build/cuda/libcudart.so.*
else
cuda:
	@echo "cuda: programs of nvcc are served on x86-64 Linux only; nothing is built"
endif

$(CUDA)/names.S: cmodel/cuda/symbols.csv cmodel/cuda/names.sh $(CUDA_OBJ)
	@mkdir -p $(@D) && cmodel/cuda/names.sh $< $(CUDA_OBJ) >$@.new && mv $@.new $@
$(CUDA)/names.o: $(CUDA)/names.S
	@$(CC) -c -o $@ $<
$(CUDA)/version-%.o: cmodel/cuda/cuda_version.h
	@mkdir -p $(@D) && echo 'const int cuda_major = $(basename $*);' | \
	    $(CC) -fPIC -fvisibility=hidden -x c -c -o $@ -
$(CUDA)/libcudart.so.%: $(CUDA_OBJ) $(CUDA)/names.o $(CUDA)/version-%.o $(LIBRARY)
	@echo "  LINK    $@" && echo 'libcudart.so.$* { global: cuda*; __cuda*; local: *; };' >$(CUDA)/$*.map
	@$(CC) -shared -o $@ -Wl,-soname,libcudart.so.$* -Wl,--version-script=$(CUDA)/$*.map -Wl,--gc-sections \
	    -Wl,-z,defs -Wl,-Bsymbolic $(CUDA_OBJ) $(CUDA)/names.o $(CUDA)/version-$*.o $(LIBRARY) $(LDLIBS)
