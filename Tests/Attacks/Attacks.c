#define _GNU_SOURCE
#include "Attacks.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

static char victim[4096], fresh[4096];

#define CALL(name, ...) \
  static long name(void) { return syscall(__VA_ARGS__); }

// Closes what should not have been opened, and forgets what should not have been made.
static long opened(long descriptor) {
  if (descriptor >= 0) close((int)descriptor);
  return descriptor;
}

// Reading.
static long read_shadow(void) { return opened(open("/etc/shadow", O_RDONLY)); }
static long read_passwd(void) { return opened(open("/etc/passwd", O_RDONLY)); }
static long read_by_openat2(void) {
  struct { uint64_t flags, mode, resolve; } how = {.flags = O_RDONLY};
  return opened(syscall(437, AT_FDCWD, "/etc/passwd", &how, sizeof how));
}
static long read_folder(void) { return opened(open("/", O_RDONLY | O_DIRECTORY)); }
static long read_own_memory(void) { return opened(open("/proc/self/mem", O_RDWR)); }
static long read_environment_of_parent(void) {
  char name[64];
  snprintf(name, sizeof name, "/proc/%d/environ", (int)getppid());
  return opened(open(name, O_RDONLY));
}
static long reopen_input(void) { return opened(open("/proc/self/fd/0", O_RDWR)); }
static long open_path_only(void) { return opened(open("/", O_PATH)); }
CALL(open_by_handle, SYS_open_by_handle_at, AT_FDCWD, victim, O_RDONLY)
CALL(name_handle, SYS_name_to_handle_at, AT_FDCWD, victim, fresh, fresh, 0)
static long status_of_name(void) {
  struct stat status;
  return stat("/etc/shadow", &status);
}
static long access_of_name(void) { return access("/etc/passwd", R_OK); }
static long read_link(void) {
  char target[64];
  return readlink("/proc/self/exe", target, sizeof target);
}
static long statx_of_name(void) {
  struct statx status;
  return statx(AT_FDCWD, "/etc/shadow", 0, 1, &status);
}
CALL(watch_files, SYS_inotify_init1, 0)
CALL(watch_everything, SYS_fanotify_init, 0, 0)

// Writing and changing.
static long create_file(void) {
  long result = opened(open(fresh, O_WRONLY | O_CREAT, 0600));
  if (result >= 0) unlink(fresh);
  return result;
}
static long create_in_memory_folder(void) {
  long result = opened(open("/dev/shm/trim-attack", O_RDWR | O_CREAT, 0600));
  if (result >= 0) unlink("/dev/shm/trim-attack");
  return result;
}
static long overwrite_neighbour(void) { return opened(open(victim, O_WRONLY)); }
static long unnamed_file(void) { return opened(open("/tmp", O_TMPFILE | O_RDWR, 0600)); }
static long truncate_by_name(void) { return truncate(victim, 0); }
static long remove_file(void) { return unlink(fresh); }
static long rename_file(void) { return rename(victim, victim); }
static long link_file(void) {
  long result = link(victim, fresh);
  if (result == 0) unlink(fresh);
  return result;
}
static long symbolic_link(void) {
  long result = symlink("x", fresh);
  if (result == 0) unlink(fresh);
  return result;
}
static long make_folder(void) {
  long result = mkdir(fresh, 0700);
  if (result == 0) rmdir(fresh);
  return result;
}
static long make_pipe_file(void) {
  long result = mkfifo(fresh, 0600);
  if (result == 0) unlink(fresh);
  return result;
}
static long change_mode(void) { return chmod(victim, 0600); }
static long change_mode_of_open(void) { return fchmod(0, 0600); }
static long change_owner(void) { return chown(victim, getuid(), getgid()); }
static long change_attributes(void) { return setxattr(victim, "user.trim", "x", 1, 0); }
static long change_attributes_of_open(void) { return fsetxattr(0, "user.trim", "x", 1, 0); }
static long change_times(void) { return utimensat(AT_FDCWD, victim, NULL, 0); }
static long lock_file(void) { return syscall(SYS_flock, 0, 2); }
CALL(copy_between, SYS_copy_file_range, 0, NULL, 1, NULL, 1, 0)
CALL(send_file, SYS_sendfile, 1, 0, NULL, 1)
CALL(splice_pipe, SYS_splice, 0, NULL, 1, NULL, 1, SPLICE_F_NONBLOCK)

