# The Makefile includes this file. It has the rules for the tests, and for what they need besides
# the library: fakes of CUDA, CUPTI and NVML, a device that produces faults on demand, and wrappers
# around system calls.

GPU_TESTS := $(patsubst %.c,$(BUILD)/%,$(wildcard tests/gpu/*.c experiments/measuring/*.c))
BENCHES := $(patsubst %.c,$(BUILD)/%,$(wildcard experiments/bench/*.c)) $(BUILD)/tests/devices/sim/bench_sim
TESTS   := $(patsubst %.c,$(BUILD)/%,$(wildcard tests/*/test_*.c tests/*/*/test_*.c))
SCRIPTS := $(wildcard tests/*/test_*.sh tests/*/*/test_*.sh)
# The fake CUPTI imitates functions that exist since CUDA 12.6, and the library of winners calls one
# that exists since CUDA 12.8. With an older toolkit, the tests that need them are left out.
ifeq ($(HAS_COUNTERS),)
TESTS := $(filter-out %/test_counters %/test_chips $(BUILD)/tests/devices/test_cuda_% %/test_write %/test_write_programs %/test_calls,$(TESTS))
endif

$(BUILD)/tests/devices/test_counters.o $(BUILD)/tests/devices/test_cuda_device.o: ALL_CFLAGS += $(CUPTI_SHIM)

# The counting tests use a fake CUPTI, which needs no GPU.
$(BUILD)/tests/devices/test_counters: $(BUILD)/tests/devices/fake_cupti.so
$(BUILD)/tests/devices/fake_cupti.so: tests/devices/fake_cupti.c
	@mkdir -p $(@D)
	$(QUIET_LINK)$(CC) $(ALL_CFLAGS) $(CUPTI_SHIM) -MMD -MP -MT $@ -shared -fPIC -o $@ $<

# This test uses a fake NVML, which needs no GPU.
$(BUILD)/tests/devices/test_nvml: $(BUILD)/tests/devices/fake_nvml.so
$(BUILD)/tests/devices/fake_nvml.so: tests/devices/fake_nvml.c
	@mkdir -p $(@D)
	$(QUIET_LINK)$(CC) $(ALL_CFLAGS) -MMD -MP -MT $@ -shared -fPIC -o $@ $<

# These tests compile files that redsweep has written.
$(BUILD)/tests/tuned/test_write.o $(BUILD)/tests/tuned/test_write_programs.o: ALL_CFLAGS += -DTOOLKIT=$(call quoted,$(call c_string,$(call absolute,$(CUDA)))) -DCOMPILER='"$(CC)"'

# These tests contain the library's handwritten part and an invented table of winners.
$(BUILD)/tests/tuned/test_calls.o $(BUILD)/tests/tuned/test_batches.o: ALL_CFLAGS += -I. -Itests/tuned/invented

# These tests compare messages with those in tests/texts/*.txt. Commands print some of these
# messages, so the tests need redsweep.
$(BUILD)/tests/texts/test_texts $(BUILD)/tests/texts/test_outputs $(BUILD)/tests/texts/test_drawn: $(BUILD)/tests/texts/answers.o \
    $(BUILD)/tests/texts/texts.o | $(BUILD)/redsweep
$(addprefix $(BUILD)/tests/texts/,test_choices test_simulator): $(BUILD)/tests/texts/texts.o

# The functions in this archive compare messages with those in the .txt file next to a test.
EXPECTED := $(BUILD)/tests/texts/expected.a
$(EXPECTED): $(BUILD)/tests/texts/expected.o $(BUILD)/tests/texts/cases.o
	$(QUIET_AR)rm -f $@ && ar rcs $@ $^

# Lets a test make allocations of host memory fail.
comma          := ,
FAILING_MEMORY := $(BUILD)/tests/faults/failing_memory.o
MEMORY_LIBS    := $(addprefix -Wl$(comma)--wrap=,malloc calloc realloc strdup)
$(BUILD)/tests/faults/test_allocations: $(FAILING_MEMORY)
$(BUILD)/tests/faults/test_allocations: LIBS += $(MEMORY_LIBS)

