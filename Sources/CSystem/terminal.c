#define _GNU_SOURCE
#include "terminal.h"
#include "JobClock.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

enum { sequence_limit = 256, signal_stack_bytes = 64 * 1024 };

static const int asking[] = {SIGINT, SIGTERM, SIGHUP};
// SIGQUIT ends the process like a crash, at once and with a core dump, which the user asked for.
static const int crashing[] = {SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGQUIT};
static const int job[] = {SIGWINCH, SIGTSTP, SIGCONT};

enum {
  asking_count = sizeof asking / sizeof asking[0],
  crashing_count = sizeof crashing / sizeof crashing[0],
  job_count = sizeof job / sizeof job[0]
};

// Written before `held` is set, and read by handlers only while it is set.
static int terminal = -1;
static int pipe_ends[2] = {-1, -1};
static struct termios cooked, raw;
static uint8_t enter_bytes[sequence_limit], leave_bytes[sequence_limit];
static size_t enter_length, leave_length;
static struct sigaction old_asking[asking_count], old_crashing[crashing_count], old_job[job_count];
static volatile sig_atomic_t held, asked;
static atomic_int entered;

struct trim_terminal_size trim_terminal_size(int descriptor) {
  struct winsize window;
  struct trim_terminal_size size = {0, 0, 0, 0};
  if (ioctl(descriptor, TIOCGWINSZ, &window) == 0) {
    size.columns = window.ws_col;
    size.rows = window.ws_row;
    size.width = window.ws_xpixel;
    size.height = window.ws_ypixel;
  }
  return size;
}

int trim_terminal_write(int descriptor, const uint8_t *bytes, size_t count) {
  while (count > 0) {
    ssize_t written = write(descriptor, bytes, count);
    if (written >= 0) {
      bytes += written;
      count -= (size_t)written;
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      struct pollfd waiting = {descriptor, POLLOUT, 0};
      poll(&waiting, 1, -1);
    } else if (errno != EINTR) {
      return errno;
    }
  }
  return 0;
}

int trim_terminal_wait(int first, int second, int third, int milliseconds) {
  struct pollfd waiting[3] = {{first, POLLIN, 0}, {second, POLLIN, 0}, {third, POLLIN, 0}};
  int ready;
  do ready = poll(waiting, 3, milliseconds);
  while (ready < 0 && errno == EINTR);
  if (ready < 0) return -1;
  int bits = 0;
  for (int i = 0; i < 3; i++)
    if (waiting[i].revents != 0) bits |= 1 << i;
  return bits;
}

size_t trim_terminal_read(int descriptor, uint8_t *bytes, size_t count) {
  ssize_t got;
  do got = read(descriptor, bytes, count);
  while (got < 0 && errno == EINTR);
  return got > 0 ? (size_t)got : 0;
}

int trim_terminal_pipe(int *read_end, int *write_end) {
  int ends[2];
  if (pipe(ends) != 0) return errno;
  for (int i = 0; i < 2; i++) fcntl(ends[i], F_SETFD, FD_CLOEXEC);
  *read_end = ends[0];
  *write_end = ends[1];
  return 0;
}

void trim_terminal_close(int descriptor) { close(descriptor); }

// Everything from here to the handlers is async-signal-safe (POSIX 2.4.3).

static void notify(uint8_t what) {
  // A full pipe holds 64 Ki unread signals: one more adds nothing.
  (void)!write(pipe_ends[1], &what, 1);
}

static int in_background(void) {
  pid_t foreground = tcgetpgrp(terminal);
  return foreground >= 0 && foreground != getpgrp();
}

// Leaves the screen, after the frame that another thread may be writing. A terminal that no longer reads
// must not keep the process from ending: this gives up after a quarter of a second.
static void write_leave_bytes(void) {
  struct timespec moment = {.tv_sec = 0, .tv_nsec = 5000000};
  int flags = fcntl(terminal, F_GETFL);
  fcntl(terminal, F_SETFL, flags | O_NONBLOCK);
  size_t done = 0;
  for (int i = 0; i < 50 && done < leave_length; i++) {
    ssize_t written = write(terminal, leave_bytes + done, leave_length - done);
    if (written > 0)
      done += (size_t)written;
    else
      nanosleep(&moment, NULL);
  }
  fcntl(terminal, F_SETFL, flags);
}

static void restore_screen(void) {
  if (!atomic_exchange(&entered, 0)) return;
  write_leave_bytes();
  // In the background, the modes belong to the shell.
  if (in_background()) return;
  // Unread input is not meant for the shell: it is the terminal's reply to a query, or a key pressed on
  // this screen.
  tcflush(terminal, TCIFLUSH);
  tcsetattr(terminal, TCSANOW, &cooked);
}

static void prepare_screen(void) {
  tcsetattr(terminal, TCSANOW, &raw);
  if (atomic_exchange(&entered, 1)) return;
  trim_terminal_write(terminal, enter_bytes, enter_length);
}

// Raises a signal with its default action. It is unblocked after it is raised, so that this also works
// inside the signal's own handler.
static void raise_plain(int number) {
  struct sigaction plain = {.sa_handler = SIG_DFL}, mine;
  sigset_t only, kept;
  sigemptyset(&only);
  sigaddset(&only, number);
  sigaction(number, &plain, &mine);
  raise(number);
  pthread_sigmask(SIG_UNBLOCK, &only, &kept);
  pthread_sigmask(SIG_SETMASK, &kept, NULL);
  sigaction(number, &mine, NULL);
}

static int is_asked_to_end(void) {
  sigset_t pending;
  if (asked) return 1;
  if (sigpending(&pending) != 0) return 0;
  for (int i = 0; i < asking_count; i++)
    if (sigismember(&pending, asking[i]) == 1) return 1;
  return 0;
}

