// Runs a program and tells, on descriptor 3, its wait status, the most memory it held, in KiB, and
// the milliseconds that it kept a processor busy.
//
// A process that is started from a large one begins with that one's peak in its books (the kernel
// adds it at exec), so the programs under test are started from this small one.
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int count, char *arguments[]) {
  if (count < 2) return 64;
  pid_t parent = getpid();
  pid_t process = fork();
  if (process == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(127);
    close(3);
    execvp(arguments[1], arguments + 1);
    _exit(127);
  }
  if (process < 0) return 71;
  close(STDIN_FILENO);
  int status = 0;
  struct rusage usage;
  while (wait4(process, &status, 0, &usage) < 0 && errno == EINTR) continue;
  long seconds = usage.ru_utime.tv_sec + usage.ru_stime.tv_sec;
  long microseconds = usage.ru_utime.tv_usec + usage.ru_stime.tv_usec;
  dprintf(3, "%d %ld %ld\n", status, usage.ru_maxrss, seconds * 1000 + microseconds / 1000);
  return 0;
}