// Other places.
static long change_folder(void) { return chdir("."); }
static long change_root(void) { return chroot("/"); }
static long mount_something(void) { return mount("none", fresh, "tmpfs", 0, NULL); }
static long unmount_something(void) { return umount(fresh); }
CALL(pivot, SYS_pivot_root, fresh, fresh)
static long own_users(void) { return unshare(CLONE_NEWUSER); }
static long own_mounts(void) { return unshare(CLONE_NEWNS); }
static long own_network(void) { return unshare(CLONE_NEWNET); }
static long enter_namespace(void) { return setns(0, 0); }

// The network, and sockets.
static long made(int family, int type, int protocol) {
  return opened(socket(family, type, protocol));
}
static long tcp(void) { return made(AF_INET, SOCK_STREAM, 0); }
static long udp(void) { return made(AF_INET, SOCK_DGRAM, 0); }
static long tcp_6(void) { return made(AF_INET6, SOCK_STREAM, 0); }
static long raw(void) { return made(AF_INET, SOCK_RAW, 1); }
static long local_socket(void) { return made(AF_UNIX, SOCK_STREAM, 0); }
static long netlink(void) { return made(AF_NETLINK, SOCK_RAW, 0); }
static long packets(void) { return made(AF_PACKET, SOCK_RAW, 0); }
static long crypto(void) { return made(38, SOCK_SEQPACKET, 0); }
static long machine_socket(void) { return made(40, SOCK_STREAM, 0); }
static long connect_to(const char *path, socklen_t length) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  memcpy(address.sun_path, path, length);
  return connect(0, (struct sockaddr *)&address,
                 (socklen_t)offsetof(struct sockaddr_un, sun_path) + length);
}
static long connect_to_path(void) { return connect_to("/run/x", 7); }
static long connect_to_abstract(void) { return connect_to("\0x", 2); }
// A loopback port at which nothing has to listen.
static const struct sockaddr_in somewhere = {
    .sin_family = AF_INET, .sin_port = 0x0900, .sin_addr = {.s_addr = 0x0100007F}};
