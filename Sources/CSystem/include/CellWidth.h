#ifndef TRIM_CELL_WIDTH_H
#define TRIM_CELL_WIDTH_H

#include <stdint.h>

/// How many terminal cells a character occupies: 0, 1 or 2; -1 if it is not printable.
///
/// From the C library's table for a UTF-8 locale, whatever the process's own locale.
int trim_cell_width(uint32_t scalar);

#endif
