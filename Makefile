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

SOURCES := $(filter-out harness/main.c,$(wildcard harness/*.c harness/*/*.c harness/*/*/*.c))
OBJECTS := $(SOURCES:%.c=$(BUILD)/%.o)
LIBRARY := $(BUILD)/libredsweep.a
TESTS   := $(patsubst %.c,$(BUILD)/%,$(wildcard tests/*/test_*.c))

all: $(BUILD)/redsweep

$(BUILD)/redsweep: $(BUILD)/harness/main.o $(LIBRARY)
	$(CC) $(CFLAGS) -o $@ $< $(LIBRARY) $(LIBS)

$(LIBRARY): $(OBJECTS)
	rm -f $@ && ar rcs $@ $^

$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

# Where it looks for those libraries when it runs.
$(BUILD)/harness/base/library.o: ALL_CFLAGS += -DREDSWEEP_TOOLKIT='"$(abspath $(CUDA))"'

# A test links only what it uses of the library.
$(BUILD)/tests/%: $(BUILD)/tests/%.o $(LIBRARY)
	$(CC) $(CFLAGS) -o $@ $< $(LIBRARY) $(LIBS) -lcmocka

# Every test program runs, also after one has failed; the exit code says whether all passed.
test: $(TESTS)
	@failed=0; for t in $(TESTS); do $$t || failed=1; done; exit $$failed

clean:
	rm -rf $(BUILD)

.PHONY: all test clean
.SECONDARY:
-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
