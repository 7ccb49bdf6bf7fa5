#define _GNU_SOURCE
#include "Attacks.h"

#include <errno.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

// The system calls that a sealed process may make, some of them with certain arguments.
static const int listed[] = {
    SYS_read, SYS_write, SYS_readv, SYS_writev, SYS_pread64, SYS_pwrite64, SYS_lseek, SYS_fstat,
    SYS_ftruncate, SYS_close, SYS_ppoll, SYS_brk, SYS_munmap, SYS_mremap, SYS_madvise,
    SYS_futex, SYS_set_robust_list, SYS_rseq, SYS_sched_yield, SYS_sched_getaffinity, SYS_gettid,
    SYS_getpid, SYS_membarrier, SYS_exit, SYS_exit_group, SYS_rt_sigaction, SYS_rt_sigprocmask,
    SYS_rt_sigreturn, SYS_sigaltstack, SYS_restart_syscall, SYS_clock_gettime, SYS_clock_getres,
    SYS_clock_nanosleep, SYS_nanosleep, SYS_gettimeofday, SYS_getrusage, SYS_getrandom,
    SYS_recvmsg, SYS_mmap, SYS_mprotect, SYS_clone, SYS_clone3, SYS_tgkill, SYS_prctl,
    SYS_prlimit64, SYS_fcntl,
    // Refused like clone3: as if the kernel did not know it.
    SYS_get_mempolicy,
#ifdef SYS_poll
    SYS_poll, SYS_time,
#endif
#ifdef __x86_64__
    // uretprobe and uprobe, which no filter sees (seccomp.c of Linux), and which end whoever calls them.
    335, 336,
#endif
};

// Those that only a process with connections may make.
static const int talking[] = {
    SYS_sendto, SYS_recvfrom, SYS_getsockopt, SYS_getsockname, SYS_getpeername,
    // Refused with an error of its own, whatever the socket and the address.
    SYS_connect,
};
static int has_connections;

void trim_attack_has_connections(void) { has_connections = 1; }

// Tried only where the filter is known to be there: some do harm without an argument.
long trim_attack_other_numbers(void) {
  if (socket(AF_UNIX, SOCK_STREAM, 0) >= 0 || errno != EPERM) return 0;
  for (long number = 0; number < 4096; number++) {
    int is_listed = 0;
    for (unsigned i = 0; i < sizeof listed / sizeof listed[0]; i++)
      is_listed |= listed[i] == number;
    for (unsigned i = 0; has_connections && i < sizeof talking / sizeof talking[0]; i++)
      is_listed |= talking[i] == number;
    if (!is_listed && (syscall(number, -1, -1, -1, -1, -1, -1) >= 0 || errno != EPERM))
      return number;
    // The same of the ABI with short pointers.
    if (syscall(number | 0x40000000, -1, -1, -1, -1, -1, -1) >= 0 || errno != EPERM)
      return number;
  }
  errno = EPERM;
  return -1;
}
