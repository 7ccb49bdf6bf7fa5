#define _GNU_SOURCE
#include "WorkerProcess.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __APPLE__
#include <mach-o/dyld.h>
#define MSG_NOSIGNAL 0
#endif

extern char **environ;

enum { path_limit = 4096, argument_limit = 8 };

static const char *own_program(char *buffer) {
#ifdef __APPLE__
  uint32_t size = path_limit;
  return _NSGetExecutablePath(buffer, &size) == 0 ? buffer : NULL;
#else
  (void)buffer;
  return "/proc/self/exe";
#endif
}

// The environment with TMPDIR set and without backtraces, which would read half the system; to be
// freed with its first entry.
static char **worker_environment(const char *temporary_folder) {
  size_t count = 0;
  while (environ[count] != NULL) count++;
  char **variables = calloc(count + 3, sizeof *variables);
  if (variables == NULL) return NULL;
  size_t used = 0;
  variables[used++] = "SWIFT_BACKTRACE=enable=no";
  for (size_t i = 0; i < count; i++) {
    int is_replaced = strncmp(environ[i], "SWIFT_BACKTRACE=", 16) == 0 ||
                      (temporary_folder != NULL && strncmp(environ[i], "TMPDIR=", 7) == 0);
    if (!is_replaced) variables[used++] = environ[i];
  }
  if (temporary_folder != NULL) {
    size_t size = strlen(temporary_folder) + 8;
    char *text = malloc(size);
    if (text == NULL) {
      free(variables);
      return NULL;
    }
    snprintf(text, size, "TMPDIR=%s", temporary_folder);
    variables[used++] = text;
  }
  return variables;
}

static int open_channel(int ends[2]) {
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return errno;
  for (int i = 0; i < 2; i++) fcntl(ends[i], F_SETFD, FD_CLOEXEC);
#ifdef __APPLE__
  int yes = 1;
  setsockopt(ends[0], SOL_SOCKET, SO_NOSIGPIPE, &yes, sizeof yes);
#endif
  return 0;
}

int trim_start_worker(
    pid_t *process, int *channel, char *const argv[], const char *temporary_folder) {
  char buffer[path_limit];
  const char *program = own_program(buffer);
  if (program == NULL) return ENOENT;
  char *words[argument_limit + 2] = {"trim"};
  for (int i = 0; i < argument_limit && argv[i] != NULL; i++) words[i + 1] = argv[i];
  int ends[2];
  int failure = open_channel(ends);
  if (failure != 0) return failure;
  char **variables = worker_environment(temporary_folder);
  if (variables == NULL) {
    close(ends[0]);
    close(ends[1]);
    return ENOMEM;
  }
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  sigset_t none, usual;
  sigemptyset(&none);
  sigemptyset(&usual);
  sigaddset(&usual, SIGPIPE);
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_adddup2(&actions, ends[1], 0);
  posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &usual);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  failure = posix_spawn(process, program, &actions, &attributes, words, variables);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  size_t last = 0;
  while (variables[last + 1] != NULL) last++;
  if (temporary_folder != NULL) free(variables[last]);
  free(variables);
  close(ends[1]);
  if (failure != 0) {
    close(ends[0]);
    return failure;
  }
  *channel = ends[0];
  return 0;
}

int trim_send(int channel, const uint8_t *bytes, size_t count) {
  while (count > 0) {
    ssize_t sent = send(channel, bytes, count, MSG_NOSIGNAL);
    if (sent >= 0) {
      bytes += sent;
      count -= (size_t)sent;
    } else if (errno != EINTR) {
      return errno;
    }
  }
  return 0;
}

int trim_end_worker(pid_t process, int kills) {
  int status = 0;
  if (kills) kill(process, SIGKILL);
  while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}
