#include "library.h"

#ifdef TRIM_HAS_MICROHTTPD
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

#define DEFINE(name) __typeof__(&name) late_##name;
MICROHTTPD_FUNCTIONS(DEFINE)

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char reason[256];

// The ABI version that the header belongs to (12 since 2015).
static const char library_name[] = "libmicrohttpd.so.12";

static void load(void) {
  void *library = dlopen(library_name, RTLD_LAZY | RTLD_LOCAL);
  if (library == NULL) {
    const char *text = dlerror();
    snprintf(reason, sizeof reason, "%s cannot be loaded: %s", library_name,
             text != NULL ? text : "unknown");
    return;
  }
#define BIND(name)                                                                                 \
  if ((late_##name = (__typeof__(late_##name))dlsym(library, #name)) == NULL) {                    \
    snprintf(reason, sizeof reason, "%s has no %s", library_name, #name);                          \
    return;                                                                                        \
  }
  MICROHTTPD_FUNCTIONS(BIND)
}

int trim_http_load(char *message, size_t size) {
  pthread_once(&once, load);
  if (reason[0] == 0) return 0;
  if (size > 0) snprintf(message, size, "%s", reason);
  return -1;
}
#endif
