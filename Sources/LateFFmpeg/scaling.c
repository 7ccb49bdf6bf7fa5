// libswscale's functions, bound like the others in late.c, but only when a frame is scaled.
#if __has_include(<libswscale/swscale.h>)

#define _GNU_SOURCE
#include "LateFFmpeg.h"
#include "soname.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

#include <libswscale/swscale.h>

#define FUNCTIONS(F)                                                                             \
  F(struct SwsContext *, sws_getCachedContext,                                                   \
    (struct SwsContext * a, int b, int c, enum AVPixelFormat d, int e, int f,                    \
     enum AVPixelFormat g, int h, SwsFilter *i, SwsFilter *j, const double *k),                  \
    (a, b, c, d, e, f, g, h, i, j, k))                                                           \
  F(int, sws_scale,                                                                              \
    (struct SwsContext * a, const uint8_t *const b[], const int c[], int d, int e,               \
     uint8_t *const f[], const int g[]),                                                         \
    (a, b, c, d, e, f, g))                                                                       \
  F(int, sws_setColorspaceDetails,                                                               \
    (struct SwsContext * a, const int b[4], int c, const int d[4], int e, int f, int g, int h),  \
    (a, b, c, d, e, f, g, h))                                                                    \
  F(const int *, sws_getCoefficients, (int a), (a))                                              \
  F(int, sws_isSupportedInput, (enum AVPixelFormat a), (a))

#define DECLARE(result, name, parameters, arguments) static __typeof__(&name) real_##name;
FUNCTIONS(DECLARE)
static __typeof__(&sws_freeContext) real_sws_freeContext;

#define DEFINE(result, name, parameters, arguments)                                              \
  __attribute__((visibility("hidden"))) result name parameters { return real_##name arguments; }
FUNCTIONS(DEFINE)
__attribute__((visibility("hidden"))) void sws_freeContext(struct SwsContext *a) {
  real_sws_freeContext(a);
}

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char reason[256];

static void load(void) {
  void *library = dlopen(SONAME("swscale", LIBSWSCALE_VERSION_MAJOR), RTLD_LAZY | RTLD_LOCAL);
  if (!library) {
    const char *text = dlerror();
    snprintf(reason, sizeof reason, "libswscale cannot be loaded: %s", text ? text : "unknown");
    return;
  }
#define BIND(name)                                                                               \
  if (!(real_##name = (__typeof__(real_##name))dlsym(library, #name))) {                         \
    snprintf(reason, sizeof reason, "%s is missing from libswscale", #name);                     \
    return;                                                                                      \
  }
#define BIND_FUNCTION(result, name, parameters, arguments) BIND(name)
  FUNCTIONS(BIND_FUNCTION)
  BIND(sws_freeContext)
}

int trim_ffmpeg_load_scaling(char *message, size_t size) {
  pthread_once(&once, load);
  if (!reason[0]) return 0;
  if (size > 0) snprintf(message, size, "%s", reason);
  return -1;
}

#endif
