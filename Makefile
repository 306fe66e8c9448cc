# Builds, tests and runs redsweep. `make help` lists the targets.

# Defaults to gcc instead of make's cc, unless the caller sets CC.
ifeq ($(origin CC),default)
CC := gcc
endif
BUILD   ?= build
CONFIG  ?= configs/quick.json
DEVICE  ?= auto
CFLAGS  ?= -O2 -g

# Prints one line per file. V=1 prints the commands instead, and make -s nothing.
ifeq ($(V)$(findstring s,$(firstword -$(MAKEFLAGS))),)
QUIET_CC   = @echo '  CC      $<';
QUIET_AR   = @echo '  AR      $@';
QUIET_LINK = @echo '  LINK    $@';
QUIET_NVCC = @echo '  NVCC    $@';
endif

# The path of the tree may contain spaces and quotes. These functions turn a name into a shell
# argument, a C string or an absolute path. ($(abspath) would split a name at spaces.)
quoted   = '$(subst ','\'',$1)'
c_string = "$(subst ",\",$(subst \,\\,$1))"
absolute = $(if $(filter /%,$1),$1,$(CURDIR)/$1)

# Turns a list of paths into shell arguments. `a b` is two paths unless a path has that name; so is
# `a\ b c`.
space   := $() $()
paths    = $(if $(shell test -e $(call quoted,$1) && echo one),$(call quoted,$1),$(strip $(foreach path,$(subst \$(space),\/,$1),\
           $(call quoted,$(subst \/,$(space),$(path))))))

# Runs as many jobs as there are cores, unless the caller sets -j.
ifeq ($(filter -j% --jobserver%,$(MAKEFLAGS)),)
MAKEFLAGS += -j$(shell nproc 2>/dev/null || echo 1)
endif

# setup/toolkit.sh finds the CUDA Toolkit, or fetches one into build/toolkit, and writes its path to
# a file that is included here. It runs every time and takes milliseconds. If the toolkit has
# changed, it rewrites the file, which rebuilds everything. SETUP=no installs nothing, TOOLKIT=12 or
# TOOLKIT=13 selects that major version, and TOOLKIT=fetch ignores an installed toolkit.
TOOLKIT_FOLDER ?= build/toolkit
export SETUP TOOLKIT TOOLKIT_FOLDER CUDA_HOME CC NVIDIA_DRIVER
.DEFAULT_GOAL := all
ifneq ($(filter-out help clean wheel test-wheel,$(or $(MAKECMDGOALS),all)),)
include $(BUILD)/toolkit.mk
$(BUILD)/toolkit.mk: FORCE
	@setup/toolkit.sh $@ $(TOOLKIT_FOLDER)
endif

# WERROR=1 turns warnings into errors. Only CI sets it, because newer compilers add warnings.
WARN    := -Wall -Wextra $(if $(WERROR),-Werror) -Wshadow -Wstrict-prototypes -Wmissing-prototypes
ALL_CFLAGS := -std=c11 -D_GNU_SOURCE $(WARN) $(CFLAGS) -Iharness -Ikernels \
              -isystem $(CUDA)/include -isystem $(CUDA)/extras/CUPTI/include
# The program opens NVRTC, nvJitLink and CUPTI at run time (harness/base/library.c), so it starts
# without them. It never links the driver library. The CUDA runtime is linked statically if the
# toolkit has a static one; NVIDIA's wheels before 12.9 have only the shared one.
CUDART_STATIC := $(wildcard $(CUDA)/lib64/libcudart_static.a)
CUDART  := $(if $(CUDART_STATIC),-lcudart_static,-l:libcudart.so.$(CUDA_MAJOR))
LIBS    := -L$(CUDA)/lib64 $(CUDART) -lcjson -lpthread -ldl -lrt -lm

# Libraries next to the program (a staged copy) are found first. Tests are two folders below it.
RPATH   := -Wl,-rpath,$(call quoted,$$ORIGIN:$$ORIGIN/../..$(if $(CUDART_STATIC),,:$$ORIGIN/toolkit/lib64:$$ORIGIN/../../toolkit/lib64:$$ORIGIN/../lib/redsweep/toolkit/lib64:$(call absolute,$(CUDA))/lib64))

