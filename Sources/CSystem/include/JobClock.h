#ifndef TRIM_JOB_CLOCK_H
#define TRIM_JOB_CLOCK_H

#include <stdint.h>

// A monotonic clock that can be stopped. All of it is async-signal-safe and takes any number of
// threads: the handlers of one stop, SIGTSTP's and SIGCONT's, may run on two of them at a time.
// Set to zero it runs, and shows CLOCK_MONOTONIC.
typedef struct {
  // Nanoseconds, 16 to each, and how often the clock was stopped: what it leaves out while that is none, and
  // what it shows while it stands. They last for 18 years.
  int64_t state;
} trim_job_clock;

int64_t trim_job_clock_nanoseconds(const trim_job_clock *clock);

// A clock that stands already stands on, from the first moment, until it was started as often.
void trim_job_clock_stop(trim_job_clock *clock);

// A clock that runs already runs on.
void trim_job_clock_start(trim_job_clock *clock);

#endif