static void resume_screen(void) {
  // Continued with `bg`: wait to be brought to the foreground. In an orphaned process group the kernel
  // does not stop us, hence the limit.
  for (int i = 0; i < 100 && in_background() && !is_asked_to_end(); i++) raise_plain(SIGTTOU);
  if (in_background()) return;
  prepare_screen();
  notify(TRIM_TERMINAL_CONTINUED);
}

void trim_terminal_die(int number) {
  restore_screen();
  raise_plain(number);
  _exit(128 + number);
}

static void on_asking(int number) {
  int kept = errno;
  if (asked) trim_terminal_die(number);
  asked = 1;
  notify((uint8_t)number);
  errno = kept;
}

static void on_crash(int number) {
  restore_screen();
  for (int i = 0; i < crashing_count; i++)
    if (crashing[i] == number) sigaction(number, &old_crashing[i], NULL);
  // Pending until this handler returns; then the previous handler gets the crash.
  raise(number);
}

static trim_job_clock clock_of_job;

int64_t trim_job_nanoseconds(void) { return trim_job_clock_nanoseconds(&clock_of_job); }

static void on_job(int number) {
  int kept = errno;
  if (number == SIGWINCH) {
    notify((uint8_t)number);
  } else {
    // Threads that wake before this one must not count the time of the stop as playback.
    trim_job_clock_stop(&clock_of_job);
    if (number == SIGTSTP) {
      restore_screen();
      raise_plain(SIGTSTP);
    }
    // Also after a SIGSTOP, which cannot be caught: the shell has changed the modes.
    resume_screen();
    trim_job_clock_start(&clock_of_job);
  }
  errno = kept;
}

static void install(
    const int *numbers, int count, struct sigaction *old, void (*handler)(int), int flags) {
  struct sigaction action = {.sa_handler = handler, .sa_flags = flags};
  sigfillset(&action.sa_mask);
  // A crash inside a handler must still restore the screen.
  for (int i = 0; i < crashing_count; i++) sigdelset(&action.sa_mask, crashing[i]);
  for (int i = 0; i < count; i++) {
    sigaction(numbers[i], NULL, &old[i]);
    // What the parent chose to ignore (nohup, a background job) stays ignored.
    if (old[i].sa_handler == SIG_IGN) continue;
    sigaction(numbers[i], &action, NULL);
  }
}

static void uninstall(const int *numbers, int count, const struct sigaction *old) {
  for (int i = 0; i < count; i++) sigaction(numbers[i], &old[i], NULL);
}

static void prepare_signal_stack(void) {
  static uint8_t bytes[signal_stack_bytes];
  stack_t present;
  if (sigaltstack(NULL, &present) != 0 || !(present.ss_flags & SS_DISABLE)) return;
  stack_t own = {.ss_sp = bytes, .ss_size = sizeof bytes};
  sigaltstack(&own, NULL);
}

static int open_signal_pipe(void) {
  if (pipe_ends[0] >= 0) return 0;
  int failure = trim_terminal_pipe(&pipe_ends[0], &pipe_ends[1]);
  if (failure == 0)
    for (int i = 0; i < 2; i++) fcntl(pipe_ends[i], F_SETFL, O_NONBLOCK);
  return failure;
}

int trim_terminal_enter(
    int descriptor, const uint8_t *enter, size_t enter_count, const uint8_t *leave,
    size_t leave_count) {
  static int leaves_at_exit;
  if (held) return TRIM_TERMINAL_BUSY;
  if (!isatty(descriptor)) return TRIM_TERMINAL_NONE;
  if (enter_count > sequence_limit || leave_count > sequence_limit) return EINVAL;
  if (tcgetattr(descriptor, &cooked) != 0) return errno;
  int failure = open_signal_pipe();
  if (failure != 0) return failure;

  raw = cooked;
  raw.c_iflag &= ~(tcflag_t)(BRKINT | ICRNL | IGNCR | INLCR | INPCK | ISTRIP | IXON | PARMRK);
  raw.c_lflag &= ~(tcflag_t)(ECHO | ECHONL | ICANON | IEXTEN | ISIG);
  raw.c_cc[VMIN] = 1;
  raw.c_cc[VTIME] = 0;
  terminal = descriptor;
  memcpy(enter_bytes, enter, enter_count);
  memcpy(leave_bytes, leave, leave_count);
  enter_length = enter_count;
  leave_length = leave_count;
  asked = 0;
  if (tcsetattr(descriptor, TCSANOW, &raw) != 0) return errno;

  held = 1;
  if (!leaves_at_exit) leaves_at_exit = atexit(trim_terminal_leave) == 0;
  prepare_signal_stack();
  install(crashing, crashing_count, old_crashing, on_crash, SA_ONSTACK);
  install(asking, asking_count, old_asking, on_asking, SA_RESTART);
  install(job, job_count, old_job, on_job, SA_RESTART);
  prepare_screen();
  return 0;
}

void trim_terminal_leave(void) {
  if (!held) return;
  restore_screen();
  uninstall(job, job_count, old_job);
  uninstall(asking, asking_count, old_asking);
  uninstall(crashing, crashing_count, old_crashing);
  held = 0;
}

void trim_terminal_let_abort_through(void) {
  sigset_t only;
  sigemptyset(&only);
  sigaddset(&only, SIGABRT);
  pthread_sigmask(SIG_UNBLOCK, &only, NULL);
}

int trim_terminal_draw(const uint8_t *bytes, size_t count) {
  if (!held || !atomic_load(&entered)) return TRIM_TERMINAL_BUSY;
  return trim_terminal_write(terminal, bytes, count);
}

int trim_terminal_signals(void) { return pipe_ends[0]; }

void trim_terminal_suspend(void) { kill(0, SIGTSTP); }
