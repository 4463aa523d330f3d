# install.mk - the part of the top Makefile that installs: program, sources of the units and of the
# harness that builds them, library, header, man pages, completion.  make install PREFIX=/usr/local
# DESTDIR=; times are kept, so that nothing is built again from what is installed.
PREFIX  ?= /usr/local
HOME_IN := $(PREFIX)/lib/warplock
INTO     = $(DESTDIR)$(HOME_IN)
VERSION := $(shell sed -n 's/.*WARPLOCK_VERSION "\(.*\)".*/\1/p' cmodel/base/abi.h)
ROOMS   := Makefile README.md LICENSE docs rtl cmodel tb synth waves $(wildcard experiments)
BUILT   := warplock ladder libwarplock-units.so tools/portcheck tools/transition verilated/libverilated.a verilated/verilated.o verilated/verilated_threads.o verilated/model.h verilated/model.h.gch verilator.mk $(patsubst $(BUILD)/%,%,$(CUDA_LIBS))
COMMANDS = $(shell $(WARPLOCK) --help | sed -n 's/^  \([a-z]*\)  .*/\1/p')

.PHONY: install uninstall package package-test
install:                 ## PREFIX=/usr/local: program, library, header, RTL, scripts, man pages, completion
	@$(MAKE) --no-print-directory $(PARALLEL) $(WARPLOCK) $(LADDER) $(API_LIB) $(CUDA_LIBS) $(BUILD)/tools/portcheck $(RUNTIME)
	@$(MAKE) -s -f tb/prove/proof.mk UNIT=index/conv $(BUILD)/tools/transition
	@mkdir -p $(INTO)/build/tools $(INTO)/build/verilated $(addprefix $(DESTDIR)$(PREFIX)/,bin include lib/pkgconfig share/man/man1 share/bash-completion/completions)
	@cp -a $(ROOMS) $(INTO)/
	@cd $(BUILD) && cp -a --parents $(BUILT) $(INTO)/build/
	@ln -sf ../lib/warplock/build/warplock $(DESTDIR)$(PREFIX)/bin/warplock
	@ln -sf warplock/build/libwarplock-units.so $(DESTDIR)$(PREFIX)/lib/libwarplock-units.so
	@ln -sf warplock/build/libwarplock-units.so $(DESTDIR)$(PREFIX)/lib/libwarplock-units.so.1
	@install -m 644 tb/api/warplock-units.h $(DESTDIR)$(PREFIX)/include/
	@sed 's|@PREFIX@|$(PREFIX)|; s|@VERSION@|$(VERSION)|' tb/api/warplock-units.pc.in >$(DESTDIR)$(PREFIX)/lib/pkgconfig/warplock-units.pc
	@install -m 644 tb/api/completion.bash $(DESTDIR)$(PREFIX)/share/bash-completion/completions/warplock
	@tb/api/man.sh $(WARPLOCK) $(DESTDIR)$(PREFIX)/share/man/man1
	@echo "installed   $(PREFIX)/bin/warplock $(VERSION); $(HOME_IN)"

uninstall:               ## PREFIX=/usr/local: remove what install put there
	@rm -rf $(INTO) $(addprefix $(DESTDIR)$(PREFIX)/,bin/warplock include/warplock-units.h lib/libwarplock-units.so lib/libwarplock-units.so.1 lib/pkgconfig/warplock-units.pc share/bash-completion/completions/warplock share/man/man1/warplock.1 share/man/man1/warplock-*.1)

package:                 ## the Debian package, into build/package (needs debhelper)
	@dpkg-buildpackage -us -uc -b && mkdir -p $(BUILD)/package && mv ../warplock_$(VERSION)_* ../warplock-dbgsym_$(VERSION)_* $(BUILD)/package/

package-test:            ## it builds, installs into a copy of this system, works, and is removed (root)
	@tests/package.sh
