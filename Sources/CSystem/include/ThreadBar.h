#ifndef TRIM_THREAD_BAR_H
#define TRIM_THREAD_BAR_H

#include <stdint.h>

// Something that this thread must not do for a while, and how often it wanted to.

void trim_bar_raise(void);
void trim_bar_lower(void);

// Nonzero while it is raised; each such answer is counted.
int trim_bar_refuses(void);

uint64_t trim_bar_refusals(void);

#endif