static long connect_to_address(void) {
  return connect(0, (const struct sockaddr *)&somewhere, sizeof somewhere);
}
static long send_to_address(void) {
  return sendto(0, "x", 0, MSG_DONTWAIT, (const struct sockaddr *)&somewhere, sizeof somewhere);
}
// An address of which a filter sees nothing that only looks at the lower half of the pointer.
CALL(send_to_upper_half, SYS_sendto, 0, "x", 0, MSG_DONTWAIT, (void *)(1ul << 33), sizeof somewhere)
static long bind_here(void) {
  return bind(0, (const struct sockaddr *)&somewhere, sizeof somewhere);
}
static long socket_pair(void) {
  int ends[2];
  long result = socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
  if (result == 0) close(ends[0]), close(ends[1]);
  return result;
}
static long listen_here(void) { return listen(0, 1); }
static long hand_out_descriptor(void) {
  union { struct cmsghdr header; char bytes[CMSG_SPACE(sizeof(int))]; } control;
  memset(&control, 0, sizeof control);
  struct msghdr message = {.msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
  control.header = (struct cmsghdr){
      .cmsg_len = CMSG_LEN(sizeof(int)), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
  return sendmsg(1, &message, MSG_DONTWAIT);
}

// Other programs and processes.
static long execute(void) {
  char *words[] = {"x", NULL};
  return execve("/nowhere/program", words, words);
}
static long execute_descriptor(void) {
  char *words[] = {"x", NULL};
  return syscall(SYS_execveat, 0, "", words, words, AT_EMPTY_PATH);
}
static long born(long child) {
  if (child == 0) _exit(0);
  if (child > 0) waitpid((pid_t)child, NULL, 0);
  return child;
}
static long fork_process(void) { return born(syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0)); }
static long fork_users(void) {
  return born(syscall(SYS_clone, SIGCHLD | CLONE_NEWUSER, 0, 0, 0, 0));
}
static long signal_parent(void) { return kill(getppid(), 0); }
static long signal_everyone(void) { return kill(-1, 0); }
CALL(signal_thread_of_parent, SYS_tgkill, getppid(), getppid(), 0)
CALL(signal_any_thread, SYS_tkill, getppid(), 0)
static long queue_signal(void) { return sigqueue(getppid(), 0, (union sigval){.sival_int = 0}); }
CALL(handle_of_parent, SYS_pidfd_open, getppid(), 0)
CALL(descriptor_of_parent, SYS_pidfd_getfd, 0, 0, 0)
static long own_signals_of_socket(void) { return fcntl(0, F_SETOWN, getppid()); }
static long trace_parent(void) { return ptrace(PTRACE_SEIZE, getppid(), NULL, NULL); }
static long read_parent(void) {
  char byte;
  struct iovec here = {&byte, 1}, there = {&byte, 1};
  return process_vm_readv(getppid(), &here, 1, &there, 1, 0);
}
static long write_parent(void) {
  char byte = 0;
  struct iovec here = {&byte, 1}, there = {(void *)8, 1};
  return process_vm_writev(getppid(), &here, 1, &there, 1, 0);
}
static long compare_with_parent(void) {
  return syscall(SYS_kcmp, getpid(), getppid(), 0, 0, 0);
}
static long priority_of_parent(void) { return setpriority(PRIO_PROCESS, (id_t)getppid(), 0); }
// Whether another process is there, and what it does: the first one always is.
static clockid_t clock_of(unsigned process) { return (clockid_t)(~process << 3 | 2); }
static long time_of_another(void) {
  struct timespec time;
  return clock_gettime(clock_of(1), &time);
}
static long clock_of_another(void) { return clock_getres(clock_of(1), NULL); }
static long processors_of_another(void) {
  unsigned long mask[16];
  return syscall(SYS_sched_getaffinity, 1, sizeof mask, mask);
}
static long schedule_first(void) {
  struct sched_param parameter = {.sched_priority = 0};
  return sched_setscheduler(0, SCHED_OTHER, &parameter);
}

// Out of the box itself.
static long outlive_parent(void) { return prctl(PR_SET_PDEATHSIG, 0); }
static long be_dumpable(void) { return prctl(PR_SET_DUMPABLE, 1); }
static long keep_capabilities(void) { return prctl(PR_SET_KEEPCAPS, 1); }
CALL(another_filter, SYS_seccomp, 2, 0, NULL)
CALL(another_ruleset, 444, NULL, 0, 1)
static long raise_limit(void) {
  struct rlimit limit = {RLIM_INFINITY, RLIM_INFINITY};
  return setrlimit(RLIMIT_CPU, &limit);
}
static long limit_of_parent(void) {
  struct rlimit limit;
  return prlimit(getppid(), RLIMIT_CORE, NULL, &limit);
}
static long become_root(void) { return setuid(0); }
static long become_another(void) { return setresuid(getuid(), getuid(), getuid()); }
static long change_groups(void) { return setgid(getgid()); }
CALL(get_capabilities, SYS_capset, NULL, NULL)
CALL(personality_of_code, SYS_personality, 0x0400000)

// Code of its own.
static long mapped(int protection, int flags) {
  void *place = mmap(NULL, 4096, protection, flags | MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (place == MAP_FAILED) return -1;
  munmap(place, 4096);
  return 0;
}
static long map_writable_code(void) { return mapped(PROT_READ | PROT_WRITE | PROT_EXEC, 0); }
static long map_code(void) { return mapped(PROT_READ | PROT_EXEC, 0); }
static long data_becomes_code(void) {
  static char page[8192] __attribute__((aligned(4096)));
  return mprotect(page, 4096, PROT_READ | PROT_EXEC);
}
CALL(data_becomes_code_by_key, SYS_pkey_mprotect, NULL, 0, PROT_EXEC, -1)
CALL(file_in_memory, SYS_memfd_create, "x", 0)
CALL(shared_memory, SYS_shmget, 0x7472696D, 4096, 0)

// The kernel's wider doors.
CALL(keys, SYS_keyctl, 0, -3, 0)
CALL(add_key, SYS_add_key, "user", "x", "x", 1, -3)
CALL(filter_programs, SYS_bpf, 0, NULL, 0)
CALL(performance_events, SYS_perf_event_open, NULL, 0, -1, -1, 0)
CALL(page_faults, SYS_userfaultfd, 1)
CALL(rings, SYS_io_uring_setup, 1, NULL)
CALL(message_queue, SYS_mq_open, "x", O_RDONLY, 0, NULL)
CALL(semaphores, SYS_semget, 0x7472696D, 1, 0)
CALL(kernel_log, SYS_syslog, 10, NULL, 0)
CALL(timer_of_kernel, SYS_timerfd_create, 1, 0)
CALL(load_module, SYS_init_module, NULL, 0, "")
CALL(another_kernel, SYS_kexec_load, 0, 0, NULL, 0)
CALL(host_name, SYS_sethostname, "", -1)
CALL(machine_time, SYS_clock_settime, 99, NULL)
static long type_into_terminal(void) { return ioctl(0, TIOCSTI, "x"); }
static long ask_terminal(void) {
  struct termios modes;
  return ioctl(0, TCGETS, &modes);
}

static const struct {
  const char *name;
  long (*attempt)(void);
} attacks[] = {
#define A(name) {#name, name}
    A(read_shadow), A(read_passwd), A(read_by_openat2), A(read_folder), A(read_own_memory),
    A(read_environment_of_parent), A(reopen_input), A(open_path_only), A(open_by_handle),
    A(name_handle), A(status_of_name), A(access_of_name), A(read_link), A(statx_of_name),
    A(watch_files), A(watch_everything), A(create_file), A(create_in_memory_folder),
    A(overwrite_neighbour), A(unnamed_file), A(truncate_by_name), A(remove_file), A(rename_file),
    A(link_file), A(symbolic_link), A(make_folder), A(make_pipe_file), A(change_mode),
    A(change_mode_of_open), A(change_owner), A(change_attributes), A(change_attributes_of_open),
    A(change_times), A(lock_file), A(copy_between), A(send_file), A(splice_pipe),
    A(change_folder), A(change_root), A(mount_something), A(unmount_something), A(pivot),
    A(own_users), A(own_mounts), A(own_network), A(enter_namespace), A(tcp), A(udp), A(tcp_6),
    A(raw), A(local_socket), A(netlink), A(packets), A(crypto), A(machine_socket),
    A(connect_to_path), A(connect_to_abstract), A(connect_to_address),
    A(send_to_address), A(send_to_upper_half), A(bind_here), A(socket_pair), A(listen_here),
    A(hand_out_descriptor), A(execute), A(execute_descriptor), A(fork_process), A(fork_users),
    A(signal_parent), A(signal_everyone), A(signal_thread_of_parent), A(signal_any_thread),
    A(queue_signal), A(handle_of_parent), A(descriptor_of_parent), A(own_signals_of_socket),
    A(trace_parent), A(read_parent), A(write_parent), A(compare_with_parent),
    A(priority_of_parent), A(schedule_first), A(time_of_another),
    A(clock_of_another), A(processors_of_another), A(outlive_parent), A(be_dumpable),
    A(keep_capabilities), A(another_filter), A(another_ruleset), A(raise_limit),
    A(limit_of_parent), A(become_root), A(become_another), A(change_groups), A(get_capabilities),
    A(personality_of_code), A(map_writable_code), A(map_code), A(data_becomes_code),
    A(data_becomes_code_by_key), A(file_in_memory), A(shared_memory), A(keys), A(add_key),
    A(filter_programs), A(performance_events), A(page_faults), A(rings), A(message_queue),
    A(semaphores), A(kernel_log), A(timer_of_kernel), A(load_module), A(another_kernel),
    A(host_name), A(machine_time), {"any_other_number", trim_attack_other_numbers},
    A(type_into_terminal), A(ask_terminal),
};

int trim_attack_count(void) { return sizeof attacks / sizeof attacks[0]; }
const char *trim_attack_name(int index) { return attacks[index].name; }

int trim_attack_try(int index, const char *folder) {
  snprintf(victim, sizeof victim, "%s/victim", folder);
  snprintf(fresh, sizeof fresh, "%s/fresh", folder);
  errno = 0;
  return attacks[index].attempt() < 0 ? errno : 0;
}

int trim_attack_inherited_descriptors(void) {
  int found = 0;
  for (int descriptor = 8; descriptor < 1024; descriptor++)
    if (fcntl(descriptor, F_GETFD) >= 0) found++;
  return found;
}
