/*
 * Reads a GPU's clocks, power, temperature, throttling and energy through NVML, the driver's own
 * library.
 *
 * NVML is opened at run time, from $REDSWEEP_NVML if that is set, or else from the places that
 * base/library.h describes. Not every toolkit ships NVML's header, so this file and nvml.c declare
 * the few functions and constants that they use, all from NVML's stable interface. If NVML or the
 * GPU cannot provide a number, the number is unknown, and no function fails.
 */
#ifndef REDSWEEP_DEVICES_CUDA_NVML_H
#define REDSWEEP_DEVICES_CUDA_NVML_H

#include <stdbool.h>

#include "devices/device.h"

struct nvml;

/*
 * Opens NVML for the GPU at a PCI address ("0000:3b:00.0"). Returns NULL if NVML is not available,
 * and writes a one-sentence reason to `why`. Close with nvml_close().
 */
struct nvml *nvml_open(const char *pci_address, char why[256]);
void nvml_close(struct nvml *n);

/* Reads the GPU's current state. Sets out->known to false if every call to NVML fails. */
void nvml_read(struct nvml *n, struct device_health *out);

/*
 * Reads the energy in mJ that the GPU has used since the driver was loaded. NVML updates this
 * number every 20 to 100 ms. If it cannot be read, returns false and writes a one-sentence reason
 * to `why`.
 */
bool nvml_energy(struct nvml *n, uint64_t *mj, char why[256]);

/* Reads the card's settings, such as its power limit, and its memory errors. */
void nvml_card(struct nvml *n, struct card_state *out);

/* Facts that `redsweep doctor` prints. Numbers that NVML does not report are −1. */
struct nvml_settings {
    char driver[40];                 /* a version such as "580.65.06", or "" */
    int sm_clock_mhz, max_clock_mhz; /* the SM clock's current and maximum frequency */
    int clocks_set;                  /* 1 if someone has set the clocks, 0 if not */
    struct card_state card;
};
void nvml_settings(struct nvml *n, struct nvml_settings *out);

#endif
