#define _GNU_SOURCE
#include "SandboxLayers.h"
#include "Sandbox.h"

#include <stddef.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// The kernel's numbers, defined here because the build's headers may be older than the running kernel
// (linux/landlock.h; the same on all architectures).
enum { landlock_create = 444, landlock_restrict = 446, landlock_version = 1 };

struct ruleset {
  uint64_t files;
  uint64_t network;
  uint64_t scopes;
};

enum {
  // Execute, write, read, list, remove and make: bits 0 to 12 of the first version.
  files_of_version_1 = (1 << 13) - 1,
  refer = 1 << 13,
  truncate_file = 1 << 14,
  device_control = 1 << 15,
  tcp_bind_and_connect = 3,
  abstract_sockets_and_signals = 3
};

static long version(void) { return syscall(landlock_create, NULL, (size_t)0, landlock_version); }

static uint32_t layers_of(long version) {
  uint32_t layers = 0;
  if (version >= 1) layers |= TRIM_LAYER_FILES;
  if (version >= 4) layers |= TRIM_LAYER_TCP;
  if (version >= 6) layers |= TRIM_LAYER_SCOPE;
  return layers;
}

uint32_t trim_landlock_layers(void) { return layers_of(version()); }

// Landlock applies to the calling thread and those it starts; others would stay unrestricted.
static int is_the_only_thread(void) {
  struct stat threads;
  // Each thread is a subdirectory there, which adds a link; two links are its own.
  return stat("/proc/self/task", &threads) != 0 || threads.st_nlink == 3;
}

uint32_t trim_enter_landlock(void) {
  long found = version();
  if (found < 1 || !is_the_only_thread()) return 0;
  struct ruleset rules = {.files = files_of_version_1};
  size_t size = offsetof(struct ruleset, network);
  if (found >= 2) rules.files |= refer;
  if (found >= 3) rules.files |= truncate_file;
  if (found >= 4) {
    rules.network = tcp_bind_and_connect;
    size = offsetof(struct ruleset, scopes);
  }
  if (found >= 5) rules.files |= device_control;
  if (found >= 6) {
    rules.scopes = abstract_sockets_and_signals;
    size = sizeof rules;
  }
  // A ruleset without rules denies everything that it handles.
  int set = (int)syscall(landlock_create, &rules, size, 0);
  if (set < 0) return 0;
  int done = syscall(landlock_restrict, set, 0) == 0;
  close(set);
  return done ? layers_of(found) : 0;
}

