#define _GNU_SOURCE
#include "Publishing.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

int trim_create_unnamed_in(int folder) {
  return openat(folder, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);
}

int trim_link_descriptor(int descriptor, int folder, const char *name) {
  char path[64];
  snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
  if (linkat(AT_FDCWD, path, folder, name, AT_SYMLINK_FOLLOW) == 0) return 0;
  // Without /proc; needs CAP_DAC_READ_SEARCH.
  if (errno == ENOENT && faccessat(AT_FDCWD, "/proc/self/fd", F_OK, 0) != 0)
    return linkat(descriptor, "", folder, name, AT_EMPTY_PATH);
  return -1;
}

int trim_rename_into_place(int folder, const char *from, const char *to, int replaces) {
  if (replaces) return renameat(folder, from, folder, to);
  if (renameat2(AT_FDCWD == folder ? AT_FDCWD : folder, from, folder, to, RENAME_NOREPLACE) == 0)
    return 0;
  if (errno != EINVAL && errno != ENOSYS) return -1;
  // A second link fails if the name is taken.
  if (linkat(folder, from, folder, to, 0) != 0) return -1;
  return unlinkat(folder, from, 0);
}
