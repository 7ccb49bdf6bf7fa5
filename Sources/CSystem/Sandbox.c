#define _GNU_SOURCE
#include "Sandbox.h"
#include "SandboxLayers.h"
#include "Sanitized.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <sys/prctl.h>

static int set_limit(int resource, rlim_t now, rlim_t most) {
  struct rlimit limit;
  if (getrlimit(resource, &limit) != 0) return -1;
  if (limit.rlim_max != RLIM_INFINITY && limit.rlim_max < most) most = limit.rlim_max;
  limit.rlim_cur = now < most ? now : most;
  limit.rlim_max = most;
  return setrlimit(resource, &limit);
}

static int enter_limits(uint64_t memory, uint64_t most) {
  int failed = 0;
  // Sanitizers reserve terabytes of address space.
  if (!IS_SANITIZED) failed |= set_limit(RLIMIT_AS, (rlim_t)memory, (rlim_t)most);
  failed |= set_limit(RLIMIT_NOFILE, 640, 640);
  failed |= set_limit(RLIMIT_CORE, 0, 0);
  failed |= set_limit(RLIMIT_FSIZE, (rlim_t)1 << 40, (rlim_t)1 << 40);
  // Writing beyond the file size limit then fails instead of killing the process.
  signal(SIGXFSZ, SIG_IGN);
  return failed;
}

static void close_all_from(int first) {
  if (close_range((unsigned)first, ~0U, 0) == 0) return;
  struct rlimit limit;
  int most = 65536;
  if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < (rlim_t)most)
    most = (int)limit.rlim_cur;
  for (int descriptor = first; descriptor < most; descriptor++) close(descriptor);
}

// The parent may exit before this process has loaded its libraries.
void trim_die_with_parent(void) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  // If nobody holds the other end of standard input, the parent is already gone.
  struct pollfd input = {.fd = STDIN_FILENO};
  if (poll(&input, 1, 0) > 0 && (input.revents & (POLLHUP | POLLERR)) != 0) _exit(0);
}

void trim_leave_inheritance(int kept) {
  close_all_from(3 + kept);
  trim_die_with_parent();
  // Sanitizers report to standard error.
  if (IS_SANITIZED) return;
  int nothing = open("/dev/null", O_WRONLY);
  if (nothing < 0) {
    close(STDERR_FILENO);
    return;
  }
  dup2(nothing, STDERR_FILENO);
  if (nothing != STDERR_FILENO) close(nothing);
}

// The largest single allocation that FFmpeg may make: if not even the address space for it is left, an
// allocation has failed.
enum { spare_memory = 256 << 20 };

static void on_crash(int number) {
  void *spare = mmap(NULL, spare_memory, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (spare == MAP_FAILED) _exit(TRIM_NO_MEMORY_STATUS);
  signal(number, SIG_DFL);
  raise(number);
}

void trim_tell_exhaustion_from_crash(void) {
  static char stack[64 << 10];
  stack_t other = {.ss_sp = stack, .ss_size = sizeof stack};
  sigaltstack(&other, NULL);
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = on_crash;
  action.sa_flags = SA_ONSTACK | SA_NODEFER;
  sigemptyset(&action.sa_mask);
  static const int crashes[] = {SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE};
  // Sanitizers have their own handlers.
  for (unsigned i = 0; !IS_SANITIZED && i < sizeof crashes / sizeof crashes[0]; i++)
    sigaction(crashes[i], &action, NULL);
}

#include <linux/capability.h>
#include <sys/syscall.h>

static int drop_capabilities(void) {
  struct __user_cap_header_struct self = {.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
  struct __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3];
  memset(sets, 0, sizeof sets);
  return syscall(SYS_capset, &self, sets) == 0;
}

static uint32_t enter_sandbox(uint64_t memory, uint64_t most, int has_connections) {
  uint32_t layers = 0;
  if (enter_limits(memory, most) == 0) layers |= TRIM_LAYER_LIMITS;
  if (drop_capabilities()) layers |= TRIM_LAYER_CAPABILITIES;
  // After dropping the capabilities, which may clear it (prctl(2)). The system call filter prevents later
  // changes.
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) == 0) layers |= TRIM_LAYER_PARENT;
  // Landlock and seccomp, which follow, require this one.
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return layers;
  layers |= TRIM_LAYER_NO_NEW_PRIVILEGES;
  layers |= trim_enter_landlock();
  if (trim_enter_call_filter(has_connections)) layers |= TRIM_LAYER_CALLS;
  return layers;
}

uint32_t trim_enter_sandbox(uint64_t memory, uint64_t most) {
  return enter_sandbox(memory, most, 0);
}

uint32_t trim_enter_sandbox_with_connections(uint64_t memory) {
  return enter_sandbox(memory, memory, 1);
}

uint32_t trim_sandbox_layers(void) {
  uint32_t layers = TRIM_LAYER_LIMITS | TRIM_LAYER_PARENT | TRIM_LAYER_NO_NEW_PRIVILEGES |
                    TRIM_LAYER_CAPABILITIES | trim_landlock_layers();
  if (trim_has_call_filter()) layers |= TRIM_LAYER_CALLS;
  return layers;
}

