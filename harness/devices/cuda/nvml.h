/*
 * Reads the clocks, power, temperature, throttling and energy of a GPU through NVML, which is the
 * driver's own library.
 *
 * NVML is opened at run time. If $REDSWEEP_NVML names a file, this file is opened. Otherwise, the
 * places that base/library.h describes are searched. Not every toolkit contains NVML's header, so
 * this file and nvml.c declare the few functions and constants that are used. They belong to NVML's
 * stable interface. Without NVML, all readings are unknown. If a GPU answers only some questions,
 * the other readings are unknown. Neither case is an error.
 */
#ifndef REDSWEEP_DEVICES_CUDA_NVML_H
#define REDSWEEP_DEVICES_CUDA_NVML_H

#include <stdbool.h>

#include "devices/device.h"

struct nvml;

/*
 * Opens NVML for the GPU at a PCI address ("0000:3b:00.0"). Returns NULL if NVML is not available,
 * and writes a one-sentence reason to `why`. The caller must call nvml_close().
 */
struct nvml *nvml_open(const char *pci_address, char why[256]);
void nvml_close(struct nvml *n);

/* Reads the current state of the GPU. `known` is false if no question was answered. */
void nvml_read(struct nvml *n, struct device_health *out);

/*
 * Reads the energy in mJ that the GPU has used since the driver was loaded. The value changes every
 * 20 to 100 ms. Returns false if the energy is not available or could not be read, and writes a
 * one-sentence reason to `why`.
 */
bool nvml_energy(struct nvml *n, uint64_t *mj, char why[256]);

/* Reads the settings of the card. */
void nvml_card(struct nvml *n, struct card_state *out);

/* Contains further facts for the command `doctor`. A number that NVML does not report is −1. */
struct nvml_settings {
    char driver[40];                 /* a version such as "580.65.06", or "" */
    int sm_clock_mhz, max_clock_mhz; /* the current and the maximum clock */
    int clocks_set;                  /* 1 if somebody has locked the clocks */
    struct card_state card;
};
void nvml_settings(struct nvml *n, struct nvml_settings *out);

#endif
