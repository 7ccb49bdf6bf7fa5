#ifndef TRIM_UNNAMED_FILE_H
#define TRIM_UNNAMED_FILE_H

// Opens a file for reading and writing that has no name and goes with its last descriptor: on disk
// where the folder's file system can (O_TMPFILE), else in memory. −1 with errno when neither works.
int trim_open_unnamed_file(const char *folder);

#endif
