#ifndef TRIM_TERMINAL_H
#define TRIM_TERMINAL_H

#include <stddef.h>
#include <stdint.h>

// The part of terminal handling that must be safe inside a signal handler. One terminal at a time.

struct trim_terminal_size {
  int32_t columns;
  int32_t rows;
  // The size of the whole screen in pixels; 0 if unknown.
  int32_t width;
  int32_t height;
};

// What happened, written to the signal pipe one byte each: a signal's number, or this.
enum { TRIM_TERMINAL_CONTINUED = 0xC0 };

// Results besides 0 and an errno, which is never negative.
enum { TRIM_TERMINAL_BUSY = -1, TRIM_TERMINAL_NONE = -2 };

// All 0 if the descriptor is not a terminal, or the size is unknown.
struct trim_terminal_size trim_terminal_size(int descriptor);

// Puts `descriptor` into raw mode and writes `enter`. Whatever ends or stops the process writes `leave`
// and restores the modes: exit(), a second SIGINT/SIGTERM/SIGHUP, SIGTSTP, a crash. Returns 0, an errno,
// TRIM_TERMINAL_BUSY if a terminal is already held, or TRIM_TERMINAL_NONE if the descriptor is not a
// terminal.
int trim_terminal_enter(
    int descriptor, const uint8_t *enter, size_t enter_count, const uint8_t *leave,
    size_t leave_count);

// Undoes trim_terminal_enter; does nothing when no terminal is held.
void trim_terminal_leave(void);

// Unblocks SIGABRT on the calling thread, so that abort() restores the terminal too: since glibc 2.41, it
// resets the handler if its thread blocks the signal, as pool threads do. Called by threads that draw.
void trim_terminal_let_abort_through(void);

// Writes a frame to the held terminal, however long that takes. Returns 0, an errno, or
// TRIM_TERMINAL_BUSY if the shell has the screen: the job is stopped or in the background.
int trim_terminal_draw(const uint8_t *bytes, size_t count);

// The read end of the pipe that signals are written to, or -1.
int trim_terminal_signals(void);

// Stops the whole foreground job, as Ctrl-Z does in cooked mode; returns when it continues.
void trim_terminal_suspend(void);

// A monotonic clock that is stopped from a SIGTSTP until the screen is back. It does not notice a
// SIGSTOP, which no program can catch.
int64_t trim_job_nanoseconds(void);

// Restores the screen and the default action of `signal`, and dies of it, so that the parent sees how it
// ended.
void trim_terminal_die(int signal) __attribute__((noreturn));

// Writes all bytes, however many calls that takes. Returns 0 or an errno.
int trim_terminal_write(int descriptor, const uint8_t *bytes, size_t count);

// Waits until one of three descriptors (any may be -1) is readable or closed. Returns a bit for each that
// is, 0 after `milliseconds` (negative: no limit), or -1.
int trim_terminal_wait(int first, int second, int third, int milliseconds);

// Reads up to `count` bytes. Returns 0 at the end, or if the terminal is gone.
size_t trim_terminal_read(int descriptor, uint8_t *bytes, size_t count);

// Opens a pipe that programs started from here do not inherit. Returns 0 or an errno.
int trim_terminal_pipe(int *read_end, int *write_end);

void trim_terminal_close(int descriptor);

#endif
