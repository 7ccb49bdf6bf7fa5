// Downscales planes of pixels by powers of two: many pixels, little arithmetic, in loops that the
// compiler vectorizes.
#include "Shrinking.h"

// How many source columns are summed at a time; a multiple of the side of every square.
enum { STRIP = 1024 };

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

static inline __attribute__((always_inline)) void shrink(const struct trim_plane *source,
                                                         const struct trim_plane *target,
                                                         const unsigned shift) {
  const size_t side = (size_t)1 << shift;
  // A column of a square sums up to 16 x 255 at most.
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
  // A separate loop for each factor: the compiler unrolls loops of constant length.
  switch (shift) {
    case 1: return shrink(source, target, 1);
    case 2: return shrink(source, target, 2);
    case 3: return shrink(source, target, 3);
    case 4: return shrink(source, target, 4);
    default: return;
  }
}
