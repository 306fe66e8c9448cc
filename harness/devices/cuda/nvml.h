/*
 * NVML: clocks, power, temperature, throttling and energy of a GPU, from the driver's own library.
 *
 * Opened at run time (base/library.h; $REDSWEEP_NVML names one file). Not every toolkit has its
 * header, so the few functions and constants that are used are declared here and in nvml.c; they
 * are part of NVML's stable interface. On a machine without it, or with a GPU that answers only
 * some questions, readings are unknown; this is never an error.
 */
#ifndef REDSWEEP_DEVICES_CUDA_NVML_H
#define REDSWEEP_DEVICES_CUDA_NVML_H

#include <stdbool.h>

#include "devices/device.h"

struct nvml;

/*
 * Opens NVML for the GPU at a PCI address ("0000:3b:00.0"). Returns NULL if it is not available;
 * `why` explains it in one sentence. The result is the caller's: nvml_close().
 */
struct nvml *nvml_open(const char *pci_address, char why[256]);
void nvml_close(struct nvml *n);

/* How the GPU is now. `known` is false if no question was answered. */
void nvml_read(struct nvml *n, struct device_health *out);

/*
 * The energy that the GPU has used since the driver was loaded, in mJ. It steps every 20 to 100 ms.
 * False with `why`, one sentence, where it is not available or could not be read.
 */
bool nvml_energy(struct nvml *n, uint64_t *mj, char why[256]);

/* How the card is set up. */
void nvml_card(struct nvml *n, struct card_state *out);

/* Further facts for doctor; −1 if NVML does not report them. */
struct nvml_settings {
    char driver[40];                 /* "580.65.06"; "" */
    int sm_clock_mhz, max_clock_mhz; /* current and maximum */
    int clocks_set;                  /* 1: somebody has locked them */
    struct card_state card;
};
void nvml_settings(struct nvml *n, struct nvml_settings *out);

#endif
