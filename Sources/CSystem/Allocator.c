#include "Allocator.h"
#include <stdlib.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

void trim_tune_allocator(void) {
#ifdef __GLIBC__
  // A probe allocates and frees large blocks for every file; below these thresholds each one would
  // go back to the system and be faulted in again (measured: half the CPU time of a batch).
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 256 << 20);
  // Each thread would reserve its own 64 MiB of address space, which is limited in a sealed process: an
  // encoder with forty threads could then run out of memory although it uses a tenth of that.
  mallopt(M_ARENA_MAX, 4);
#endif
}

void trim_return_memory(void) {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}
