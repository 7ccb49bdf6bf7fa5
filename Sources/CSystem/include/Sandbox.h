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
  // Landlock: no path is opened, made, removed or run.
  TRIM_LAYER_FILES = 8,
  // Landlock: no TCP.
  TRIM_LAYER_TCP = 16,
  // seccomp: no system call but those of a list.
  TRIM_LAYER_CALLS = 32,
  // Landlock: no abstract socket and no signal that leads out of it.
  TRIM_LAYER_SCOPE = 64,
  // capset: none of root's privileges are left.
  TRIM_LAYER_CAPABILITIES = 128
};

// Closes every descriptor but the standard streams and so many behind them, and turns standard error into
// nothing, so that what the caller had open, and its terminal, are out of reach. To be called first of
// all.
void trim_leave_inheritance(int kept);

// Ends this process with the thread of its parent that started it.
void trim_die_with_parent(void);

// Enters all layers that this system has, before any other thread exists, and for good. Returns
// their bits. From then on the process computes, reads and writes the descriptors it has, and
// takes more from its standard input (recvmsg); nothing else. Libraries must have been loaded.
// `memory` bounds its addresses, in bytes; the parent may raise that bound up to `most`
// (trim_limit_memory).
uint32_t trim_enter_sandbox(uint64_t memory, uint64_t most);

// The exit status of a sealed process that ended because it got no more memory.
enum { TRIM_NO_MEMORY_STATUS = 113 };

// From now on a crash that comes of memory that is used up (a trap after an allocation that failed)
// is told from any other: the process ends with TRIM_NO_MEMORY_STATUS.
void trim_tell_exhaustion_from_crash(void);

// The layers that this system has, without entering them.
uint32_t trim_sandbox_layers(void);

#endif
