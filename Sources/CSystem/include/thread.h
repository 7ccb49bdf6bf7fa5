#ifndef TRIM_THREAD_H
#define TRIM_THREAD_H

#include <stdint.h>

// Runs `body(context)` on a new detached thread, which receives no signals except those of a crash.
// Returns 0 or an errno.
int trim_thread_start(void (*body)(void *), void *context);

// A clock of the calling thread's processor time, which other threads can read; 0 if there is none.
int64_t trim_thread_clock(void);

// The time it shows, in nanoseconds; 0 once its thread has ended.
int64_t trim_thread_clock_time(int64_t clock);

#endif
