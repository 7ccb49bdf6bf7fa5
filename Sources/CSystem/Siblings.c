#define _GNU_SOURCE
#include "Sandbox.h"
#include "Sanitized.h"
#include "WorkerProcess.h"

#include <signal.h>
#include <stddef.h>
#include <unistd.h>

#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

enum { first_channel = 3 };

// Like fork(2), but the new process has this one's parent, which waits for it and with which it may end.
static pid_t make_sibling(void) {
  // Sanitizers track threads, and would miss this one.
  if (IS_SANITIZED) return -1;
  int *number = NULL;
  if (prctl(PR_GET_TID_ADDRESS, &number) != 0) number = NULL;
  pid_t made = (pid_t)syscall(SYS_clone, CLONE_PARENT | SIGCHLD, NULL, NULL, NULL, NULL);
  if (made == 0 && number != NULL) {
    // The C library caches the ID of the thread.
    *number = (int)syscall(SYS_gettid);
    syscall(SYS_set_tid_address, number);
  }
  return made;
}

void trim_make_siblings(int count) {
  if (count > TRIM_MOST_SIBLINGS) count = TRIM_MOST_SIBLINGS;
  int own = -1;
  for (int i = 0; i < count && own < 0; i++)
    if (make_sibling() == 0) own = first_channel + i;
  if (own >= 0) {
    dup2(own, STDIN_FILENO);
    dup2(own, STDOUT_FILENO);
  }
  for (int i = 0; i < count; i++) close(first_channel + i);
  if (own >= 0) trim_die_with_parent();
}
