// The system calls that a sandboxed process may make; all others fail with EPERM.
#define _GNU_SOURCE
#include "SandboxLayers.h"

#if defined(__linux__) && defined(__x86_64__)
#define OWN_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__linux__) && defined(__aarch64__)
#define OWN_ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#ifdef OWN_ARCHITECTURE
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

// Allowed with any arguments: they affect only memory, threads, time, and descriptors that the
// process already has.
static const int plain_calls[] = {
    // Reading and writing descriptors. `fstat` examines an open file; its relatives take names.
    __NR_read, __NR_write, __NR_readv, __NR_writev, __NR_pread64, __NR_pwrite64, __NR_lseek,
    __NR_fstat, __NR_ftruncate, __NR_close, __NR_ppoll,
#ifdef __NR_poll
    __NR_poll,
#endif
    // Memory; calls that could make it executable are restricted below.
    __NR_brk, __NR_munmap, __NR_mremap, __NR_madvise,
    // Threads.
    __NR_futex, __NR_set_robust_list, __NR_rseq, __NR_sched_yield, __NR_gettid, __NR_getpid, __NR_membarrier, __NR_exit, __NR_exit_group,
    // The process's own signals.
    __NR_rt_sigaction, __NR_rt_sigprocmask, __NR_rt_sigreturn, __NR_sigaltstack,
    __NR_restart_syscall,
    // Time and random numbers.
    __NR_nanosleep, __NR_gettimeofday, __NR_getrusage, __NR_getrandom,
#ifdef __NR_time
    __NR_time,
#endif
};

enum { longest_program = 200 };

struct program {
  struct sock_filter steps[longest_program];
  unsigned short length;
};

static void add(struct program *program, struct sock_filter step) {
  if (program->length < longest_program) program->steps[program->length++] = step;
}

#define STEP(code, value) (struct sock_filter) BPF_STMT(code, value)
#define TEST(code, value, yes, no) (struct sock_filter) BPF_JUMP(code, value, yes, no)
#define LOAD(field) \
  STEP(BPF_LD | BPF_W | BPF_ABS, (uint32_t)offsetof(struct seccomp_data, field))
// The lower 32 bits of an argument; both architectures are little-endian.
#define LOAD_ARGUMENT(index) LOAD(args[index])
#define ALLOW STEP(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
#define REFUSE_AS(number) STEP(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (number))
#define REFUSE REFUSE_AS(EPERM)

static void allow(struct program *program, int call) {
  add(program, TEST(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)call, 0, 1));
  add(program, ALLOW);
}

// Allows a call if an argument has this value under a mask.
static void allow_where(
    struct program *program, int call, int argument, uint32_t mask, uint32_t value) {
  add(program, TEST(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)call, 0, 5));
  add(program, LOAD_ARGUMENT(argument));
  add(program, STEP(BPF_ALU | BPF_AND | BPF_K, mask));
  add(program, TEST(BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1));
  add(program, ALLOW);
  add(program, REFUSE);
}

static void allow_where_equal(struct program *program, int call, int argument, uint32_t value) {
  allow_where(program, call, argument, UINT32_MAX, value);
}

static void allow_reading_limits(struct program *program) {
  // prlimit64 on this process (pid 0) that sets nothing (both halves of the pointer are 0).
  add(program, TEST(BPF_JMP | BPF_JEQ | BPF_K, __NR_prlimit64, 0, 8));
  add(program, LOAD_ARGUMENT(0));
  add(program, TEST(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 5));
  add(program, LOAD_ARGUMENT(2));
  add(program, TEST(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 3));
  add(program, STEP(BPF_LD | BPF_W | BPF_ABS,
                    (uint32_t)offsetof(struct seccomp_data, args[2]) + 4));
  add(program, TEST(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 1));
  add(program, ALLOW);
  add(program, REFUSE);
}

// A system clock, or the clock of a thread of this process (which the kernel checks). The processor
// times of other processes would reveal which of them exist, and what they do.
static void allow_own_clock(struct program *program, int call) {
  const uint32_t of_process = 1u << 31, of_thread = 4;
  add(program, TEST(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)call, 0, 5));
  add(program, LOAD_ARGUMENT(0));
  add(program, TEST(BPF_JMP | BPF_JSET | BPF_K, of_process, 0, 1));
  add(program, TEST(BPF_JMP | BPF_JSET | BPF_K, of_thread, 0, 1));
  add(program, ALLOW);
  add(program, REFUSE);
}

static void allow_own_processors(struct program *program) {
  add(program, TEST(BPF_JMP | BPF_JEQ | BPF_K, __NR_sched_getaffinity, 0, 5));
  add(program, LOAD_ARGUMENT(0));
  add(program, TEST(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 0));
  add(program, TEST(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)getpid(), 0, 1));
  add(program, ALLOW);
  add(program, REFUSE);
}

