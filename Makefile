# redsweep: how GPU reductions behave, and which one to use.   `make help` lists what there is.

# make's own default for CC is cc; ours is gcc, unless the caller says otherwise.
ifeq ($(origin CC),default)
CC := gcc
endif
BUILD   ?= build
CONFIG  ?= configs/quick.json
DEVICE  ?= auto
CFLAGS  ?= -O2 -g

# setup/toolkit.sh finds the CUDA Toolkit, or fetches one into build/toolkit, and says which in a
# file that is read here. It runs each time, takes milliseconds, and rewrites the file (so that all
# is built anew) only when the toolkit is another one. SETUP=no installs nothing; TOOLKIT=fetch
# passes over an installed toolkit.
export SETUP TOOLKIT CUDA_HOME CC
.DEFAULT_GOAL := all
ifneq ($(filter-out help clean plots,$(or $(MAKECMDGOALS),all)),)
include $(BUILD)/toolkit.mk
$(BUILD)/toolkit.mk: FORCE
	@setup/toolkit.sh $@ build/toolkit
endif

WARN    := -Wall -Wextra -Werror -Wshadow -Wstrict-prototypes -Wmissing-prototypes
ALL_CFLAGS := -std=c11 -D_GNU_SOURCE $(WARN) $(CFLAGS) -Iharness -Ikernels \
              -isystem $(CUDA)/include -isystem $(CUDA)/extras/CUPTI/include
# NVRTC, nvJitLink and CUPTI are opened while running (harness/base/library.c), so that the program
# starts without them; the CUDA runtime is linked statically, the driver's library never.
LIBS    := -L$(CUDA)/lib64 -lcudart_static -lcjson -lpthread -ldl -lrt -lm

# Libraries that lie beside the program (a staged copy) come first.
RPATH   := -Wl,-rpath,'$$ORIGIN:$$ORIGIN/../..'

