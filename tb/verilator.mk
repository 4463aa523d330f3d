# verilator.mk - what is asked of Verilator once and kept under build/, because the question
# starts an interpreter:
#
#   VERILATOR_SHARE  where its own files are; not called VERILATOR_ROOT, which it reads itself
#   VERILATOR        the program: without the script in Perl before it, where there is one, which
#                    takes longer than a small unit's model
ifeq ($(VERILATOR_SHARE),)
-include build/verilator.mk
build/verilator.mk: $(wildcard /usr/bin/verilator) tb/verilator.mk
	@mkdir -p build
	@command -v verilator >/dev/null && { \
	    echo "VERILATOR_SHARE := $$(verilator --getenv VERILATOR_ROOT)"; \
	    echo "VERILATOR := $$(command -v verilator_bin || command -v verilator)"; } >$@ || true
endif
