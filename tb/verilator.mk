# verilator.mk - VERILATOR_SHARE: where Verilator's own files are.  Asked once and kept under
# build/, because the question starts an interpreter.  Not called VERILATOR_ROOT, which
# Verilator itself reads from the environment.
ifeq ($(VERILATOR_SHARE),)
-include build/verilator.mk
build/verilator.mk: $(wildcard /usr/bin/verilator)
	@mkdir -p build
	@command -v verilator >/dev/null && echo "VERILATOR_SHARE := $$(verilator --getenv VERILATOR_ROOT)" >$@ || true
endif
