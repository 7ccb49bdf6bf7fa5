#ifndef TRIM_SANDBOX_H
#define TRIM_SANDBOX_H

#include <stdint.h>

// The layers that restrict a process that reads hostile files.
enum {
  // setrlimit: memory, descriptors, no core dump, the size of one file.
  TRIM_LAYER_LIMITS = 1,
  // PR_SET_NO_NEW_PRIVS: nothing it starts can gain privileges.
  TRIM_LAYER_NO_NEW_PRIVILEGES = 2,
  // PR_SET_PDEATHSIG: it does not outlive its parent.
  TRIM_LAYER_PARENT = 4,
  // Landlock: no path can be opened, created, removed or executed.
  TRIM_LAYER_FILES = 8,
  // Landlock: no TCP.
  TRIM_LAYER_TCP = 16,
  // seccomp: only the system calls on a list.
  TRIM_LAYER_CALLS = 32,
  // Landlock: no abstract sockets of other processes, and no signals to them.
  TRIM_LAYER_SCOPE = 64,
  // capset: none of root's privileges are left.
  TRIM_LAYER_CAPABILITIES = 128
};

// Closes all descriptors except the standard streams and the next `kept` ones, and redirects standard
// error to /dev/null, so that the files that the caller had open, and its terminal, are out of reach. Also
// calls trim_die_with_parent. Must be called first.
void trim_leave_inheritance(int kept);

// Makes this process end with the parent's thread that started it.
void trim_die_with_parent(void);

// Permanently enters all layers that this system supports, and returns their bits. Must be called before
// any other thread exists, and after all libraries are loaded. From then on, the process can only compute,
// read and write the descriptors it has, and receive more from its standard input (recvmsg). `memory`
// limits its address space, in bytes; the parent may raise that limit up to `most` (trim_limit_memory).
uint32_t trim_enter_sandbox(uint64_t memory, uint64_t most);

// The same for a process that talks to servers: it can also send to and receive from the connected sockets
// that it is handed. It cannot make or connect one.
uint32_t trim_enter_sandbox_with_connections(uint64_t memory);

// The exit status of a sealed process that ended because it ran out of memory.
enum { TRIM_NO_MEMORY_STATUS = 113 };

// From now on, a crash caused by a lack of memory (a trap after a failed allocation) is distinguished from
// any other: the process exits with TRIM_NO_MEMORY_STATUS.
void trim_tell_exhaustion_from_crash(void);

// The layers that this system supports, without entering them.
uint32_t trim_sandbox_layers(void);

#endif