# Each function of the CPU is compiled once for every type and operation, and renamed accordingly
# (kernels/cpu/common.h, harness/devices/cpu/functions.c).
CPU_KERNELS := $(basename $(notdir $(wildcard kernels/cpu/*.c)))
CPU_TYPES   := INT32 UINT32 INT64 FLOAT32 FLOAT64
CPU_OPS     := SUM MAX MIN PROD
CPU_OBJECTS := $(foreach t,$(CPU_TYPES),$(foreach o,$(CPU_OPS),$(CPU_KERNELS:%=$(BUILD)/cpu_kernels/%_$t_$o.o)))

SOURCES := $(filter-out harness/main.c,$(wildcard harness/*.c harness/*/*.c harness/*/*/*.c))
OBJECTS := $(SOURCES:%.c=$(BUILD)/%.o) $(CPU_OBJECTS)
LIBRARY := $(BUILD)/libredsweep.a
GPU_TESTS := $(patsubst %.c,$(BUILD)/%,$(wildcard tests/gpu/*.c))
BENCHES := $(patsubst %.c,$(BUILD)/%,$(wildcard tests/bench/*.c)) $(BUILD)/tests/sim/bench_sim
TESTS   := $(patsubst %.c,$(BUILD)/%,$(wildcard tests/*/test_*.c))

all: $(BUILD)/redsweep ## build build/redsweep (the default)

$(BUILD)/redsweep: $(BUILD)/harness/main.o $(MORE_OBJECTS) $(LIBRARY)
	$(CC) $(CFLAGS) -o $@ $(filter %.o,$^) $(LIBRARY) $(LIBS) $(RPATH)

$(LIBRARY): $(OBJECTS)
	rm -f $@ && ar rcs $@ $^

$(BUILD)/%.o: %.c $(BUILD)/toolkit.mk | packages-build
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

define CPU_RULE
$(BUILD)/cpu_kernels/%_$1_$2.o: kernels/cpu/%.c $(BUILD)/toolkit.mk | packages-build
	@mkdir -p $$(@D)
	$(CC) $(ALL_CFLAGS) -Wno-missing-prototypes -DTYPE_$1 -DOP_$2 -D$$*=$$*_$1_$2 -MMD -MP -c -o $$@ $$<
endef
$(foreach t,$(CPU_TYPES),$(foreach o,$(CPU_OPS),$(eval $(call CPU_RULE,$t,$o))))

# The list of these functions, rewritten only when it has changed.
$(BUILD)/cpu_kernels.def: FORCE
	@mkdir -p $(@D)
	@printf 'CPU_KERNEL(%s)\n' $(CPU_KERNELS) | cmp -s - $@ || printf 'CPU_KERNEL(%s)\n' $(CPU_KERNELS) > $@
$(BUILD)/harness/devices/cpu/functions.o: $(BUILD)/cpu_kernels.def
$(BUILD)/harness/devices/cpu/functions.o: ALL_CFLAGS += -I$(BUILD)

# Where it looks for those libraries when it runs.
$(BUILD)/harness/base/library.o: ALL_CFLAGS += -DREDSWEEP_TOOLKIT='"$(abspath $(CUDA))"'

# CUPTI's host header includes C++'s <string> without need: these files get an empty one.
CUPTI_SHIM  := -Iharness/devices/cuda/cxx_shim
CUPTI_FILES := $(addprefix harness/devices/cuda/,counters cupti_host cupti_library cupti_range) \
               tests/devices/test_counters tests/devices/test_cuda_device
$(CUPTI_FILES:%=$(BUILD)/%.o): ALL_CFLAGS += $(CUPTI_SHIM)

# A CUPTI without a GPU, for the tests of counting.
$(BUILD)/tests/devices/test_counters: $(BUILD)/tests/devices/fake_cupti.so
$(BUILD)/tests/devices/fake_cupti.so: tests/devices/fake_cupti.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $(CUPTI_SHIM) -MMD -MP -MT $@ -shared -fPIC -o $@ $<

# The same for NVML.
$(BUILD)/tests/devices/test_nvml: $(BUILD)/tests/devices/fake_nvml.so
$(BUILD)/tests/devices/fake_nvml.so: tests/devices/fake_nvml.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -MMD -MP -MT $@ -shared -fPIC -o $@ $<

# This one compiles what was written.
$(BUILD)/tests/tuned/test_write.o: ALL_CFLAGS += -DTOOLKIT='"$(abspath $(CUDA))"' -DCOMPILER='"$(CC)"'

# Host memory that runs out on command.
comma          := ,
FAILING_MEMORY := $(BUILD)/tests/faults/failing_memory.o
MEMORY_LIBS    := $(addprefix -Wl$(comma)--wrap=,malloc calloc realloc strdup)
$(BUILD)/tests/faults/test_allocations: $(FAILING_MEMORY)
$(BUILD)/tests/faults/test_allocations: LIBS += $(MEMORY_LIBS)

# A CUDA runtime without a GPU takes the place of NVIDIA's: in the tests test_cuda_*, and in a whole
# redsweep of its own, which looks for libraries and a toolkit in its own folder first.
FAKE_GPU      := $(BUILD)/tests/devices/fake_gpu
FAKE_CUDA     := $(addprefix $(BUILD)/tests/devices/,fake_cuda.o fake_cuda_faults.o fake_cuda_queue.o \
                 fake_cuda_context.o fake_compiler.o) $(FAILING_MEMORY)
FAKE_LIBS     := $(addprefix -Wl$(comma)--wrap=,nvrtc_load nvjitlink_load) $(MEMORY_LIBS) \
                 -Wl,--export-dynamic-symbol='fake_cuda_*'
CUDA_TESTS    := $(filter $(BUILD)/tests/devices/test_cuda_%,$(TESTS))
$(CUDA_TESTS): $(FAKE_CUDA) $(BUILD)/tests/devices/fake_cupti.so $(BUILD)/tests/devices/fake_nvml.so \
               $(BUILD)/tests/devices/fake_host_code.so | $(FAKE_GPU)/redsweep
$(CUDA_TESTS): LIBS += $(FAKE_LIBS)
$(FAKE_GPU)/redsweep: $(BUILD)/harness/main.o $(FAKE_CUDA) $(LIBRARY)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -o $@ $^ $(LIBS) $(FAKE_LIBS)
$(FAKE_GPU)/redsweep: $(FAKE_GPU)/libredsweep_cub.so
$(FAKE_GPU)/libredsweep_cub.so: $(BUILD)/tests/devices/fake_host_code.so
	@mkdir -p $(@D)
	cp $< $@
$(BUILD)/tests/devices/fake_host_code.so: tests/devices/fake_host_code.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -MMD -MP -MT $@ -shared -fPIC -o $@ $<

# The device that misbehaves on command, and its bed, for the tests of running.
RUN_TESTS := $(filter $(BUILD)/tests/run/%,$(TESTS))
$(RUN_TESTS): $(BUILD)/tests/run/fault_device.o $(BUILD)/tests/run/fixture.o

# Looks at the disk whenever a request is sent.
$(BUILD)/tests/run/test_order: LIBS += -Wl,--wrap=message_send,--wrap=fdatasync

# A test links only what it uses of the library.
$(TESTS:=.o) $(GPU_TESTS:=.o): | packages-test
$(BUILD)/tests/%: $(BUILD)/tests/%.o $(MORE_OBJECTS) $(LIBRARY)
	$(CC) $(CFLAGS) -o $@ $(filter %.o,$^) $(LIBRARY) $(LIBS) -Wl,--as-needed -lcmocka $(RPATH)

# Parsers and made-up bytes. The kept corpus is part of `make test`; `make fuzz` lets clang's
# libFuzzer invent more, for FUZZ_SECONDS or FUZZ_RUNS inputs a target, and keeps what crashes in
# build/fuzz. With the same FUZZ_SEED it invents the same inputs; 0 is another one each time.
FUZZ_TARGETS := $(patsubst tests/fuzz/fuzz_%.c,%,$(wildcard tests/fuzz/fuzz_*.c))
FUZZ_SECONDS ?= 60
FUZZ_RUNS    ?= -1
FUZZ_SEED    ?= 0
FUZZ_FLAGS   := -g -O1 -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined
$(FUZZ_TARGETS:%=$(BUILD)/tests/fuzz/replay_%): $(BUILD)/tests/fuzz/replay_%: \
    $(BUILD)/tests/fuzz/fuzz_%.o $(BUILD)/tests/fuzz/replay.o $(LIBRARY)
	$(CC) $(CFLAGS) -o $@ $(filter %.o,$^) $(LIBRARY) $(LIBS) $(RPATH)
test-corpus: $(FUZZ_TARGETS:%=$(BUILD)/tests/fuzz/replay_%)
	@for t in $(FUZZ_TARGETS); do echo "corpus $$t"; \
	    $(BUILD)/tests/fuzz/replay_$$t tests/fuzz/corpus/$$t/* 2>$(BUILD)/tests/fuzz/$$t.log || \
	    { tail $(BUILD)/tests/fuzz/$$t.log; exit 1; }; done
$(FUZZ_TARGETS:%=$(BUILD)/tests/fuzz/invent_%): $(BUILD)/tests/fuzz/invent_%: \
    $(BUILD)/tests/fuzz/fuzz_%.o $(LIBRARY)
	$(CC) $(CFLAGS) -fsanitize=fuzzer -o $@ $< $(LIBRARY) $(LIBS) $(RPATH)
fuzz: | packages-fuzz ## invent inputs for each parser: [FUZZ_SECONDS=60] [FUZZ_TARGETS='csv ptx']
	@$(MAKE) -s BUILD=build/fuzz CC=clang CFLAGS='$(FUZZ_FLAGS)' \
	    $(FUZZ_TARGETS:%=build/fuzz/tests/fuzz/invent_%)
	@FUZZ_RUNS=$(FUZZ_RUNS) FUZZ_SEED=$(FUZZ_SEED) \
	    setup/fuzz.sh build/fuzz/tests/fuzz $(FUZZ_SECONDS) $(FUZZ_TARGETS)
.PHONY: fuzz test-corpus packages-fuzz

# Slower checks of the code itself, for CI and before a release. CUPTI opens its parts in a way that
# AddressSanitizer refuses: tests/sanitize/dlopen.c. (-Wno-error: with sanitizers gcc 12 sees
# truncations that cannot happen.) Left out here are the tests that take long without running other
# code than the rest: every architecture, every point of full.json, a million points.
QUICK_TESTS := $(filter-out %/test_architectures %/test_manual %/run/test_memory,$(TESTS))
SANITIZE := -g -O1 -Wno-error -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer
check-sanitize: ## the tests with AddressSanitizer and UndefinedBehaviorSanitizer
	@$(MAKE) BUILD=build/sanitize CFLAGS='$(SANITIZE)' MORE_OBJECTS=build/sanitize/tests/sanitize/dlopen.o \
	    LSAN_OPTIONS=suppressions=$(CURDIR)/tests/leak-suppressions.txt SETUP=$(SETUP) \
	    TESTS='$(QUICK_TESTS:$(BUILD)/%=build/sanitize/%)' test
VALGRIND_TESTS := $(addprefix $(BUILD)/tests/,run/test_resume run/test_trust run/test_no_counters record/test_record \
                  record/test_storage record/test_csv config/test_config plan/test_kernel compare/test_results \
                  compare/test_diff compare/test_match compare/test_best)
check-valgrind: $(VALGRIND_TESTS) | packages-check ## the parent, and what reads files, under valgrind
	@for t in $^; do echo $$t; valgrind -q --leak-check=full --show-leak-kinds=definite \
	    --errors-for-leak-kinds=definite --error-exitcode=9 --trace-children=no \
	    --child-silent-after-fork=yes $$t || exit 1; done
check-analysis: $(BUILD)/libredsweep.a | packages-check ## clang-tidy and cppcheck
	@setup/check_code.sh $(BUILD) $(CUDA)
check-code: check-analysis check-sanitize check-valgrind ## all of these three
# A child that ends by _exit would not write down what it ran through. Threads count together.
COVERAGE := -g -O0 --coverage -fprofile-update=atomic -D_exit=exit
coverage: | packages-check ## line coverage of harness/ by the tests: build/coverage/coverage.md
	@find build/coverage -name '*.gcda' -delete 2>/dev/null || true
	@$(MAKE) BUILD=build/coverage CFLAGS='$(COVERAGE)' SETUP=$(SETUP) \
	    TESTS='$(QUICK_TESTS:$(BUILD)/%=build/coverage/%)' test >build/coverage.log 2>&1 || \
	    { tail -50 build/coverage.log; exit 1; }
	@setup/coverage.sh build/coverage
.PHONY: check-sanitize check-valgrind check-analysis check-code coverage packages-check

# Every test program runs, also after one has failed; the exit code says whether all passed.
test: test-corpus $(BUILD)/redsweep $(BUILD)/tests/gpu/kernels $(TESTS) | packages-plots ## build and run the tests; no GPU is needed
	@failed=0; for t in $(TESTS) $(wildcard tests/*/test_*.sh); do BUILD=$(abspath $(BUILD)) $$t || failed=1; done; exit $$failed