# In the tests test_cuda_*, and in a separate build of redsweep, a fake CUDA runtime, which needs no
# GPU, replaces NVIDIA's. This redsweep looks for libraries and a toolkit in its own folder first.
FAKE_GPU      := $(BUILD)/tests/devices/fake_gpu
FAKE_CUDA     := $(addprefix $(BUILD)/tests/devices/,fake_cuda.o fake_cuda_launch.o fake_cuda_faults.o \
                 fake_cuda_queue.o fake_cuda_context.o fake_cuda_older.o fake_compiler.o) $(FAILING_MEMORY)
FAKE_LIBS     := $(addprefix -Wl$(comma)--wrap=,nvrtc_load nvjitlink_load) $(MEMORY_LIBS) \
                 -Wl,--export-dynamic-symbol='fake_cuda_*'
CUDA_TESTS    := $(filter $(BUILD)/tests/devices/test_cuda_%,$(TESTS))
$(CUDA_TESTS): $(FAKE_CUDA) $(BUILD)/tests/devices/fake_cupti.so $(BUILD)/tests/devices/fake_nvml.so \
               $(BUILD)/tests/devices/fake_host_code.so | $(FAKE_GPU)/redsweep $(FAKE_GPU)/queue_slot
$(CUDA_TESTS): LIBS += $(FAKE_LIBS)
# LIBS is private, so that it does not change for the programs that the test needs.
SKIPPING_CLOCK := $(BUILD)/tests/faults/skipping_clock.o
SKIPPING_LIBS  := -Wl,--wrap=clock_now_s,--wrap=poll
$(BUILD)/tests/devices/test_cuda_sweep: $(SKIPPING_CLOCK)
$(BUILD)/tests/devices/test_cuda_sweep: private LIBS += $(SKIPPING_LIBS)
$(FAKE_GPU)/redsweep: $(BUILD)/harness/cli/main.o $(FAKE_CUDA) $(MORE_OBJECTS) $(LIBRARY)
	@mkdir -p $(@D)
	$(QUIET_LINK)$(CC) $(CFLAGS) -o $@ $(filter %.o %.a,$^) $(LIBS) $(FAKE_LIBS)
$(FAKE_GPU)/queue_slot: $(BUILD)/tests/gpu/queue_slot.o $(FAKE_CUDA) $(MORE_OBJECTS) $(LIBRARY)
	@mkdir -p $(@D)
	$(QUIET_LINK)$(CC) $(CFLAGS) -o $@ $(filter %.o %.a,$^) $(LIBS) $(FAKE_LIBS)
$(FAKE_GPU)/redsweep: $(FAKE_GPU)/libredsweep_cub.so
$(FAKE_GPU)/libredsweep_cub.so: $(BUILD)/tests/devices/fake_host_code.so
	@mkdir -p $(@D)
	cp $< $@
$(BUILD)/tests/devices/fake_host_code.so: tests/devices/fake_host_code.c
	@mkdir -p $(@D)
	$(QUIET_LINK)$(CC) $(ALL_CFLAGS) -MMD -MP -MT $@ -shared -fPIC -o $@ $<

# The tests of run/ use a device that produces faults on demand, its fixture, and a clock that skips
# waiting times.
RUN_TESTS := $(filter $(BUILD)/tests/run/%,$(TESTS))
$(RUN_TESTS): $(BUILD)/tests/run/fault_device.o $(BUILD)/tests/run/fixture.o $(SKIPPING_CLOCK)
$(RUN_TESTS): LIBS += $(SKIPPING_LIBS)

WAITING_TESTS := $(BUILD)/tests/base/test_transfer $(BUILD)/tests/compile/test_limits
$(WAITING_TESTS): $(SKIPPING_CLOCK)
$(WAITING_TESTS): LIBS += $(SKIPPING_LIBS)

# Makes calls to read() fail.
$(BUILD)/tests/record/test_read_errors: LIBS += -Wl,--wrap=read

