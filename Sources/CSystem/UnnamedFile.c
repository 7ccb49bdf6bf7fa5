#define _GNU_SOURCE
#include "UnnamedFile.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <sys/mman.h>
#include <sys/syscall.h>

int trim_open_unnamed_file(const char *folder) {
  int descriptor = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (descriptor >= 0) return descriptor;
  return memfd_create("trim-input", MFD_CLOEXEC);
}


int trim_file_status(int descriptor, struct stat *status) {
#if defined(__linux__) && defined(SYS_fstat) && __SIZEOF_LONG__ == 8
  // The C library's fstat may call fstatat with an empty name, which a sealed process must not.
  return (int)syscall(SYS_fstat, descriptor, status);
#else
  return fstat(descriptor, status);
#endif
}