# CUB is a library of templates that launches its kernels from the host, so nvcc has to compile it,
# for the architectures that CUB_ARCHS names: by default that of the GPU here, or sm_90 without one.
NVCC      ?= $(CUDA)/bin/nvcc
CUB_ARCHS ?= $(or $(shell nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | \
                    sort -u | sed 's/\.//;s/^/sm_/'),sm_90)
cub: $(BUILD)/libredsweep_cub.so ## build CUB's reduction as a kernel of the sweeps; needs nvcc
$(BUILD)/libredsweep_cub.so: kernels/cub.cu $(BUILD)/toolkit.mk
	@test -x $(NVCC) || { echo "make cub needs nvcc, which the CUDA Toolkit brings: not at $(NVCC);" \
	    "name it with NVCC=…" >&2; exit 1; }
	$(NVCC) -O3 -std=c++17 $(foreach a,$(CUB_ARCHS),-gencode arch=compute_$(a:sm_%=%),code=$(a)) \
	    -shared -Xcompiler -fPIC -o $@ $<
.PHONY: cub

# The library of a run's winners: sources from `redsweep tuned`, and two programs that call it.
TUNED := $(BUILD)/tuned
TUNED_CC = $(CC) $(ALL_CFLAGS) -I$(TUNED)
tuned: $(BUILD)/redsweep ## make a library of a run's winners: RUN=results/latest, into build/tuned
	$(BUILD)/redsweep tuned $(or $(RUN),results/latest) --out $(TUNED)
	$(TUNED_CC) -c -o $(TUNED)/redsweep_tuned.o tuned/redsweep_tuned.c
	ar rcs $(TUNED)/libredsweep_tuned.a $(TUNED)/redsweep_tuned.o
	for p in calls bench; do $(TUNED_CC) -o $(TUNED)/$$p tests/tuned/$$p.c \
	    $(TUNED)/libredsweep_tuned.a $(LIBS) || exit 1; done
