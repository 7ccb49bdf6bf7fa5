// The sandbox's layers, each in its own file; only for Sandbox.c.
#ifndef TRIM_SANDBOX_LAYERS_H
#define TRIM_SANDBOX_LAYERS_H

#include <stdint.h>

// Bits as returned by trim_enter_sandbox, or 0.
uint32_t trim_landlock_layers(void);
uint32_t trim_enter_landlock(void);

// Whether the kernel can filter system calls; and starts the filter, returning whether it is in force.
int trim_has_call_filter(void);
int trim_enter_call_filter(int has_connections);

#endif
