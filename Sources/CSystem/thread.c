#include "thread.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>

struct work {
  void (*body)(void *);
  void *context;
};

static void *perform(void *pointer) {
  struct work work = *(struct work *)pointer;
  free(pointer);
  work.body(work.context);
  return NULL;
}

int trim_thread_start(void (*body)(void *), void *context) {
  static const int crashing[] = {SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE};
  struct work *work = malloc(sizeof *work);
  if (work == NULL) return ENOMEM;
  work->body = body;
  work->context = context;

  // The thread inherits the mask: signals are handled on other threads.
  sigset_t blocked, previous;
  sigfillset(&blocked);
  for (unsigned i = 0; i < sizeof crashing / sizeof crashing[0]; i++)
    sigdelset(&blocked, crashing[i]);
  pthread_sigmask(SIG_SETMASK, &blocked, &previous);
  pthread_t thread;
  int failure = pthread_create(&thread, NULL, perform, work);
  pthread_sigmask(SIG_SETMASK, &previous, NULL);
  if (failure != 0) {
    free(work);
    return failure;
  }
  pthread_detach(thread);
  return 0;
}

int64_t trim_thread_clock(void) {
  clockid_t clock;
  return pthread_getcpuclockid(pthread_self(), &clock) == 0 ? clock : 0;
}

int64_t trim_thread_clock_time(int64_t clock) {
  struct timespec time;
  if (clock_gettime((clockid_t)clock, &time) != 0) return 0;
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}
