/*
 * Reads the clocks, power, temperature, throttling and energy of a GPU through NVML, which is the
 * driver's own library.
 *
 * NVML is opened at run time, from the places that base/library.h describes or from the file that
 * $REDSWEEP_NVML names. Not every toolkit contains its header, so this file and nvml.c declare the
 * few functions and constants that are used. They belong to NVML's stable interface. On a machine
 * without NVML, or with a GPU that answers only some questions, readings are unknown. This is never
 * an error.
 */
#ifndef REDSWEEP_DEVICES_CUDA_NVML_H
#define REDSWEEP_DEVICES_CUDA_NVML_H

#include <stdbool.h>

#include "devices/device.h"

struct nvml;

/*
 * Opens NVML for the GPU at a PCI address ("0000:3b:00.0"). Returns NULL if it is not available,
 * and `why` explains this in one sentence. The caller must call nvml_close().
 */
struct nvml *nvml_open(const char *pci_address, char why[256]);
void nvml_close(struct nvml *n);

/* Reads the current state of the GPU. `known` is false if no question was answered. */
void nvml_read(struct nvml *n, struct device_health *out);

/*
 * Reads the energy in mJ that the GPU has used since the driver was loaded. The value changes every
 * 20 to 100 ms. Returns false if it is not available or could not be read, and `why` states the
 * reason in one sentence.
 */
bool nvml_energy(struct nvml *n, uint64_t *mj, char why[256]);

/* Reads the settings of the card. */
void nvml_card(struct nvml *n, struct card_state *out);

/* These are further facts for doctor. A fact that NVML does not report is −1. */
struct nvml_settings {
    char driver[40];                 /* a version such as "580.65.06", or "" */
    int sm_clock_mhz, max_clock_mhz; /* the current and the maximum clock */
    int clocks_set;                  /* This is 1 if somebody has locked the clocks. */
    struct card_state card;
};
void nvml_settings(struct nvml *n, struct nvml_settings *out);

#endif
