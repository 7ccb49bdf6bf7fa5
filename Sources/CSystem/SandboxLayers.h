// The layers of the box, one file each; only for Sandbox.c.
#ifndef TRIM_SANDBOX_LAYERS_H
#define TRIM_SANDBOX_LAYERS_H

#include <stdint.h>

// Bits of trim_enter_sandbox, or 0.
uint32_t trim_landlock_layers(void);
uint32_t trim_enter_landlock(void);

// Whether the kernel filters system calls here, and whether it does so from now on.
int trim_has_call_filter(void);
int trim_enter_call_filter(void);

#endif
