#define _GNU_SOURCE
#include "Sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static int set_limit(int resource, rlim_t most) {
  struct rlimit limit;
  if (getrlimit(resource, &limit) != 0) return -1;
  if (limit.rlim_max != RLIM_INFINITY && limit.rlim_max < most) most = limit.rlim_max;
  limit.rlim_cur = limit.rlim_max = most;
  return setrlimit(resource, &limit);
}

static int enter_limits(void) {
  int failed = 0;
  // The address sanitizer reserves terabytes of addresses.
#if !defined(__SANITIZE_ADDRESS__) && !__has_feature(address_sanitizer) && \
    !__has_feature(thread_sanitizer)
  failed |= set_limit(RLIMIT_AS, (rlim_t)1536 << 20);
#endif
  failed |= set_limit(RLIMIT_NOFILE, 32);
  failed |= set_limit(RLIMIT_CORE, 0);
  failed |= set_limit(RLIMIT_FSIZE, (rlim_t)1 << 40);
  // A file that grows too large is then an error and no death.
  signal(SIGXFSZ, SIG_IGN);
  return failed;
}

void trim_limit_processor_time(int64_t seconds) {
  struct rusage usage;
  struct rlimit limit;
  if (getrusage(RUSAGE_SELF, &usage) != 0 || getrlimit(RLIMIT_CPU, &limit) != 0) return;
  rlim_t end = (rlim_t)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec + 1 + seconds);
  limit.rlim_cur = end < limit.rlim_max ? end : limit.rlim_max;
  setrlimit(RLIMIT_CPU, &limit);
}

#ifdef __linux__
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>

// The kernel's numbers, since the headers of the build may be older than the kernel it runs on
// (linux/landlock.h; one interface on all architectures).
enum {
  landlock_create = 444,
  landlock_add = 445,
  landlock_restrict = 446,
  landlock_version = 1,
  landlock_beneath = 1
};

enum {
  file_write = 1 << 1,
  remove_directory = 1 << 4,
  remove_file = 1 << 5,
  // Making directories, files, links, devices, sockets and FIFOs.
  make_character = 1 << 6,
  make_directory = 1 << 7,
  make_file = 1 << 8,
  make_socket = 1 << 9,
  make_fifo = 1 << 10,
  make_block = 1 << 11,
  make_link = 1 << 12,
  refer = 1 << 13,
  truncate_file = 1 << 14,
  tcp_bind = 1 << 0,
  tcp_connect = 1 << 1
};

struct ruleset {
  uint64_t files;
  uint64_t network;
};

struct beneath {
  uint64_t allowed;
  int32_t folder;
} __attribute__((packed));

static long landlock_interface(void) {
  return syscall(landlock_create, NULL, (size_t)0, landlock_version);
}

static uint32_t landlock_layers(long version) {
  uint32_t layers = 0;
  if (version >= 1) layers |= TRIM_LAYER_FILES;
  if (version >= 4) layers |= TRIM_LAYER_TCP;
  return layers;
}

static uint32_t enter_landlock(const char *folder) {
  long version = landlock_interface();
  if (version < 1) return 0;
  struct ruleset rules = {
      .files = file_write | remove_directory | remove_file | make_character | make_directory |
               make_file | make_socket | make_fifo | make_block | make_link};
  if (version >= 2) rules.files |= refer;
  if (version >= 3) rules.files |= truncate_file;
  if (version >= 4) rules.network = tcp_bind | tcp_connect;
  size_t size = version >= 4 ? sizeof rules : sizeof rules.files;
  int set = (int)syscall(landlock_create, &rules, size, 0);
  if (set < 0) return 0;
  int done = 1;
  if (folder != NULL) {
    struct beneath rule = {
        .allowed = rules.files & (file_write | remove_file | make_file | refer | truncate_file),
        .folder = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC)};
    // A folder that is not there is told by the task that names it.
    if (rule.folder >= 0) {
      done = syscall(landlock_add, set, landlock_beneath, &rule, 0) == 0;
      close(rule.folder);
    }
  }
  done = done && syscall(landlock_restrict, set, 0) == 0;
  close(set);
  return done ? landlock_layers(version) : 0;
}

#if defined(__x86_64__)
#define OWN_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define OWN_ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#ifdef OWN_ARCHITECTURE
#define LOAD(field) \
  BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)offsetof(struct seccomp_data, field))
#define REFUSE BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM)
#define REFUSE_CALL(name) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_##name, 0, 1), REFUSE

static int enter_seccomp(void) {
  struct sock_filter filter[] = {
      LOAD(arch),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, OWN_ARCHITECTURE, 1, 0),
      REFUSE,
      LOAD(nr),
#ifdef __x86_64__
      // The x32 numbers of the same calls.
      BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1),
      REFUSE,
#endif
      REFUSE_CALL(execve),
      REFUSE_CALL(execveat),
      REFUSE_CALL(ptrace),
      REFUSE_CALL(process_vm_readv),
      REFUSE_CALL(process_vm_writev),
      REFUSE_CALL(mount),
      REFUSE_CALL(umount2),
      REFUSE_CALL(bpf),
      REFUSE_CALL(io_uring_setup),
      REFUSE_CALL(userfaultfd),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_socket, 0, 3),
      LOAD(args[0]),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AF_UNIX, 1, 0),
      REFUSE,
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  struct sock_fprog program = {
      .len = (unsigned short)(sizeof filter / sizeof filter[0]), .filter = filter};
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}
#else
static int enter_seccomp(void) { return 0; }
#endif

uint32_t trim_enter_sandbox(const char *writable_folder) {
  uint32_t layers = 0;
  if (enter_limits() == 0) layers |= TRIM_LAYER_LIMITS;
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) == 0) layers |= TRIM_LAYER_PARENT;
  // Both that follow ask for this one.
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return layers;
  layers |= TRIM_LAYER_NO_NEW_PRIVILEGES;
  layers |= enter_landlock(writable_folder);
  if (enter_seccomp()) layers |= TRIM_LAYER_CALLS;
  return layers;
}

uint32_t trim_sandbox_layers(void) {
  uint32_t layers = TRIM_LAYER_LIMITS | TRIM_LAYER_PARENT | TRIM_LAYER_NO_NEW_PRIVILEGES |
                    landlock_layers(landlock_interface());
#ifdef OWN_ARCHITECTURE
  uint32_t action = SECCOMP_RET_ERRNO;
  if (syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0) layers |= TRIM_LAYER_CALLS;
#endif
  return layers;
}

#else

uint32_t trim_enter_sandbox(const char *writable_folder) {
  (void)writable_folder;
  return enter_limits() == 0 ? TRIM_LAYER_LIMITS : 0;
}

uint32_t trim_sandbox_layers(void) { return TRIM_LAYER_LIMITS; }

#endif
