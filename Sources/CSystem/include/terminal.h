#ifndef TRIM_TERMINAL_H
#define TRIM_TERMINAL_H

#include <stddef.h>
#include <stdint.h>

// The part of a terminal's owner that must be safe inside a signal handler. One terminal at a time.

struct trim_terminal_size {
  int32_t columns;
  int32_t rows;
  // Pixels of the whole screen, 0 where they are not known.
  int32_t width;
  int32_t height;
};

// What happened, written to the signal pipe one byte each: a signal's number, or this.
enum { TRIM_TERMINAL_CONTINUED = 0xC0 };

// Results besides 0 and an errno, which is never negative.
enum { TRIM_TERMINAL_BUSY = -1, TRIM_TERMINAL_NONE = -2 };

// All 0 when the descriptor is not a terminal or does not know.
struct trim_terminal_size trim_terminal_size(int descriptor);

// Raw input on `descriptor`, then `enter` is written. Whatever ends or stops the process writes
// `leave` and puts the modes back: exit(), a second SIGINT/SIGTERM/SIGHUP, SIGTSTP, a crash.
// Returns 0, an errno, TRIM_TERMINAL_BUSY when one is held already, or TRIM_TERMINAL_NONE when
// the descriptor is not a terminal.
int trim_terminal_enter(
    int descriptor, const uint8_t *enter, size_t enter_count, const uint8_t *leave,
    size_t leave_count);

// Undoes trim_terminal_enter; does nothing when no terminal is held.
void trim_terminal_leave(void);

// A program that aborts gives its terminal back too. From glibc 2.41 on, abort() resets the handler of
// a thread that blocks SIGABRT, as those of a pool do: whoever draws lets it through.
void trim_terminal_let_abort_through(void);

// Writes a frame to the held terminal, however long it takes to read it. Returns 0, an errno, or
// TRIM_TERMINAL_BUSY when the shell has the screen: the job is stopped or in the background.
int trim_terminal_draw(const uint8_t *bytes, size_t count);

// The readable end of the pipe that signals are written to, or -1.
int trim_terminal_signals(void);

// Stops the whole foreground job, as Ctrl-Z does in cooked mode; returns when it goes on.
void trim_terminal_suspend(void);

// A monotonic clock that stands still from a SIGTSTP to the return of the screen. A SIGSTOP, of
// which no program is told, it does not see.
int64_t trim_job_nanoseconds(void);

// Restores the default action of `signal` and dies of it, so that the parent sees how it ended.
void trim_terminal_die(int signal) __attribute__((noreturn));

// Writes all of it, however many calls that takes. Returns 0 or an errno.
int trim_terminal_write(int descriptor, const uint8_t *bytes, size_t count);

// Waits until one of three descriptors (any may be -1) has something to read or is closed.
// Returns a bit for each, 0 after `milliseconds` (negative: for ever), or -1.
int trim_terminal_wait(int first, int second, int third, int milliseconds);

// Up to `count` bytes, 0 at the end or when the terminal is gone.
size_t trim_terminal_read(int descriptor, uint8_t *bytes, size_t count);

// A pipe that programs started from here do not inherit. Returns 0 or an errno.
int trim_terminal_pipe(int *read_end, int *write_end);

void trim_terminal_close(int descriptor);

#endif