.PHONY: tuned

# Which commit this was built from, for the provenance of results.
COMMIT := $(shell git describe --always --dirty --abbrev=12 2>/dev/null || echo unknown)
$(BUILD)/commit: FORCE
	@mkdir -p $(@D)
	@echo '$(COMMIT)' | cmp -s - $@ || echo '$(COMMIT)' > $@
$(BUILD)/harness/run/provenance.o: $(BUILD)/commit
$(BUILD)/harness/run/provenance.o: ALL_CFLAGS += -DREDSWEEP_COMMIT='"$(COMMIT)"'

sweep: $(BUILD)/redsweep ## run a sweep: CONFIG=configs/quick.json DEVICE=auto [OUT=folder]
	$(BUILD)/redsweep run $(CONFIG) --device $(DEVICE) $(if $(OUT),--out $(OUT))

resume: $(BUILD)/redsweep ## go on with a run that was stopped: RUN=results/latest [RETRY=crashed]
	$(BUILD)/redsweep resume '$(or $(RUN),results/latest)' $(if $(RETRY),--retry '$(RETRY)')

# TERM=text on the command line, not the terminal's own TERM, asks for text.
plots: | packages-plots ## draw a run's charts: RUN=results/latest [TERM=text]
	@$(if $(filter text,$(TERM)),FORMAT=text) plots/plot.sh '$(or $(RUN),results/latest)'

