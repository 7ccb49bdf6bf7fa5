#define _GNU_SOURCE
#include "Scheduling.h"

#include <linux/capability.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

// Capabilities are per thread (capabilities(7)); a pid of 0 means the calling thread.
static struct __user_cap_header_struct header(void) {
  struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
  return header;
}

bool trim_give_up_real_time(void) {
  struct __user_cap_header_struct self = header();
  struct __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3];
  memset(sets, 0, sizeof sets);
  if (syscall(SYS_capget, &self, sets) != 0) return false;
  if ((sets[0].effective & 1u << CAP_SYS_NICE) == 0) return false;
  sets[0].effective &= ~(1u << CAP_SYS_NICE);
  return syscall(SYS_capset, &self, sets) == 0;
}

void trim_regain_real_time(void) {
  struct __user_cap_header_struct self = header();
  struct __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3];
  memset(sets, 0, sizeof sets);
  if (syscall(SYS_capget, &self, sets) != 0) return;
  sets[0].effective |= 1u << CAP_SYS_NICE;
  syscall(SYS_capset, &self, sets);
}
