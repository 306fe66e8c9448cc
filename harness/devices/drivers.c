/*
 * Contains the list of drivers. A new device needs one more line here. The list is in a file of its
 * own so that a test can link another list.
 */
#include "devices/device.h"

extern const struct device_driver cuda_driver;
extern const struct device_driver sim_driver;
extern const struct device_driver cpu_driver;
extern const struct device_driver replay_driver;

const struct device_driver *const device_drivers[] = {&cuda_driver, &sim_driver, &cpu_driver,
                                                      &replay_driver, NULL};
