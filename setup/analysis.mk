# Slower checks of the code itself: static analysis, sanitizers, valgrind, fuzzing, coverage and
# formatting. Included by the Makefile.

# Fuzz the parsers. `make test` runs only the saved corpus. `make fuzz` lets clang's libFuzzer
# generate more inputs per target, for FUZZ_SECONDS seconds or up to FUZZ_RUNS inputs, and keeps
# those that crash in build/fuzz. The same FUZZ_SEED generates the same inputs; FUZZ_SEED=0 picks a
# different seed each time.
FUZZ_TARGETS := $(patsubst tests/fuzz/fuzz_%.c,%,$(wildcard tests/fuzz/fuzz_*.c))
FUZZ_SECONDS ?= 60
FUZZ_RUNS    ?= -1
FUZZ_SEED    ?= 0
FUZZ_FLAGS   := -g -O1 -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined
$(FUZZ_TARGETS:%=$(BUILD)/tests/fuzz/replay_%): $(BUILD)/tests/fuzz/replay_%: \
    $(BUILD)/tests/fuzz/fuzz_%.o $(BUILD)/tests/fuzz/replay.o $(LIBRARY)
	$(QUIET_LINK)$(CC) $(CFLAGS) -o $@ $(filter %.o,$^) $(LIBRARY) $(LIBS) $(RPATH)
