#ifndef TRIM_SHRINKING_H
#define TRIM_SHRINKING_H

#include <stddef.h>
#include <stdint.h>

// A plane of 8-bit samples, from the top row down.
struct trim_plane {
  uint8_t *rows;
  ptrdiff_t stride;
  size_t width;
  size_t height;
};

// Fills `target` with the means of squares of `source` whose side is 1 << shift pixels, shift from 1 to
// 4. It must have no more columns and rows than there are squares that begin in the source; a square
// that extends beyond the source repeats its last column and row.
void trim_shrink(const struct trim_plane *source, const struct trim_plane *target, unsigned shift);

#endif
