// libswresample's functions, bound like the others in late.c, but only when audio is converted.
#if __has_include(<libswresample/swresample.h>)

#define _GNU_SOURCE
#include "LateFFmpeg.h"
#include "soname.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

#include <libswresample/swresample.h>

#define FUNCTIONS(F) F(swr_alloc_set_opts2) F(swr_init) F(swr_convert) F(swr_get_out_samples) F(swr_free)

#define DECLARE(name) static __typeof__(&name) real_##name;
FUNCTIONS(DECLARE)

// FFmpeg's versions differ in which of these parameters are const.
void *trim_resampler_open(const void *to, int to_format, int to_rate, const void *from,
                          int from_format, int from_rate, int *code) {
  struct SwrContext *context = NULL;
  *code = real_swr_alloc_set_opts2(&context, (void *)to, to_format, to_rate, (void *)from,
                                   from_format, from_rate, 0, NULL);
  if (*code >= 0) *code = real_swr_init(context);
  if (*code < 0) real_swr_free(&context);
  return context;
}

void trim_resampler_close(void *context) {
  struct SwrContext *open = context;
  real_swr_free(&open);
}

int trim_resampler_room(void *context, int count) {
  return real_swr_get_out_samples(context, count);
}

int trim_resampler_convert(void *context, uint8_t **to, int room, const uint8_t **from, int count) {
  return real_swr_convert(context, (void *)to, room, (void *)from, count);
}

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char reason[256];

static void load(void) {
  void *library = dlopen(SONAME("swresample", LIBSWRESAMPLE_VERSION_MAJOR), RTLD_LAZY | RTLD_LOCAL);
  if (!library) {
    const char *text = dlerror();
    snprintf(reason, sizeof reason, "libswresample cannot be loaded: %s", text ? text : "unknown");
    return;
  }
#define BIND(name)                                                                               \
  if (!(real_##name = (__typeof__(real_##name))dlsym(library, #name))) {                         \
    snprintf(reason, sizeof reason, "%s is missing from libswresample", #name);                  \
    return;                                                                                      \
  }
  FUNCTIONS(BIND)
}

int trim_ffmpeg_load_resampling(char *message, size_t size) {
  pthread_once(&once, load);
  if (!reason[0]) return 0;
  if (size > 0) snprintf(message, size, "%s", reason);
  return -1;
}

#endif