# test_replace checks what is synced before a file replaces another one. In test_lock, a lock's
# owner releases it at a critical moment.
$(BUILD)/tests/record/test_replace: LIBS += -Wl,--wrap=fsync,--wrap=renameat
$(BUILD)/tests/record/test_lock: LIBS += -Wl,--wrap=fstat

# Kills a process that makes a run, once at each call that changes a file.
$(BUILD)/tests/analyze/test_making: LIBS += $(addprefix -Wl$(comma)--wrap=,rename renameat unlink unlinkat \
                                       rmdir mkdir fsync close)

# Checks the files on disk whenever the parent sends a request or waits.
$(BUILD)/tests/run/test_order: LIBS += $(addprefix -Wl$(comma)--wrap=,message_append \
                                    fdatasync record_add)

# Measures points that the example of a search strategy selects.
$(BUILD)/tests/run/test_strategy: $(BUILD)/tests/run/source_largest.o
$(BUILD)/tests/run/test_strategy: LIBS += -Wl,--wrap=source_kind_of

# fork() fails when redsweep starts a process for the compiler.
$(BUILD)/tests/faults/test_no_process: LIBS += -Wl,--wrap=fork

# Checks that the parent never waits for a worker to exit, and that devices can be listed even if a
# driver hangs.
$(BUILD)/tests/run/test_supervisor: LIBS += -Wl,--wrap=waitpid,--wrap=device_list

# Checks the requests that a gate sends.
$(BUILD)/tests/run/test_gate: LIBS += -Wl,--wrap=message_append

# A test contains only the parts of the library that it uses.
$(TESTS:=.o) $(GPU_TESTS:=.o) $(BENCHES:=.o): | packages-test
$(BUILD)/tests/%: $(BUILD)/tests/%.o $(MORE_OBJECTS) $(EXPECTED) $(LIBRARY)
	$(QUIET_LINK)$(CC) $(CFLAGS) -o $@ $(filter %.o,$^) $(EXPECTED) $(LIBRARY) $(LIBS) -Wl,--as-needed -lcmocka $(RPATH)
$(BUILD)/experiments/%: $(BUILD)/experiments/%.o $(MORE_OBJECTS) $(LIBRARY)
	$(QUIET_LINK)$(CC) $(CFLAGS) -o $@ $(filter %.o,$^) $(LIBRARY) $(LIBS) $(RPATH)

# The scripts tests/**/*.sh run these programs.
SCRIPT_PROGRAMS := $(addprefix $(BUILD)/tests/,gpu/kernels gpu/exact_sums gpu/invariant setup/kernel_hashes)

# Runs all tests, even if one of them fails. The exit code says whether all passed (tests/run.sh).
# `check` is GNU's name for this goal.
check: test ## the same as `make test`
.PHONY: check
test: test-corpus $(BUILD)/redsweep $(SCRIPT_PROGRAMS) $(TESTS) | packages-plots ## build and run the tests; no GPU is needed
	@BUILD=$(call quoted,$(call absolute,$(BUILD))) tests/run.sh $(filter $(TESTS) $(SCRIPTS),$(LONG_TESTS)) \
	    $(filter-out $(LONG_TESTS),$(TESTS) $(SCRIPTS))
# Long tests go first, so that no processor is idle while the last of them is running.
LONG_TESTS = tests/devices/sim/test_every_kernel.sh \
             $(addprefix $(BUILD)/tests/,compile/test_architectures devices/sim/test_kernels)

build-tests: $(BUILD)/redsweep $(SCRIPT_PROGRAMS) $(TESTS) $(GPU_TESTS) $(BENCHES) ## build all tests and run none
.PHONY: build-tests

# The tests of tests/texts, and the C tests with a .txt file next to them, except those in
# LONG_TESTS.
TEXTS = $(filter-out $(LONG_TESTS),$(filter $(BUILD)/tests/texts/%,$(TESTS)) $(patsubst %.txt,$(BUILD)/%,$(wildcard tests/*/test_*.txt tests/*/*/test_*.txt)))
texts: build-tests ## write the expected texts of the tests anew; git diff shows what changed
	@UPDATE=1 BUILD=$(call quoted,$(call absolute,$(BUILD))) tests/run.sh $(TEXTS)
