#ifndef TRIM_CELL_WIDTH_H
#define TRIM_CELL_WIDTH_H

#include <stdint.h>

/// Cells a terminal gives to a character: 0, 1 or 2; -1 for one that is not printable.
///
/// The C library's table in a UTF-8 locale, whatever the locale of the process is.
int trim_cell_width(uint32_t scalar);

#endif
