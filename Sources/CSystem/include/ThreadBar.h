#ifndef TRIM_THREAD_BAR_H
#define TRIM_THREAD_BAR_H

#include <stdint.h>

// Bars the calling thread from an action for a while, and counts the attempts.

void trim_bar_raise(void);
void trim_bar_lower(void);

// Nonzero while the bar is raised, which counts as an attempt.
int trim_bar_refuses(void);

uint64_t trim_bar_refusals(void);

#endif
