#include "Arguments.h"

#include <stddef.h>
#include <stdlib.h>

static int count;
static char **words;

#ifdef __GLIBC__
// The C library passes them to every constructor. Swift reads them from /proc, which is not mounted
// everywhere.
__attribute__((constructor)) static void keep(int argc, char **argv, char **environment) {
  (void)environment;
  count = argc;
  words = argv;
}
#endif

int trim_argument_count(void) { return count; }

const char *trim_argument(int index) {
  return index >= 0 && index < count ? words[index] : NULL;
}
