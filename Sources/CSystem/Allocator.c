#include "Allocator.h"
#include <stdlib.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

void trim_tune_allocator(void) {
#ifdef __GLIBC__
  // 32 MiB is the largest threshold that glibc accepts.
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 256 << 20);
#endif
}
