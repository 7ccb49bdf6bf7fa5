#define _GNU_SOURCE
#include "WorkerProcess.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <sys/auxv.h>

extern char **environ;

enum { path_limit = 4096, argument_limit = 8 };

static const char *own_program(char *buffer) {
  (void)buffer;
  static const char own[] = "/proc/self/exe";
  if (access(own, X_OK) == 0) return own;
  // Without /proc: the path that the program was started by.
  return (const char *)getauxval(AT_EXECFN);
}

// The environment with Swift's backtraces disabled, which would read many files; the caller frees it.
static char **worker_environment(void) {
  size_t count = 0;
  while (environ[count] != NULL) count++;
  char **variables = calloc(count + 2, sizeof *variables);
  if (variables == NULL) return NULL;
  size_t used = 0;
  variables[used++] = "SWIFT_BACKTRACE=enable=no";
  for (size_t i = 0; i < count; i++)
    // The header fields of the user are secrets that only the command needs.
    if (strncmp(environ[i], "SWIFT_BACKTRACE=", 16) != 0 &&
        strncmp(environ[i], "TRIM_HTTP_HEADERS=", 18) != 0)
      variables[used++] = environ[i];
  return variables;
}

static int open_channel(int ends[2]) {
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return errno;
  for (int i = 0; i < 2; i++) fcntl(ends[i], F_SETFD, FD_CLOEXEC);
  return 0;
}

static void close_channels(int (*ends)[2], int count) {
  for (int i = 0; i < count; i++) {
    close(ends[i][0]);
    close(ends[i][1]);
  }
}

static int open_channels(int (*ends)[2], int count) {
  for (int i = 0; i < count; i++) {
    int failure = open_channel(ends[i]);
    if (failure != 0) {
      close_channels(ends, i);
      return failure;
    }
    // Above all descriptors that the child receives (0, 1, and 3 to 1 + count), so that none is
    // overwritten before it is passed on, and no higher: few descriptors may be allowed.
    int moved = fcntl(ends[i][1], F_DUPFD_CLOEXEC, 2 + count);
    if (moved < 0) {
      // EINVAL: the first of them is beyond the limit.
      failure = errno == EINVAL ? EMFILE : errno;
      close_channels(ends, i + 1);
      return failure;
    }
    close(ends[i][1]);
    ends[i][1] = moved;
  }
  return 0;
}

int trim_start_workers(pid_t *process, int *channels, int count, char *const argv[]) {
  if (count < 1 || count > 1 + TRIM_MOST_SIBLINGS) return EINVAL;
  char buffer[path_limit];
  const char *program = own_program(buffer);
  if (program == NULL) return ENOENT;
  char *words[argument_limit + 2] = {"trim"};
  for (int i = 0; i < argument_limit && argv[i] != NULL; i++) words[i + 1] = argv[i];
  char **variables = worker_environment();
  if (variables == NULL) return ENOMEM;
  int ends[1 + TRIM_MOST_SIBLINGS][2];
  int failure = open_channels(ends, count);
  if (failure != 0) {
    free(variables);
    return failure;
  }
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  sigset_t none, usual;
  sigemptyset(&none);
  sigemptyset(&usual);
  sigaddset(&usual, SIGPIPE);
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_adddup2(&actions, ends[0][1], 0);
  posix_spawn_file_actions_adddup2(&actions, ends[0][1], 1);
  for (int i = 1; i < count; i++) posix_spawn_file_actions_adddup2(&actions, ends[i][1], 2 + i);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &usual);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  failure = posix_spawn(process, program, &actions, &attributes, words, variables);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  free(variables);
  for (int i = 0; i < count; i++) {
    close(ends[i][1]);
    if (failure != 0) close(ends[i][0]);
    channels[i] = ends[i][0];
  }
  return failure;
}

// Room for the descriptors of one message, aligned as the system requires.
union control {
  struct cmsghdr header;
  char bytes[CMSG_SPACE(TRIM_MOST_DESCRIPTORS * sizeof(int))];
};

