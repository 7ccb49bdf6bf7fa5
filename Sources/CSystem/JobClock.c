#include "JobClock.h"

#include <time.h>

// A clock, or the stopping of one, is one number: no reader and no second handler sees half of it.

static int64_t monotonic_nanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

int64_t trim_job_clock_nanoseconds(const trim_job_clock *clock) {
  int64_t state = __atomic_load_n(&clock->state, __ATOMIC_SEQ_CST);
  return state < 0 ? ~state : monotonic_nanoseconds() - state;
}

void trim_job_clock_stop(trim_job_clock *clock) {
  int64_t state = __atomic_load_n(&clock->state, __ATOMIC_SEQ_CST);
  while (state >= 0 &&
         !__atomic_compare_exchange_n(
             &clock->state, &state, ~(monotonic_nanoseconds() - state), 0, __ATOMIC_SEQ_CST,
             __ATOMIC_SEQ_CST)) {
  }
}

void trim_job_clock_start(trim_job_clock *clock) {
  int64_t state = __atomic_load_n(&clock->state, __ATOMIC_SEQ_CST);
  while (state < 0 &&
         !__atomic_compare_exchange_n(
             &clock->state, &state, monotonic_nanoseconds() - ~state, 0, __ATOMIC_SEQ_CST,
             __ATOMIC_SEQ_CST)) {
  }
}