build-tests test-corpus: $(FUZZ_TARGETS:%=$(BUILD)/tests/fuzz/replay_%)
test-corpus:
	@for t in $(FUZZ_TARGETS); do echo "corpus $$t"; \
	    $(BUILD)/tests/fuzz/replay_$$t tests/fuzz/corpus/$$t/* 2>$(BUILD)/tests/fuzz/$$t.log || \
	    { tail $(BUILD)/tests/fuzz/$$t.log; exit 1; }; done
$(FUZZ_TARGETS:%=$(BUILD)/tests/fuzz/invent_%): $(BUILD)/tests/fuzz/invent_%: \
    $(BUILD)/tests/fuzz/fuzz_%.o $(LIBRARY)
	$(QUIET_LINK)$(CC) $(CFLAGS) -fsanitize=fuzzer -o $@ $< $(LIBRARY) $(LIBS) $(RPATH)
fuzz: | packages-fuzz ## fuzz each parser: [FUZZ_SECONDS=60] [FUZZ_TARGETS='csv ptx']
	@$(MAKE) -s BUILD=build/fuzz CC=clang CFLAGS='$(FUZZ_FLAGS)' \
	    $(FUZZ_TARGETS:%=build/fuzz/tests/fuzz/invent_%)
	@FUZZ_RUNS=$(FUZZ_RUNS) FUZZ_SEED=$(FUZZ_SEED) \
	    setup/fuzz.sh build/fuzz/tests/fuzz $(FUZZ_SECONDS) $(FUZZ_TARGETS)
.PHONY: fuzz test-corpus packages-fuzz

# These checks are for CI and for releases. tests/sanitize/runtime.c sets the options of the sanitizers. (-Wno-
# error: with sanitizers, gcc 12 warns about truncations that cannot happen.) The checks leave out tests that
# take long and run no code that other tests do not run: every architecture, chip and kernel, every point of
# full.json, a million points, all pairs of recorded runs, statistics over thousands of simulated launches,
# and whole gates on the fake GPU. They also leave out one test that counts bytes, because sanitizers multiply
# them. A test may take three times as long as it takes elsewhere. The longest test, test_kernels, needs 1
# minute of CPU time without sanitizers and 3 minutes with them. Beside other work on two cores, it took 5
# minutes without sanitizers and 12 minutes with them.
QUICK_TESTS := $(filter-out %/test_architectures %/test_manual %/run/test_memory %/test_recorded %/test_chips \
                %/test_slot_test %/test_cuda_slots %/test_growth,$(TESTS))
QUICK_SCRIPTS := $(filter-out tests/cli/test_gate.sh tests/devices/sim/test_every_kernel.sh,$(SCRIPTS))
SANITIZE := -g -O1 -Wno-error -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer
check-sanitize: ## the tests with AddressSanitizer and UndefinedBehaviorSanitizer
	@TEST_LIMIT=$${TEST_LIMIT:-5400} REDSWEEP_HOME='$(CURDIR)' $(MAKE) BUILD=build/sanitize CFLAGS='$(SANITIZE)' SETUP=$(SETUP) \
	    MORE_OBJECTS=build/sanitize/tests/sanitize/runtime.o \
	    TESTS='$(QUICK_TESTS:$(BUILD)/%=build/sanitize/%)' SCRIPTS='$(QUICK_SCRIPTS)' test
VALGRIND_TESTS := $(addprefix $(BUILD)/tests/,run/test_resume run/test_trust run/test_no_counters record/test_record \
                  record/test_storage table/test_csv spec/test_config spec/test_kernel analyze/test_results \
                  analyze/test_diff analyze/test_diff_output analyze/test_match analyze/test_best)
check-valgrind: $(VALGRIND_TESTS) | packages-check ## the parent process and all readers of files under valgrind
	@for t in $^; do echo $$t; valgrind -q --leak-check=full --show-leak-kinds=definite \
	    --errors-for-leak-kinds=definite --error-exitcode=9 --trace-children=no \
	    --child-silent-after-fork=yes $$t || exit 1; done
# The clang analyzer's default. CI uses a third of it, which takes less than half the time.
ANALYZER_NODES ?= 225000
check-analysis: $(BUILD)/libredsweep.a | packages-check ## clang-tidy and cppcheck
	@setup/check_code.sh $(BUILD) $(CUDA) $(ANALYZER_NODES)
check-code: check-analysis check-sanitize check-valgrind ## check-sanitize, check-valgrind and check-analysis
# A child process that ends with _exit() would not write its coverage. Threads share counters.
# Coverage cannot be written if allocations fail, so test_no_memory is left out. (-Wno-error:
# without optimization, gcc 12 cannot tell which variables are set.)
COVERAGE := -g -O0 -Wno-error --coverage -fprofile-update=atomic -D_exit=exit
coverage: | packages-check ## line coverage of harness/ by the tests: build/coverage/coverage.md
	@find build/coverage -name '*.gcda' -delete 2>/dev/null || true
	@$(MAKE) BUILD=build/coverage CFLAGS='$(COVERAGE)' SETUP=$(SETUP) \
	    TESTS='$(QUICK_TESTS:$(BUILD)/%=build/coverage/%)' SCRIPTS='$(filter-out tests/faults/test_no_memory.sh,$(QUICK_SCRIPTS))' test >build/coverage.log 2>&1 || \
	    { tail -50 build/coverage.log; exit 1; }
	@setup/coverage.sh build/coverage
.PHONY: check-sanitize check-valgrind check-analysis check-code coverage packages-check

# Plants faults in harness/ and lists which tests notice. Results stay in build/mutants, so an
# interrupted call picks up where it left off.
mutants: build-tests ## plant small faults in harness/ and see whether the tests notice: [MUTANTS='--rooms record']
	@python3 tests/mutants/mutants.py $(MUTANTS)
.PHONY: mutants

# The format is defined in .clang-format and enforced by CI.
FORMATTED = $(shell git ls-files 'harness/*.[ch]' 'tests/*.[ch]' 'experiments/*.[ch]' 'kernels/*.[ch]' 'tuned/*.[ch]')
format: | packages-check ## format all C files (.clang-format)
	@clang-format -i $(FORMATTED)
check-format: | packages-check ## list files that `make format` would change
	@clang-format --dry-run --Werror $(FORMATTED)
.PHONY: format check-format

check-commits: ## check the subjects of commits: "area: verb …", at most 72 characters
	@setup/check_commits.sh
.PHONY: check-commits

# Writes the commands that the Makefile would run, for editors and language servers.
compile_commands.json: FORCE ## write it, for clangd and the like
	@$(MAKE) --no-print-directory -nB V=1 SETUP=no all $(TESTS:=.o) 2>/dev/null | \
	    dir=$(call quoted,$(CURDIR)) awk -f setup/compile_commands.awk >$@
