# redsweep: how GPU reductions behave, and which one to use.   `make help` lists what there is.

CUDA    ?= $(firstword $(wildcard $(CUDA_HOME) /usr/local/cuda) build/toolkit)
CC      ?= gcc
BUILD   ?= build
CFLAGS  ?= -O2 -g
WARN    := -Wall -Wextra -Werror -Wshadow -Wstrict-prototypes -Wmissing-prototypes
ALL_CFLAGS := -std=c11 -D_GNU_SOURCE $(WARN) $(CFLAGS) -Iharness -Ikernels -isystem $(CUDA)/include
LIBS    := -L$(CUDA)/lib64 -lcudart_static -lnvrtc -lnvJitLink -lcjson -lpthread -ldl -lrt -lm
# First beside the program (a staged copy), then where this machine keeps the toolkit.
RPATH   := -Wl,-rpath,'$$ORIGIN' -Wl,-rpath,$(abspath $(CUDA)/lib64)

SOURCES := $(filter-out harness/main.c,$(wildcard harness/*.c harness/*/*.c harness/*/*/*.c))
OBJECTS := $(SOURCES:%.c=$(BUILD)/%.o)
LIBRARY := $(BUILD)/libredsweep.a
TESTS   := $(patsubst %.c,$(BUILD)/%,$(wildcard tests/*/test_*.c))

all: $(BUILD)/redsweep

$(BUILD)/redsweep: $(BUILD)/harness/main.o $(LIBRARY)
	$(CC) $(CFLAGS) -o $@ $< $(LIBRARY) $(LIBS) $(RPATH)

$(LIBRARY): $(OBJECTS)
	rm -f $@ && ar rcs $@ $^

$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

# A test links only what it uses of the library.
$(BUILD)/tests/%: $(BUILD)/tests/%.o $(LIBRARY)
	$(CC) $(CFLAGS) -o $@ $< $(LIBRARY) $(LIBS) -lcmocka $(RPATH)

# Every test program runs, also after one has failed; the exit code says whether all passed.
test: $(TESTS)
	@failed=0; for t in $(TESTS); do $$t || failed=1; done; exit $$failed

clean:
	rm -rf $(BUILD)

.PHONY: all test clean
.SECONDARY:
-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
