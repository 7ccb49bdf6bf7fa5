#ifndef TRIM_ARGUMENTS_H
#define TRIM_ARGUMENTS_H

/// How many words the process was started with, its name included; 0 where that is not known.
int trim_argument_count(void);

/// One of these words, or NULL.
const char *trim_argument(int index);

#endif
