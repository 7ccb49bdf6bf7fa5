// Makes planes of pixels smaller by whole factors: many pixels, little arithmetic, which the
// compiler turns into vectors.
#include "Shrinking.h"

// Columns of the source whose sums are kept at a time; a whole number of squares.
enum { STRIP = 1024 };

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

static inline __attribute__((always_inline)) void shrink(const struct trim_plane *source,
                                                         const struct trim_plane *target,
                                                         const unsigned shift) {
  const size_t side = (size_t)1 << shift;
  // 16 x 16 x 255 is the largest sum of all.
  uint16_t sums[STRIP];
  for (size_t y = 0; y < target->height; y++) {
    for (size_t start = 0; start < target->width; start += STRIP >> shift) {
      const size_t squares = least(target->width - start, STRIP >> shift);
      const size_t columns = least(squares << shift, source->width - (start << shift));
      for (size_t x = 0; x < columns; x++) sums[x] = 0;
      for (size_t row = 0; row < side; row++) {
        const size_t from = least((y << shift) + row, source->height - 1);
        const uint8_t *pixels = source->rows + (ptrdiff_t)from * source->stride + (start << shift);
        for (size_t x = 0; x < columns; x++) sums[x] += pixels[x];
      }
      for (size_t x = columns; x < squares << shift; x++) sums[x] = sums[columns - 1];
      uint8_t *means = target->rows + (ptrdiff_t)y * target->stride + start;
      for (size_t square = 0; square < squares; square++) {
        uint32_t sum = 0;
        for (size_t x = 0; x < side; x++) sum += sums[(square << shift) + x];
        means[square] = (uint8_t)((sum + (side * side / 2)) >> (2 * shift));
      }
    }
  }
}

void trim_shrink(const struct trim_plane *source, const struct trim_plane *target,
                 unsigned shift) {
  // A loop of its own for each factor: the compiler unrolls what it knows.
  switch (shift) {
    case 1: return shrink(source, target, 1);
    case 2: return shrink(source, target, 2);
    case 3: return shrink(source, target, 3);
    case 4: return shrink(source, target, 4);
    default: return;
  }
}
