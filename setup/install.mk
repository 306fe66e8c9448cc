# Installs redsweep and makes a Debian package. Included by the Makefile. setup/install.sh lists
# what goes where.

PREFIX  ?= /usr/local
DESTDIR ?=
# A toolkit that was fetched into build/ is installed with the program; one that is installed
# elsewhere is not copied. BUNDLE=yes or BUNDLE=no overrides this.
BUNDLE  ?= $(if $(filter $(TOOLKIT_FOLDER),$(CUDA)),yes,no)
INSTALL  = BUNDLE=$(BUNDLE) CUDA=$(call quoted,$(CUDA)) CUDA_MAJOR=$(CUDA_MAJOR) VERSION=$(VERSION) BUILD=$(call quoted,$(BUILD))

install: $(BUILD)/redsweep ## install: PREFIX=/usr/local DESTDIR= [BUNDLE=yes: with CUDA's libraries]
	@$(INSTALL) setup/install.sh $(call quoted,$(PREFIX)) $(call quoted,$(DESTDIR))

uninstall: ## remove what `make install` with the same PREFIX and DESTDIR has installed
	@setup/uninstall.sh $(call quoted,$(PREFIX)) $(call quoted,$(DESTDIR))

deb: $(BUILD)/redsweep ## a Debian package in build/: [BUNDLE=no: without CUDA's libraries]
	@$(INSTALL) $(if $(filter command environment,$(origin BUNDLE)),,BUNDLE=yes) setup/deb.sh
wheel: ## a Python wheel in dist/, for glibc 2.28 and newer: [MACHINE=aarch64 or x86_64]
	@setup/wheel.sh $(call quoted,$(BUILD)) $(VERSION) $(MACHINE)

test-wheel: ## install the wheel in an empty environment and run a sweep: [ROOTS='folders of other systems']
	@tests/python/wheel.sh $(ROOTS)
.PHONY: install uninstall deb wheel test-wheel
