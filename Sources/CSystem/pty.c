#define _GNU_SOURCE
#include "pty.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

int trim_pty_open(int *controller, int *terminal, char *name, size_t name_size) {
  int failure;
  // A program that another thread starts meanwhile must not inherit it.
  *controller = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (*controller < 0) return errno;
  fcntl(*controller, F_SETFD, FD_CLOEXEC);
  if (grantpt(*controller) != 0 || unlockpt(*controller) != 0) goto failed;
  // ptsname(3) has one buffer for all threads: two terminals opened at once could get the same name.
  int unnamed = ptsname_r(*controller, name, name_size);
  if (unnamed != 0) {
    if (unnamed > 0) errno = unnamed;
    goto failed;
  }
  *terminal = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (*terminal >= 0) return 0;
failed:
  failure = errno;
  close(*controller);
  return failure;
}

int trim_pty_resize(int descriptor, int32_t columns, int32_t rows) {
  struct winsize window = {.ws_col = (unsigned short)columns, .ws_row = (unsigned short)rows};
  return ioctl(descriptor, TIOCSWINSZ, &window) == 0 ? 0 : errno;
}

int trim_pty_is_cooked(int descriptor) {
  struct termios modes;
  if (tcgetattr(descriptor, &modes) != 0) return 0;
  return (modes.c_lflag & (ECHO | ICANON | ISIG)) == (ECHO | ICANON | ISIG);
}

int trim_pty_spawn(
    pid_t *process, const char *name, int own_session, const char *path, char *const argv[],
    char *const envp[]) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  // The first terminal that a session leader opens becomes its controlling terminal.
  posix_spawn_file_actions_addopen(&actions, 0, name, O_RDWR | (own_session ? 0 : O_NOCTTY), 0);
  posix_spawn_file_actions_adddup2(&actions, 0, 1);
  posix_spawn_file_actions_adddup2(&actions, 0, 2);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(
      &attributes, (short)(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF |
                           (own_session ? POSIX_SPAWN_SETSID : POSIX_SPAWN_SETPGROUP)));
  int failure = posix_spawn(process, path, &actions, &attributes, argv, envp);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  return failure;
}
