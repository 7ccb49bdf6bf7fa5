#ifndef TRIM_JOB_CLOCK_H
#define TRIM_JOB_CLOCK_H

#include <stdint.h>

// A monotonic clock that can be stopped. All functions are async-signal-safe and thread-safe: the
// handlers of SIGTSTP and SIGCONT may run on two threads at the same time. When set to zero, the clock
// runs and shows CLOCK_MONOTONIC.
typedef struct {
  // Nanoseconds times 16, plus the number of stops in force. While the clock runs (no stops), they are
  // the time it has left out; while it is stopped, the time it shows. Sufficient for 18 years.
  int64_t state;
} trim_job_clock;

int64_t trim_job_clock_nanoseconds(const trim_job_clock *clock);

// Stops the clock; it stays stopped at the first stop until it is started as often as it was stopped.
void trim_job_clock_stop(trim_job_clock *clock);

// Undoes one stop; does nothing if the clock is running.
void trim_job_clock_start(trim_job_clock *clock);

#endif
