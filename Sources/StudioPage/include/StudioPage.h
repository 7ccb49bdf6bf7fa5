// The page of the studio and its resources, which are part of the program.
//
// In C, whose compiler embeds files in no time; as array literals in Swift, they took half a minute to compile.
#ifndef TRIM_STUDIO_PAGE_H
#define TRIM_STUDIO_PAGE_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
  const char *name;
  const uint8_t *bytes;
  size_t count;
} trim_studio_file;

// The file of Sources/TrimStudio/Resources with this name; null if there is none.
const trim_studio_file *trim_find_studio_file(const char *name);

#endif
