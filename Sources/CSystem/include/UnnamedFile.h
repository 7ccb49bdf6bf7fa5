#ifndef TRIM_UNNAMED_FILE_H
#define TRIM_UNNAMED_FILE_H

#include <sys/stat.h>

// Opens a file for reading and writing that has no name and goes with its last descriptor: on disk
// where the folder's file system can (O_TMPFILE), else in memory. −1 with errno when neither works.
int trim_open_unnamed_file(const char *folder);

// What fstat(2) tells of an open descriptor, by its own system call. Returns 0, or -1 with errno.
int trim_file_status(int descriptor, struct stat *status);

#endif
