#ifndef TRIM_PTY_H
#define TRIM_PTY_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// Opens a pseudoterminal; `name` receives the path of its terminal side. Returns 0 or an errno.
int trim_pty_open(int *controller, int *terminal, char *name, size_t name_size);

// Sets the terminal's size, as a window does.
int trim_pty_resize(int descriptor, int32_t columns, int32_t rows);

// Whether the terminal is in cooked mode: with echo, line input and signals from keys, all three.
int trim_pty_is_cooked(int descriptor);

// Starts a program with the terminal called `name` as its standard streams. With `own_session`, that is
// also its controlling terminal; without, the program is a job in the caller's session, in its own process
// group, which SIGTSTP can stop. Returns 0 or an errno.
int trim_pty_spawn(
    pid_t *process, const char *name, int own_session, const char *path, char *const argv[],
    char *const envp[]);

#endif
