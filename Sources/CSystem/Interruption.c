#define _GNU_SOURCE
#include "Interruption.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

// Everything a handler does here is async-signal-safe: flags, write(2), a timer, _exit(2).

static volatile sig_atomic_t caught_signal;
static volatile sig_atomic_t line_is_shown;
static volatile sig_atomic_t finishes_work;

static void say(const char *text) {
  ssize_t ignored = write(STDERR_FILENO, text, strlen(text));
  (void)ignored;
}

static void end_process(int signal_number) {
  (void)signal_number;
  // The progress line may have been drawn again since the signal.
  if (line_is_shown) {
    say("\r\033[K");
  }
  _exit(128 + (caught_signal != 0 ? caught_signal : SIGINT));
}

static void on_signal(int signal_number) {
  int saved_errno = errno;
  if (caught_signal != 0) {
    end_process(signal_number);
  }
  caught_signal = signal_number;
  if (line_is_shown) {
    say("\r\033[K");
  }
  say(signal_number == SIGINT ? "trim: interrupted\n" : "trim: terminated\n");
  if (signal_number == SIGTERM && finishes_work) {
    errno = saved_errno;
    return;
  }
  // Work that does not notice in time is cut off; nothing has to be cleaned up.
  struct itimerval grace = {.it_value = {.tv_sec = 0, .tv_usec = 250000}};
  setitimer(ITIMER_REAL, &grace, NULL);
  errno = saved_errno;
}

static void install(int signal_number, void (*handler)(int)) {
  struct sigaction action;
  // A signal that the parent set to be ignored (nohup, a script's background job) stays ignored.
  if (signal_number != SIGALRM && sigaction(signal_number, NULL, &action) == 0 &&
      action.sa_handler == SIG_IGN) {
    return;
  }
  memset(&action, 0, sizeof action);
  action.sa_handler = handler;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  sigaction(signal_number, &action, NULL);
}

void trim_catch_interruption(void) {
  install(SIGALRM, end_process);
  install(SIGINT, on_signal);
  install(SIGTERM, on_signal);
}

void trim_finish_work_on_termination(void) { finishes_work = 1; }

int trim_interruption(void) { return caught_signal; }

void trim_progress_line_is_shown(int shown) { line_is_shown = shown; }