show: $(BUILD)/redsweep ## print a run's rows: [RUN=] [WHERE='n >= 2^20'] [COLUMNS=a,b] [SORT=-n]
	@$(BUILD)/redsweep show '$(or $(RUN),results/latest)' $(if $(WHERE),--where '$(WHERE)') \
	    $(if $(COLUMNS),--columns '$(COLUMNS)') $(if $(SORT),--sort '$(SORT)')

# make turns every failure into its own exit code 2; `redsweep diff` itself has 1 for a regression.
diff: $(BUILD)/redsweep | packages-plots ## compare two runs: A=folder B=folder [OUT=] [DIFF=options]
	@mkdir -p '$(or $(OUT),results/diff)'
	@$(BUILD)/redsweep diff '$(A)' '$(B)' --csv '$(or $(OUT),results/diff)/diff.csv' $(DIFF); \
	    code=$$?; [ $$code -eq 2 ] || plots/plot_diff.sh '$(or $(OUT),results/diff)/diff.csv' '$(A)' '$(B)'; \
	    exit $$code

best: $(BUILD)/redsweep ## the fastest configurations: [RUN='folder folder'] [BEST=options]
	@$(BUILD)/redsweep best $(or $(RUN),results/latest) $(BEST)

# Charts first; a run that none can be drawn of still has its page.
report: $(BUILD)/redsweep | packages-plots ## a run as one HTML page with its charts: RUN=results/latest
	@plots/plot.sh '$(or $(RUN),results/latest)' || test $$? -eq 1
	@$(BUILD)/redsweep report '$(or $(RUN),results/latest)'

