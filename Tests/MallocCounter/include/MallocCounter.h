#ifndef TRIM_MALLOC_COUNTER_H
#define TRIM_MALLOC_COUNTER_H

#include <stdint.h>

// How often the process has asked for memory since it began. Counted by defining malloc and its
// like in front of the C library's own.
uint64_t trim_allocation_count(void);

#endif