# Each CPU function is compiled once for every type and operation, and renamed accordingly
# (kernels/cpu/common.h, harness/devices/cpu/functions.c).
CPU_KERNELS := $(basename $(notdir $(wildcard kernels/cpu/*.c)))
CPU_TYPES   := INT32 UINT32 INT64 UINT64 FLOAT32 FLOAT64
CPU_OPS     := SUM MAX MIN PROD
CPU_OBJECTS := $(foreach t,$(CPU_TYPES),$(foreach o,$(CPU_OPS),$(CPU_KERNELS:%=$(BUILD)/cpu_kernels/%_$t_$o.o)))

# Counters need CUPTI's range profiler, available since CUDA 12.6.
CUPTI_FILES  := $(addprefix harness/devices/cuda/,counters cupti_host cupti_library cupti_range)
HAS_COUNTERS := $(wildcard $(CUDA)/include/cupti_range_profiler.h \
                  $(CUDA)/extras/CUPTI/include/cupti_range_profiler.h)
OTHER_COUNTERS := $(if $(HAS_COUNTERS),harness/devices/cuda/counters_none.c,$(CUPTI_FILES:=.c))

SOURCES := $(filter-out harness/cli/main.c $(OTHER_COUNTERS),$(wildcard harness/*.c harness/*/*.c harness/*/*/*.c harness/*/*/*/*.c))
OBJECTS := $(SOURCES:%.c=$(BUILD)/%.o) $(CPU_OBJECTS) $(BUILD)/page.o
LIBRARY := $(BUILD)/libredsweep.a

all: $(BUILD)/redsweep ## build build/redsweep (the default)

$(BUILD)/redsweep: $(BUILD)/harness/cli/main.o $(MORE_OBJECTS) $(LIBRARY)
	$(QUIET_LINK)$(CC) $(CFLAGS) -o $@ $(filter %.o,$^) $(LIBRARY) $(LIBS) $(RPATH)

$(LIBRARY): $(OBJECTS)
	$(QUIET_AR)rm -f $@ && ar rcs $@ $^

$(BUILD)/%.o: %.c $(BUILD)/toolkit.mk | packages-build
	@mkdir -p $(@D)
	$(QUIET_CC)$(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

# Style and scripts of the HTML pages, embedded unchanged (harness/table/view_html.c).
$(BUILD)/page.o: plots/page.css plots/page.js plots/page_frames.js plots/page_charts.js | packages-build
	@mkdir -p $(@D)
	$(QUIET_LINK)cd plots && $(LD) -r -b binary -z noexecstack -o $(call quoted,$(call absolute,$@)) page.css page.js page_frames.js page_charts.js

define CPU_RULE
$(BUILD)/cpu_kernels/%_$1_$2.o: kernels/cpu/%.c $(BUILD)/toolkit.mk | packages-build
	@mkdir -p $$(@D)
	$$(QUIET_CC)$(CC) $(ALL_CFLAGS) -Wno-missing-prototypes -DTYPE_$1 -DOP_$2 -D$$*=$$*_$1_$2 -MMD -MP -c -o $$@ $$<
endef
$(foreach t,$(CPU_TYPES),$(foreach o,$(CPU_OPS),$(eval $(call CPU_RULE,$t,$o))))

# The list of compiled CPU functions, rewritten only when it has changed.
$(BUILD)/cpu_kernels.def: FORCE
	@mkdir -p $(@D)
	@printf 'CPU_KERNEL(%s)\n' $(CPU_KERNELS) | cmp -s - $@ || printf 'CPU_KERNEL(%s)\n' $(CPU_KERNELS) > $@
$(BUILD)/harness/devices/cpu/functions.o: $(BUILD)/cpu_kernels.def
$(BUILD)/harness/devices/cpu/functions.o: ALL_CFLAGS += -I$(BUILD)

# The table of charts: the CHART(…) rows at the top of the files in harness/charts, sorted by
# position.
CHART_FILES := $(wildcard harness/charts/*.c)
$(BUILD)/charts.def: FORCE
	@mkdir -p $(@D)
	@awk '/^CHART\(/, /"\)$$/ { printf "%s%s", $$0, /"\)$$/ ? "\n" : "" }' $(CHART_FILES) | sort -t '(' -k 2n >$@.new
	@if cmp -s $@.new $@; then rm $@.new; else mv $@.new $@; fi
CHART_USERS := $(addprefix $(BUILD)/harness/,charts/charts.o analyze/report_charts.o)
$(CHART_USERS): $(BUILD)/charts.def
$(CHART_USERS): ALL_CFLAGS += -I$(BUILD)

# At run time, the program looks for NVRTC, nvJitLink and CUPTI in this toolkit's folders.
$(BUILD)/harness/base/library.o: ALL_CFLAGS += -DREDSWEEP_TOOLKIT=$(call quoted,$(call c_string,$(call absolute,$(CUDA)))) \
    -DREDSWEEP_CUDA_MAJOR=$(CUDA_MAJOR)

# CUPTI's host header includes C++'s <string> without needing it, so these files get an empty one.
CUPTI_SHIM  := -Iharness/devices/cuda/cxx_shim
$(CUPTI_FILES:%=$(BUILD)/%.o): ALL_CFLAGS += $(CUPTI_SHIM)

# CUB is a template library that launches its kernels from the host, so it needs nvcc. CUB_ARCHS
# lists the architectures; the default is that of this machine's GPU, or sm_90 without one.
NVCC      ?= $(CUDA)/bin/nvcc
CUB_ARCHS ?= $(or $(shell nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | \
                    sort -u | sed 's/\.//;s/^/sm_/'),sm_90)
CUB_KERNELS := cub cub_rows cub_any cub_rows_any
# CUB's headers come from this version of nvidia-cuda-cccl, fetched from PyPI, or from the toolkit
# with CUB=toolkit.
CCCL ?= 13.3.5.0.6
CUB  ?= $(CCCL)
CUB_FOLDER := $(if $(filter-out toolkit,$(CUB)),$(BUILD)/cccl-$(CUB))
$(BUILD)/cub_headers: FORCE
	@mkdir -p $(@D)
	@test -x $(NVCC) || { echo "make cub needs nvcc of the CUDA Toolkit: not at $(NVCC);" \
	    "name it with NVCC=…" >&2; exit 1; }
	$(if $(CUB_FOLDER),@setup/cccl.sh '$(CUB)' '$(CUB_FOLDER)')
	@echo '$(CUB)' | cmp -s - $@ || echo '$(CUB)' >$@
cub: $(CUB_KERNELS:%=$(BUILD)/libredsweep_%.so) ## build CUB's reductions as kernels of the sweeps; needs nvcc [CUB=toolkit]
cub_rows: $(BUILD)/libredsweep_cub_rows.so
$(BUILD)/libredsweep_cub_any.so $(BUILD)/libredsweep_cub_rows_any.so: kernels/peers/cub_operations.cuh
$(CUB_KERNELS:%=$(BUILD)/libredsweep_%.so): $(BUILD)/libredsweep_%.so: kernels/peers/%.cu $(BUILD)/toolkit.mk $(BUILD)/cub_headers
	$(QUIET_NVCC)$(NVCC) $(if $(CUB_FOLDER),-I'$(CUB_FOLDER)') -O3 -std=c++17 $(foreach a,$(CUB_ARCHS),-gencode arch=compute_$(a:sm_%=%),code=$(a)) \
	    -shared -Xcompiler -fPIC -o $@ $<
.PHONY: cub cub_rows

# Builds the library of a run's winners from the sources that `redsweep tuned` writes, and two
# programs that call it. Its functions and files have names that begin with NAMES.
TUNED := $(BUILD)/tuned
NAMES ?= redsweep
TUNED_CC = $(CC) $(ALL_CFLAGS) -I. -I$(TUNED)
tuned: $(BUILD)/redsweep $(LIBRARY) ## build a library of a run's winners: RUN=results/latest or RUNS='A B', into build/tuned [NAMES=mine] [INVARIANT=yes] [WHEEL=yes]
	$(BUILD)/redsweep tuned $(if $(RUNS),$(call paths,$(RUNS)),$(call quoted,$(or $(RUN),results/latest))) \
	    --prefix $(call quoted,$(NAMES)) --out $(TUNED) $(if $(INVARIANT),--invariant) $(if $(WHEEL),--wheel)
	$(TUNED_CC) -fPIC -c -o $(TUNED)/$(NAMES)_tuned.o tuned/redsweep_tuned.c
	rm -f $(TUNED)/lib$(NAMES)_tuned.a
	ar rcs $(TUNED)/lib$(NAMES)_tuned.a $(TUNED)/$(NAMES)_tuned.o
	CUDA=$(call quoted,$(call absolute,$(CUDA))) VERSION=$(VERSION) \
	    setup/pkgconfig.sh $(NAMES) '$${pcfiledir}' '' '' >$(TUNED)/$(NAMES)_tuned.pc
	for file in '' version; do CUDA=$(call quoted,$(call absolute,$(CUDA))) VERSION=$(VERSION) \
	    setup/cmake_package.sh $(NAMES) . . $$file >$(TUNED)/$(NAMES)_tuned-config$${file:+-version}.cmake || exit 1; done
	for p in calls bench batches; do $(TUNED_CC) -o $(TUNED)/$$p tests/tuned/$$p.c \
	    $(LIBRARY) $(LIBS) || exit 1; done
.PHONY: tuned

# The version is the one in the first heading of CHANGELOG.md.
VERSION := $(shell sed -n 's/^.. \([0-9][0-9.]*\)$$/\1/p' CHANGELOG.md | head -n 1)
# The commit that the program was built from, for the provenance of results.
COMMIT := $(shell git describe --always --dirty --abbrev=12 2>/dev/null || echo unknown)
$(BUILD)/commit: FORCE
	@mkdir -p $(@D)
	@echo '$(COMMIT)' | cmp -s - $@ || echo '$(COMMIT)' > $@
$(BUILD)/harness/run/provenance.o: $(BUILD)/commit
$(BUILD)/harness/run/provenance.o: CHANGELOG.md
$(BUILD)/harness/run/provenance.o: ALL_CFLAGS += -DREDSWEEP_COMMIT='"$(COMMIT)"' -DREDSWEEP_VERSION='"$(VERSION)"'

sweep: $(BUILD)/redsweep ## run a sweep: CONFIG=configs/quick.json DEVICE=auto [OUT=folder]
	$(BUILD)/redsweep run $(call quoted,$(CONFIG)) --device $(DEVICE) $(if $(OUT),--out $(call quoted,$(OUT)))

fastest: $(BUILD)/redsweep ## search for the fastest sum on this GPU; then `make tuned` makes it a library
	$(BUILD)/redsweep run configs/fastest.json --device $(DEVICE) $(if $(OUT),--out $(call quoted,$(OUT)))
.PHONY: fastest

resume: $(BUILD)/redsweep ## resume an interrupted run: RUN=results/latest [RETRY=crashed]
	$(BUILD)/redsweep resume $(call quoted,$(or $(RUN),results/latest)) $(if $(RETRY),--retry $(call quoted,$(RETRY)))

plots: $(BUILD)/redsweep | packages-plots ## draw charts: RUN='folder folder' [CHARTS='time best'] [WHERE='n >= 2^20'] [PLOTS=options]
	@$(BUILD)/redsweep plots $(call paths,$(or $(RUN),results/latest)) $(foreach chart,$(CHARTS),$(call quoted,$(chart))) \
	    $(if $(WHERE),--where $(call quoted,$(WHERE))) $(if $(OUT),--out $(call quoted,$(OUT))) $(PLOTS)

show: $(BUILD)/redsweep ## print a run's rows: [RUN=] [WHERE='n >= 2^20'] [COLUMNS=a,b] [SORT=-n]
	@$(BUILD)/redsweep show $(call quoted,$(or $(RUN),results/latest)) $(if $(WHERE),--where $(call quoted,$(WHERE))) \
	    $(if $(COLUMNS),--columns $(call quoted,$(COLUMNS))) $(if $(SORT),--sort $(call quoted,$(SORT)))

# `redsweep diff` itself exits with 1 for a regression, but make exits with 2 after every failure.
diff: $(BUILD)/redsweep | packages-plots ## compare two runs: A=folder B=folder [OUT=] [DIFF=options]
	@$(if $(and $(A),$(B)),,echo 'make diff needs two runs; write make diff A=results/... B=results/latest' >&2; exit 2)
	@mkdir -p $(call quoted,$(or $(OUT),results/diff)) && rm -f $(call quoted,$(or $(OUT),results/diff)/diff.csv)
	@$(BUILD)/redsweep diff $(call quoted,$(A)) $(call quoted,$(B)) --csv $(call quoted,$(or $(OUT),results/diff)/diff.csv) $(DIFF); \
	    code=$$?; [ $$code -gt 1 ] || { \
	        $(BUILD)/redsweep plots $(call quoted,$(A)) $(call quoted,$(B)) versus --out $(call quoted,$(or $(OUT),results/diff)); \
	        $(BUILD)/redsweep plots $(call quoted,$(A)) $(call quoted,$(B)) counts --out $(call quoted,$(or $(OUT),results/diff)) $(if $(METRICS),--y $(call quoted,$(METRICS))); }; \
	    exit $$code

# Compares two versions of the same kernels in one process. `redsweep gate` itself exits with 1 for
# a regression, but make exits with 2.
gate: $(BUILD)/redsweep ## two versions of kernels: CONFIG= BASELINE=folder [CANDIDATE=kernels] [OUT=] [GATE=options]
	@$(if $(BASELINE),,echo 'make gate needs BASELINE=folder; the folder contains the kernels to compare with' >&2; exit 2)
	@$(BUILD)/redsweep gate $(call quoted,$(CONFIG)) --baseline $(call quoted,$(BASELINE)) --candidate $(call quoted,$(or $(CANDIDATE),kernels)) \
	    --device $(DEVICE) $(if $(OUT),--out $(call quoted,$(OUT))) $(GATE)
.PHONY: gate

best: $(BUILD)/redsweep ## the fastest configurations: [RUN='folder folder'] [BEST=options]
	@$(BUILD)/redsweep best $(call paths,$(or $(RUN),results/latest)) $(BEST)

# Draws the charts first. A run with nothing to draw still gets its page.
report: $(BUILD)/redsweep | packages-plots ## a run as one HTML page with its charts: RUN=results/latest
	@$(BUILD)/redsweep plots $(call quoted,$(or $(RUN),results/latest)) || test $$? -eq 1
	@$(BUILD)/redsweep report $(call quoted,$(or $(RUN),results/latest))

gallery: $(BUILD)/redsweep | packages-plots ## generate docs/gallery.md from the committed runs
	@docs/gallery.sh $(BUILD)/redsweep
.PHONY: best report gallery

# Measures the points of the published tables on this machine's device, and prints its counts beside
# the published ones. OUT is the folder for the runs. The exit code is 1 if a count differs.
REPRODUCE = $(or $(OUT),$(BUILD)/reproduce)
reproduce: $(BUILD)/redsweep ## compare with published tables: DEVICE=auto [OUT=folder]
	@test -n '$(OUT)' || rm -rf $(BUILD)/reproduce
	@failed=0; for table in k80 1050ti; do \
	  $(BUILD)/redsweep run configs/published-$$table.json --device $(DEVICE) --out $(REPRODUCE)/$$table && \
	  setup/reproduce.sh $(BUILD)/redsweep $(REPRODUCE)/$$table results/published/$$table-* || failed=1; \
	done; exit $$failed

racecheck: $(BUILD)/redsweep ## detect data races: [KERNELS='smem unroll*'], by default in all reductions
	@$(BUILD)/redsweep racecheck $(foreach k,$(KERNELS),$(call quoted,$k)) $(RACECHECK)
.PHONY: racecheck

exercises: $(BUILD)/redsweep ## check the exercises of docs/what-the-kernels-teach.md: [ONLY=race]
	@REDSWEEP=$(call quoted,$(call absolute,$(BUILD))/redsweep) exercises/check.sh $(ONLY)
.PHONY: exercises

docs: $(BUILD)/redsweep ## regenerate the catalogue and the tables in docs/
	@docs/make.sh $(BUILD)/redsweep

# Install missing Debian or Ubuntu packages for a purpose (build, test, plots).
packages-build packages-test packages-plots packages-fuzz packages-check:
	@setup/packages.sh $(@:packages-%=%)

include tests/tests.mk setup/analysis.mk setup/install.mk

clean: ## remove build products; a fetched toolkit stays
	@test ! -d $(BUILD) || find $(BUILD) -mindepth 1 -maxdepth 1 ! -name toolkit -exec rm -rf {} +

help: ## print this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-14s %s\n", $$1, $$2 }' Makefile tests/tests.mk setup/analysis.mk setup/install.mk

FORCE:
.PHONY: all reproduce docs test-gpu test sweep resume plots show diff stage clean help FORCE packages-build packages-test packages-plots bench-sim
.SECONDARY:
-include $(shell find $(BUILD) -path $(BUILD)/toolkit -prune -o -name '*.d' -print 2>/dev/null)
