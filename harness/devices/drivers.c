/*
 * The list of drivers. To add a driver, add it here. The list has its own file so that tests can
 * link a different list.
 */
#include "devices/device.h"

extern const struct device_driver cuda_driver;
extern const struct device_driver sim_driver;
extern const struct device_driver cpu_driver;
extern const struct device_driver replay_driver;

const struct device_driver *const device_drivers[] = {&cuda_driver, &sim_driver, &cpu_driver,
                                                      &replay_driver, NULL};
