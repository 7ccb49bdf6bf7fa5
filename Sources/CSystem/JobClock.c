#include "JobClock.h"

#include <time.h>

// The state is a single number, so that no reader and no other handler sees half of a change.
enum { stops = 16 };

static int64_t monotonic_nanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

int64_t trim_job_clock_nanoseconds(const trim_job_clock *clock) {
  int64_t state = __atomic_load_n(&clock->state, __ATOMIC_SEQ_CST);
  int64_t time = state / stops;
  return state % stops != 0 ? time : monotonic_nanoseconds() - time;
}

void trim_job_clock_stop(trim_job_clock *clock) {
  int64_t state = __atomic_load_n(&clock->state, __ATOMIC_SEQ_CST), next;
  do {
    if (state % stops == stops - 1) return;
    next = state % stops != 0 ? state + 1 : (monotonic_nanoseconds() - state / stops) * stops + 1;
  } while (!__atomic_compare_exchange_n(
      &clock->state, &state, next, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
}

void trim_job_clock_start(trim_job_clock *clock) {
  int64_t state = __atomic_load_n(&clock->state, __ATOMIC_SEQ_CST), next;
  do {
    if (state % stops == 0) return;
    next = state % stops != 1 ? state - 1 : (monotonic_nanoseconds() - state / stops) * stops;
  } while (!__atomic_compare_exchange_n(
      &clock->state, &state, next, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
}
