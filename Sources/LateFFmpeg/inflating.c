// zlib's uncompress, bound like FFmpeg's functions in late.c; FFmpeg's libraries are linked with zlib.
#define _GNU_SOURCE
#include "LateFFmpeg.h"

#include <dlfcn.h>
#include <pthread.h>

#define ZLIB "libz.so.1"

// As declared in zlib.h (zlib 1.2, "Utility Functions").
typedef int (*uncompress_function)(uint8_t *to, unsigned long *room, const uint8_t *from,
                                   unsigned long count);

static pthread_once_t once = PTHREAD_ONCE_INIT;
static uncompress_function real_uncompress;

static void load(void) {
  void *library = dlopen(ZLIB, RTLD_LAZY | RTLD_LOCAL);
  if (library) real_uncompress = (uncompress_function)dlsym(library, "uncompress");
}

int trim_inflate(const uint8_t *from, size_t count, uint8_t *to, size_t room) {
  pthread_once(&once, load);
  unsigned long filled = room;
  if (!real_uncompress || real_uncompress(to, &filled, from, count) != 0) return -1;
  return filled == room ? 0 : -1;
}
