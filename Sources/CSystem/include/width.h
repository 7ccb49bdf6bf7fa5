#ifndef TRIM_WIDTH_H
#define TRIM_WIDTH_H

#include <stdint.h>

// Columns a character takes on a terminal by the C library's tables for UTF-8, whatever the
// process's own locale is: 0, 1, 2, or -1 for what is not printable.
int trim_width(uint32_t scalar);

#endif
