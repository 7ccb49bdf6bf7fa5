#ifndef TRIM_THREAD_H
#define TRIM_THREAD_H

#include <stdint.h>

// Runs `body(context)` on a new detached thread, which takes no signals but those of a crash.
// Returns 0 or an errno.
int trim_thread_start(void (*body)(void *), void *context);

// The clock of the calling thread's processor time, for other threads; 0 where there is none.
int64_t trim_thread_clock(void);

// What it shows, in nanoseconds; 0 once its thread has ended.
int64_t trim_thread_clock_time(int64_t clock);

#endif
