// Preloaded into FFmpeg's commands by the tests: the program binds its two hundred libraries once, which takes
// longer than making a short clip, and then runs in a new process for each message on its standard input.
//
// A message consists of the arguments, each ended by a null byte, and four descriptors: the standard streams, and a
// channel to which `report` is written at the end. If the channel is closed before, the run is killed.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <sysexits.h>
#include <unistd.h>

enum { STREAMS = 3, CHANNEL = STREAMS, DESCRIPTORS, MOST_BYTES = 1 << 16, MOST_WORDS = 1 << 10 };

// As ProcessMeter reports: a wait status, the most memory held at once in kB, and the processor time in ms.
struct report {
  int64_t status, peak, busy;
};

static int (*program)(int, char **, char **);

static _Noreturn void run(char *words, size_t count, const int descriptors[DESCRIPTORS]) {
  char *arguments[MOST_WORDS + 1];
  int number = 0;
  for (size_t start = 0; start < count && number < MOST_WORDS; start += strlen(words + start) + 1)
    arguments[number++] = words + start;
  if (number == MOST_WORDS) _exit(EX_SOFTWARE);
  arguments[number] = NULL;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  for (int i = 0; i < STREAMS; i++) dup2(descriptors[i], i);
  for (int i = 0; i < DESCRIPTORS; i++) close(descriptors[i]);
  exit(program(number, arguments, environ));
}

// Waits until the run ends or nobody wants to know it.
static void watch(pid_t process, int channel) {
  int ending = (int)syscall(SYS_pidfd_open, process, 0);
  if (ending < 0) {  // Not reported, so that the test fails at once.
    kill(process, SIGKILL);
    return;
  }
  struct pollfd events[] = {{.fd = ending, .events = POLLIN}, {.fd = channel}};
  while (poll(events, 2, -1) < 0 && errno == EINTR) {
  }
  if ((events[0].revents & POLLIN) == 0) kill(process, SIGKILL);
  int status = 0;
  struct rusage usage = {0};
  while (wait4(process, &status, 0, &usage) < 0 && errno == EINTR) {
  }
  struct report report = {
      status, usage.ru_maxrss,
      (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000 +
          (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1000};
  send(channel, &report, sizeof report, MSG_NOSIGNAL);
}

// Returns the number of bytes, 0 at the end of the input.
static size_t receive(char *words, int descriptors[DESCRIPTORS]) {
  union {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(DESCRIPTORS * sizeof(int))];
  } control;
  struct iovec piece = {.iov_base = words, .iov_len = MOST_BYTES - 1};
  struct msghdr message = {
      .msg_iov = &piece, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
  ssize_t count;
  while ((count = recvmsg(STDIN_FILENO, &message, 0)) < 0 && errno == EINTR) {
  }
  struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  if (message.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) return 0;
  if (count <= 0 || header == NULL || header->cmsg_len != CMSG_LEN(DESCRIPTORS * sizeof(int))) return 0;
  memcpy(descriptors, CMSG_DATA(header), DESCRIPTORS * sizeof(int));
  words[count] = 0;
  return (size_t)count;
}

static int serve(int count, char **arguments, char **variables) {
  (void)count, (void)arguments, (void)variables;
  static char words[MOST_BYTES];
  int descriptors[DESCRIPTORS];
  // Who watches a run is not waited for.
  signal(SIGCHLD, SIG_IGN);
  for (size_t size; (size = receive(words, descriptors)) > 0;) {
    if (fork() == 0) {
      signal(SIGCHLD, SIG_DFL);
      pid_t process = fork();
      if (process == 0) run(words, size, descriptors);
      for (int i = 0; i < STREAMS; i++) close(descriptors[i]);
      if (process > 0) watch(process, descriptors[CHANNEL]);
      _exit(0);
    }
    for (int i = 0; i < DESCRIPTORS; i++) close(descriptors[i]);
  }
  _exit(0);
}

// In place of the C library's function of this name, which is called when all libraries are bound.
int __libc_start_main(
    int (*main)(int, char **, char **), int count, char **arguments, void (*begin)(void), void (*end)(void),
    void (*unload)(void), void *stack) {
  int (*start)(int (*)(int, char **, char **), int, char **, void (*)(void), void (*)(void), void (*)(void), void *);
  *(void **)&start = dlsym(RTLD_NEXT, "__libc_start_main");
  program = main;
  return start(serve, count, arguments, begin, end, unload, stack);
}