int trim_send(
    int channel, const uint8_t *bytes, size_t count, const int *descriptors,
    int descriptor_count) {
  // A byte goes with each lot.
  if (descriptor_count > 0 && (size_t)(descriptor_count - 1) / TRIM_MOST_DESCRIPTORS >= count)
    return EINVAL;
  union control control;
  memset(&control, 0, sizeof control);
  while (count > 0) {
    struct iovec piece = {.iov_base = (void *)(uintptr_t)bytes, .iov_len = count};
    struct msghdr message = {.msg_iov = &piece, .msg_iovlen = 1};
    int lot = descriptor_count < TRIM_MOST_DESCRIPTORS ? descriptor_count : TRIM_MOST_DESCRIPTORS;
    if (lot > 0) {
      size_t size = (size_t)lot * sizeof(int);
      // The reader has them all before the last byte.
      if (lot < descriptor_count) piece.iov_len = 1;
      message.msg_control = control.bytes;
      message.msg_controllen = CMSG_SPACE(size);
      struct cmsghdr *header = CMSG_FIRSTHDR(&message);
      header->cmsg_level = SOL_SOCKET;
      header->cmsg_type = SCM_RIGHTS;
      header->cmsg_len = CMSG_LEN(size);
      memcpy(CMSG_DATA(header), descriptors, size);
    }
    ssize_t sent = sendmsg(channel, &message, MSG_NOSIGNAL);
    if (sent >= 0) {
      bytes += sent;
      count -= (size_t)sent;
      descriptors += lot;
      descriptor_count -= lot;
    } else if (errno != EINTR) {
      return errno;
    }
  }
  return 0;
}

ssize_t trim_receive(
    int channel, uint8_t *bytes, size_t count, int *descriptors, int *descriptor_count) {
  union control control;
  struct iovec piece = {.iov_base = bytes, .iov_len = count};
  struct msghdr message = {
      .msg_iov = &piece, .msg_iovlen = 1, .msg_control = control.bytes,
      .msg_controllen = sizeof control.bytes};
  *descriptor_count = 0;
  ssize_t received;
  do {
#ifdef MSG_CMSG_CLOEXEC
    received = recvmsg(channel, &message, MSG_CMSG_CLOEXEC);
#else
    received = recvmsg(channel, &message, 0);
#endif
  } while (received < 0 && errno == EINTR);
  if (received <= 0) return received;
  for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header != NULL;
       header = CMSG_NXTHDR(&message, header)) {
    if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
    size_t found = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (size_t i = 0; i < found && *descriptor_count < TRIM_MOST_DESCRIPTORS; i++)
      memcpy(&descriptors[(*descriptor_count)++], CMSG_DATA(header) + i * sizeof(int),
             sizeof(int));
  }
  return received;
}

int64_t trim_processor_time(pid_t process) {
  clockid_t clock;
  struct timespec time;
  if (clock_getcpuclockid(process, &clock) != 0 || clock_gettime(clock, &time) != 0) return -1;
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

int64_t trim_processor_wait(pid_t process) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/task", (int)process);
  DIR *threads = opendir(path);
  if (threads == NULL) return 0;
  int64_t sum = 0;
  for (struct dirent *thread; (thread = readdir(threads)) != NULL;) {
    if (thread->d_name[0] == '.') continue;
    char name[sizeof thread->d_name + 16];
    snprintf(name, sizeof name, "%s/schedstat", thread->d_name);
    int file = openat(dirfd(threads), name, O_RDONLY | O_CLOEXEC);
    if (file < 0) continue;
    // The time it spent running, and the time it spent waiting to run (Linux, sched-stats.rst).
    char text[96];
    ssize_t count = read(file, text, sizeof text - 1);
    close(file);
    long long ran = 0, waited = 0;
    text[count > 0 ? count : 0] = 0;
    if (sscanf(text, "%lld %lld", &ran, &waited) == 2) sum += waited;
  }
  closedir(threads);
  return sum;
}

void trim_limit_processor_time(pid_t process, int64_t seconds) {
  int64_t used = trim_processor_time(process);
  struct rlimit limit;
  if (used < 0 || prlimit(process, RLIMIT_CPU, NULL, &limit) != 0) return;
  rlim_t end = (rlim_t)(used / 1000000000 + 1 + seconds);
  limit.rlim_cur = end < limit.rlim_max ? end : limit.rlim_max;
  prlimit(process, RLIMIT_CPU, &limit, NULL);
}

void trim_step_back(pid_t process) { setpriority(PRIO_PROCESS, (id_t)process, 10); }

void trim_limit_memory(pid_t process, uint64_t bytes) {
  struct rlimit limit;
  if (prlimit(process, RLIMIT_AS, NULL, &limit) != 0) return;
  limit.rlim_cur = (rlim_t)bytes < limit.rlim_max ? (rlim_t)bytes : limit.rlim_max;
  prlimit(process, RLIMIT_AS, &limit, NULL);
}

int trim_end_worker(pid_t process, int kills) {
  int status = 0;
  if (kills) kill(process, SIGKILL);
  while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}
