// The system calls for files that appear under their name either complete or not at all, which Swift's
// Glibc module lacks.
#ifndef TRIM_PUBLISHING_H
#define TRIM_PUBLISHING_H

// Opens an unnamed file in a folder (O_TMPFILE). Returns -1 if the file system does not support it.
int trim_create_unnamed_in(int folder);

// Gives such a file a name; fails with EEXIST if it is taken.
int trim_link_descriptor(int descriptor, int folder, const char *name);

// Renames within a folder; without `replaces`, it fails with EEXIST if the name is taken.
int trim_rename_into_place(int folder, const char *from, const char *to, int replaces);

#endif
