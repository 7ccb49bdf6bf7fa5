// What Swift's arm64 libraries of Debian sid, which were built against its C and C++ libraries, use of them
// and Debian 12 does not have. Linked into the binary by tools/cross.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// glibc 2.38: as C23 reads numbers, which also takes 0b101 with base 0 or 2.
long __isoc23_strtol(const char *text, char **end, int base) { return strtol(text, end, base); }
long long __isoc23_strtoll(const char *text, char **end, int base) {
  return strtoll(text, end, base);
}
unsigned long __isoc23_strtoul(const char *text, char **end, int base) {
  return strtoul(text, end, base);
}
int __isoc23_sscanf(const char *text, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int count = vsscanf(text, format, arguments);
  va_end(arguments);
  return count;
}

// glibc 2.38.
size_t strlcpy(char *to, const char *from, size_t room) {
  size_t length = strlen(from);
  if (room > 0) {
    size_t count = length < room - 1 ? length : room - 1;
    memcpy(to, from, count);
    to[count] = 0;
  }
  return length;
}

// Since GCC 13, libstdc++ makes its streams itself, and users only name this to say that they need them.
void _ZNSt8ios_base4InitC1Ev(void *);
static char streams;
__attribute__((constructor)) static void make_streams(void) { _ZNSt8ios_base4InitC1Ev(&streams); }
void _ZSt21ios_base_library_initv(void) {}
