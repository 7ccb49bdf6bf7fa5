#define _GNU_SOURCE
#include "width.h"

#include <locale.h>
#include <pthread.h>
#include <wchar.h>
#ifdef __APPLE__
#include <xlocale.h>
#endif

static locale_t utf8;

static void load(void) {
  utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
  if (utf8 == (locale_t)0) utf8 = newlocale(LC_CTYPE_MASK, "en_US.UTF-8", (locale_t)0);
}

int trim_width(uint32_t scalar) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  if (scalar >= 0x20 && scalar < 0x7F) return 1;
  pthread_once(&once, load);
  if (utf8 == (locale_t)0) return -1;
  locale_t mine = uselocale(utf8);
  int width = wcwidth((wchar_t)scalar);
  uselocale(mine);
  return width;
}