static void allow_descriptor_flags(struct program *program) {
  add(program, TEST(BPF_JMP | BPF_JEQ | BPF_K, __NR_fcntl, 0, 7));
  add(program, LOAD_ARGUMENT(1));
  // F_SETOWN and F_SETSIG would send signals to other processes.
  add(program, TEST(BPF_JMP | BPF_JEQ | BPF_K, F_DUPFD_CLOEXEC, 3, 0));
  add(program, TEST(BPF_JMP | BPF_JEQ | BPF_K, F_GETFD, 2, 0));
  add(program, TEST(BPF_JMP | BPF_JEQ | BPF_K, F_SETFD, 1, 0));
  add(program, TEST(BPF_JMP | BPF_JEQ | BPF_K, F_GETFL, 0, 1));
  add(program, ALLOW);
  add(program, REFUSE);
}

// What talking through a socket needs that is connected already: no address is given.
static void allow_connections(struct program *program) {
  // No address: both halves of the pointer are 0, since MSG_FASTOPEN connects to one.
  add(program, TEST(BPF_JMP | BPF_JEQ | BPF_K, __NR_sendto, 0, 6));
  add(program, LOAD_ARGUMENT(4));
  add(program, TEST(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 3));
  add(program, STEP(BPF_LD | BPF_W | BPF_ABS,
                    (uint32_t)offsetof(struct seccomp_data, args[4]) + 4));
  add(program, TEST(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 1));
  add(program, ALLOW);
  add(program, REFUSE);
  allow(program, __NR_recvfrom);
  allow(program, __NR_getsockopt);
  allow(program, __NR_getsockname);
  allow(program, __NR_getpeername);
  // libcurl 7.88 also connects what it was told is connected: it gets an answer, and nothing is done.
  add(program, TEST(BPF_JMP | BPF_JEQ | BPF_K, __NR_connect, 0, 1));
  add(program, REFUSE_AS(EINPROGRESS));
}

static void build(struct program *program, int has_connections) {
  program->length = 0;
  add(program, LOAD(arch));
  add(program, TEST(BPF_JMP | BPF_JEQ | BPF_K, OWN_ARCHITECTURE, 1, 0));
  add(program, REFUSE);
  // x86-64's x32 call numbers match none of those that follow.
  add(program, LOAD(nr));
  for (unsigned i = 0; i < sizeof plain_calls / sizeof plain_calls[0]; i++)
    allow(program, plain_calls[i]);
  // Requests, with their descriptors, arrive on standard input.
  allow_where_equal(program, __NR_recvmsg, 0, STDIN_FILENO);
  // Only code that was loaded before can run.
  allow_where(program, __NR_mmap, 2, PROT_EXEC, 0);
  allow_where(program, __NR_mprotect, 2, PROT_EXEC, 0);
  // Only threads: no new process and no new namespace.
  const uint32_t namespaces = 0x7E020080;
  allow_where(program, __NR_clone, 0, CLONE_THREAD | namespaces, CLONE_THREAD);
  // clone3 takes its flags in memory, which the filter cannot see; the C library falls back to clone.
  add(program, TEST(BPF_JMP | BPF_JEQ | BPF_K, __NR_clone3, 0, 1));
  add(program, REFUSE_AS(ENOSYS));
  // Makes libnuma, and through it libx265, assume a system with a single node.
  add(program, TEST(BPF_JMP | BPF_JEQ | BPF_K, __NR_get_mempolicy, 0, 1));
  add(program, REFUSE_AS(ENOSYS));
  // abort() and raise().
  allow_where_equal(program, __NR_tgkill, 0, (uint32_t)getpid());
  // Thread names; other options could undo the sandbox.
  allow_where_equal(program, __NR_prctl, 0, PR_SET_NAME);
  allow_own_clock(program, __NR_clock_gettime);
  allow_own_clock(program, __NR_clock_getres);
  allow_own_clock(program, __NR_clock_nanosleep);
  allow_own_processors(program);
  allow_reading_limits(program);
  allow_descriptor_flags(program);
  if (has_connections) allow_connections(program);
  add(program, REFUSE);
}

int trim_enter_call_filter(int has_connections) {
  struct program program;
  build(&program, has_connections);
  if (program.length >= longest_program) return 0;
  struct sock_fprog filter = {.len = program.length, .filter = program.steps};
  // TSYNC: for all threads of the process.
  if (syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &filter) == 0)
    return 1;
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

int trim_has_call_filter(void) {
  uint32_t action = SECCOMP_RET_ERRNO;
  return syscall(__NR_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
}

#else

int trim_enter_call_filter(int has_connections) {
  (void)has_connections;
  return 0;
}
int trim_has_call_filter(void) { return 0; }

#endif
