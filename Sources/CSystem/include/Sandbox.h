#ifndef TRIM_SANDBOX_H
#define TRIM_SANDBOX_H

#include <stdint.h>

// What a process that reads hostile files may no longer do, layer by layer.
enum {
  // setrlimit: memory, descriptors, no core dump, the size of one file.
  TRIM_LAYER_LIMITS = 1,
  // PR_SET_NO_NEW_PRIVS: nothing it starts could gain rights.
  TRIM_LAYER_NO_NEW_PRIVILEGES = 2,
  // PR_SET_PDEATHSIG: it does not outlive its parent.
  TRIM_LAYER_PARENT = 4,
  // Landlock: nothing is created, written or removed but beneath one folder.
  TRIM_LAYER_FILES = 8,
  // Landlock: no TCP.
  TRIM_LAYER_TCP = 16,
  // seccomp: no sockets but local ones, no other program, no tracing, no mounts.
  TRIM_LAYER_CALLS = 32
};

// Enters all layers that this system has, before any other thread exists, and for good. Returns
// their bits. `writable_folder` is the one folder to write beneath, or null for none.
uint32_t trim_enter_sandbox(const char *writable_folder);

// The layers that this system has, without entering them.
uint32_t trim_sandbox_layers(void);

// The process may spend so many more seconds of processor time; then the system ends it.
void trim_limit_processor_time(int64_t seconds);

#endif
