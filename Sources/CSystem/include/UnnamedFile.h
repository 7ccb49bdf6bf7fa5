#ifndef TRIM_UNNAMED_FILE_H
#define TRIM_UNNAMED_FILE_H

#include <sys/stat.h>

// Opens an unnamed file for reading and writing, which is gone when its last descriptor is closed: on disk
// if the folder's file system supports it (O_TMPFILE), else in memory. Returns -1 with errno if neither
// works.
int trim_open_unnamed_file(const char *folder);

// fstat(2) of an open descriptor, by the system call of that name. Returns 0, or -1 with errno.
int trim_file_status(int descriptor, struct stat *status);

#endif
