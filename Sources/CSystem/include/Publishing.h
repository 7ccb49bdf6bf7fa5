// Files that appear under their name complete or not at all: what Swift's Glibc module lacks.
#ifndef TRIM_PUBLISHING_H
#define TRIM_PUBLISHING_H

// A file without a name in a folder (O_TMPFILE), or -1 where the file system has none.
int trim_create_unnamed_in(int folder);

// Gives such a file a name; fails with EEXIST where it is taken.
int trim_link_descriptor(int descriptor, int folder, const char *name);

// Renames within a folder; without `replaces` it fails with EEXIST where the name is taken.
int trim_rename_into_place(int folder, const char *from, const char *to, int replaces);

#endif
