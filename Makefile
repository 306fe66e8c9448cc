# redsweep: how GPU reductions behave, and which one to use.   `make help` lists what there is.

CUDA    ?= $(firstword $(wildcard $(CUDA_HOME) /usr/local/cuda) build/toolkit)
CC      ?= gcc
BUILD   ?= build
CFLAGS  ?= -O2 -g
WARN    := -Wall -Wextra -Werror -Wshadow -Wstrict-prototypes -Wmissing-prototypes
ALL_CFLAGS := -std=c11 -D_GNU_SOURCE $(WARN) $(CFLAGS) -Iharness -Ikernels -isystem $(CUDA)/include
# NVRTC, nvJitLink and CUPTI are opened while running (harness/base/library.c), so that the program
# starts without them; the CUDA runtime is linked statically, the driver's library never.
LIBS    := -L$(CUDA)/lib64 -lcudart_static -lcjson -lpthread -ldl -lrt -lm

# Libraries that lie beside the program (a staged copy) come first.
RPATH   := -Wl,-rpath,'$$ORIGIN:$$ORIGIN/../..'

SOURCES := $(filter-out harness/main.c,$(wildcard harness/*.c harness/*/*.c harness/*/*/*.c))
OBJECTS := $(SOURCES:%.c=$(BUILD)/%.o)
LIBRARY := $(BUILD)/libredsweep.a
GPU_TESTS := $(patsubst %.c,$(BUILD)/%,$(wildcard tests/gpu/*.c))
TESTS   := $(patsubst %.c,$(BUILD)/%,$(wildcard tests/*/test_*.c))

all: $(BUILD)/redsweep

$(BUILD)/redsweep: $(BUILD)/harness/main.o $(LIBRARY)
	$(CC) $(CFLAGS) -o $@ $< $(LIBRARY) $(LIBS) $(RPATH)

$(LIBRARY): $(OBJECTS)
	rm -f $@ && ar rcs $@ $^

$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

# Where it looks for those libraries when it runs.
$(BUILD)/harness/base/library.o: ALL_CFLAGS += -DREDSWEEP_TOOLKIT='"$(abspath $(CUDA))"'

# A test links only what it uses of the library.
$(BUILD)/tests/%: $(BUILD)/tests/%.o $(LIBRARY)
	$(CC) $(CFLAGS) -o $@ $< $(LIBRARY) $(LIBS) -lcmocka $(RPATH)

# Every test program runs, also after one has failed; the exit code says whether all passed.
test: $(TESTS)
	@failed=0; for t in $(TESTS); do $$t || failed=1; done; exit $$failed

# Which commit this was built from, for the provenance of results.
COMMIT := $(shell git describe --always --dirty --abbrev=12 2>/dev/null || echo unknown)
$(BUILD)/commit: FORCE
	@mkdir -p $(@D)
	@echo '$(COMMIT)' | cmp -s - $@ || echo '$(COMMIT)' > $@
$(BUILD)/harness/run/provenance.o: $(BUILD)/commit
$(BUILD)/harness/run/provenance.o: ALL_CFLAGS += -DREDSWEEP_COMMIT='"$(COMMIT)"'
FORCE:

# Runs a sweep on the best device of this machine and draws its charts.
CONFIG ?= configs/quick.json
DEVICE ?= auto
sweep: $(BUILD)/redsweep
	$(BUILD)/redsweep run $(CONFIG) --device $(DEVICE) $(if $(OUT),--out $(OUT))

# A copy that runs on a machine without this one's packages: build/ with the libraries beside the
# program. Copy the tree with build/ there and run build/redsweep, or tests/gpu/run.sh.
stage: $(BUILD)/redsweep $(GPU_TESTS)
	cp -L $$(ldd $(BUILD)/redsweep $(GPU_TESTS) | awk '/cjson|cmocka/ { print $$3 }' | sort -u) $(BUILD)/

clean:
	rm -rf $(BUILD)

.PHONY: all test sweep stage clean FORCE
.SECONDARY:
-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
