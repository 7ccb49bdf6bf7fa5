#ifndef TRIM_ARGUMENTS_H
#define TRIM_ARGUMENTS_H

/// The number of arguments that the process was started with, its name included; 0 if unknown.
int trim_argument_count(void);

/// One of these arguments, counted from 0; NULL if there is no such argument.
const char *trim_argument(int index);

#endif