.PHONY: texts

# These tests check what depends on the toolkit's version: NVIDIA's libraries, the code that they
# compile, and the runtime.
TOOLKIT_TESTS := $(filter $(addprefix $(BUILD)/tests/,base/test_library compile/test_% devices/test_counters \
                 devices/test_cuda_device devices/test_cuda_errors devices/test_cuda_sweep metrics/test_chips \
                 devices/sim/test_kernels devices/sim/test_counts tuned/test_write tuned/test_write_programs tuned/test_calls),$(TESTS))
test-toolkit: $(BUILD)/redsweep $(TOOLKIT_TESTS) ## only the tests that another CUDA Toolkit can fail: TOOLKIT=12
	@BUILD=$(call quoted,$(call absolute,$(BUILD))) tests/run.sh $(TOOLKIT_TESTS) \
	    $(if $(HAS_COUNTERS),tests/devices/test_cuda_command.sh)
.PHONY: test-toolkit

# Copies libraries into build/, so that the program runs on a machine without this one's packages.
# Copy the tree with build/ to that machine, and run build/redsweep or tests/gpu/run.sh there.
stage: $(BUILD)/redsweep $(GPU_TESTS) $(BENCHES) ## put the libraries that it is linked with beside the program
	for library in $$(LD_LIBRARY_PATH= ldd $(BUILD)/redsweep $(GPU_TESTS) $(BENCHES) | awk '/cjson|cmocka/ { print $$3 }' | sort -u); do \
		test $$library -ef $(BUILD)/$${library##*/} || cp -L $$library $(BUILD)/; done

# Packs the same files along with the parts of the CUDA Toolkit that they need, for a machine with
# another toolkit version or none (see setup/stage.sh).
stage-cuda: stage ## pack the program and its CUDA libraries: [NVJITLINK=yes]
	@NVJITLINK=$(NVJITLINK) setup/stage.sh $(BUILD) $(CUDA) $(CUDA_MAJOR)
.PHONY: stage-cuda

# Runs Slurm with four nodes on this machine. Prints why and skips the tests if Slurm cannot be
# installed or the user is not root.
test-cluster: $(BUILD)/redsweep ## try submit, requeue and lost nodes on a real Slurm (root, 2 minutes)
	@setup/packages.sh cluster || { echo 'test-cluster: skipped: no Slurm'; exit 0; }; \
	BUILD='$(abspath $(BUILD))' tests/cluster/slurm.sh || [ $$? -eq 77 ]
.PHONY: test-cluster

# If Chromium cannot be installed, the scripts say so and are skipped.
test-browser: $(BUILD)/redsweep ## try the HTML pages, and the schema of configs in an editor, in a headless Chromium (one minute)
	@setup/packages.sh browser || true
	@BUILD=$(call quoted,$(call absolute,$(BUILD))) tests/browser/pages.sh
	@BUILD=$(call quoted,$(call absolute,$(BUILD))) tests/browser/editor.sh
.PHONY: test-browser

test-gpu: stage ## all tests that need a GPU (tests/gpu/run.sh)
	@BUILD=$(call quoted,$(BUILD)) tests/gpu/run.sh

# Measures how much time redsweep itself takes. Without a GPU, the parts that need one say so and
# are skipped.
bench: $(BUILD)/redsweep $(BENCHES) ## overhead of redsweep, as a table and as build/bench/bench.json
	@BUILD=$(call quoted,$(BUILD)) experiments/bench/bench.sh
.PHONY: bench

check-additions: ## prove on a copy of the tree that an operation touches three files, and an element type two
	@tests/additions/check.sh
.PHONY: check-additions

bench-sim: $(BUILD)/tests/devices/sim/bench_sim ## how fast the simulator is, in warp instructions per second
	$<
	$< neighbored
	$< smem_unroll
