#define _GNU_SOURCE
#define _DARWIN_C_SOURCE
#include "CellWidth.h"

#include <locale.h>
#include <pthread.h>
#include <wchar.h>

static locale_t utf8_locale;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void open_locale(void) {
  utf8_locale = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
  if (utf8_locale == (locale_t)0) {
    utf8_locale = newlocale(LC_CTYPE_MASK, "en_US.UTF-8", (locale_t)0);
  }
}

int trim_cell_width(uint32_t scalar) {
  if (scalar < 0x7f) {
    return scalar < 0x20 ? -1 : 1;
  }
  pthread_once(&once, open_locale);
  if (utf8_locale == (locale_t)0) {
    return 1;
  }
  locale_t previous = uselocale(utf8_locale);
  int width = wcwidth((wchar_t)scalar);
  uselocale(previous);
  return width;
}