gallery: $(BUILD)/redsweep | packages-plots ## make docs/gallery.md from the committed runs
	@docs/gallery.sh $(BUILD)/redsweep
.PHONY: best report gallery

# The same points as in the published tables, on the device at hand, beside what was printed.
# OUT: where the runs go; the exit code is 1 when a count differs.
REPRODUCE = $(or $(OUT),$(BUILD)/reproduce)
reproduce: $(BUILD)/redsweep ## compare with published tables: DEVICE=auto [OUT=folder]
	@test -n '$(OUT)' || rm -rf $(BUILD)/reproduce
	@failed=0; for table in k80 1050ti; do \
	  $(BUILD)/redsweep run configs/published-$$table.json --device $(DEVICE) --out $(REPRODUCE)/$$table && \
	  $(BUILD)/redsweep reproduce $(REPRODUCE)/$$table results/published/$$table-* || failed=1; \
	done; exit $$failed

check: $(BUILD)/redsweep ## look for data races: [KERNELS='smem unroll*'], by default in all reductions
	@$(BUILD)/redsweep check $(foreach k,$(KERNELS),'$k') $(CHECK)
.PHONY: check

docs: $(BUILD)/redsweep ## make the catalogue and the tables in docs/ anew
	@docs/make.sh $(BUILD)/redsweep

# A copy that runs on a machine without this one's packages: build/ with the libraries beside the
# program. Copy the tree with build/ there and run build/redsweep, or tests/gpu/run.sh.
stage: $(BUILD)/redsweep $(GPU_TESTS) $(BENCHES) ## put the libraries that it is linked with beside the program
	for library in $$(LD_LIBRARY_PATH= ldd $(BUILD)/redsweep $(GPU_TESTS) $(BENCHES) | awk '/cjson|cmocka/ { print $$3 }' | sort -u); do \
		test $$library -ef $(BUILD)/$${library##*/} || cp -L $$library $(BUILD)/; done

test-gpu: stage ## test everything that needs a GPU, on this machine (tests/gpu/run.sh)
	@BUILD=$(BUILD) tests/gpu/run.sh

# Missing Debian or Ubuntu packages for a purpose (build, test, plots) are installed.
packages-build packages-test packages-plots packages-fuzz packages-check:
	@setup/packages.sh $(@:packages-%=%)

# What redsweep itself costs. Parts that need a GPU say so where there is none.
bench: $(BUILD)/redsweep $(BENCHES) ## what redsweep costs, as a table and as build/bench/bench.json
	@BUILD=$(BUILD) tests/bench/bench.sh
.PHONY: bench

bench-sim: $(BUILD)/tests/sim/bench_sim ## how fast the simulator is, in warp instructions a second
	$<
	$< neighbored
	$< smem_unroll

clean: ## remove what was built; a fetched toolkit stays
	@test ! -d $(BUILD) || find $(BUILD) -mindepth 1 -maxdepth 1 ! -name toolkit -exec rm -rf {} +

help: ## print this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-10s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

FORCE:
.PHONY: all reproduce docs test-gpu test sweep resume plots show diff stage clean help FORCE packages-build packages-test packages-plots bench-sim
.SECONDARY:
-include $(shell find $(BUILD) -path $(BUILD)/toolkit -prune -o -name '*.d' -print 2>/dev/null)
