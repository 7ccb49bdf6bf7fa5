#include "library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

#define DEFINE(name) __typeof__(&name) late_##name;
CURL_FUNCTIONS(DEFINE)

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char reason[256];

// The name that all of its versions since 2006 have.
static const char library_name[] = "libcurl.so.4";

static void load(void) {
  // All functions of all libraries are bound now: later, nothing can be opened.
  void *library = dlopen(library_name, RTLD_NOW | RTLD_LOCAL);
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
  CURL_FUNCTIONS(BIND)
  if (late_curl_global_init(CURL_GLOBAL_ALL) != CURLE_OK)
    snprintf(reason, sizeof reason, "%s cannot be initialized", library_name);
}

int trim_curl_load(char *message, size_t size) {
  pthread_once(&once, load);
  if (reason[0] == 0) return 0;
  if (size > 0) snprintf(message, size, "%s", reason);
  return -1;
}
