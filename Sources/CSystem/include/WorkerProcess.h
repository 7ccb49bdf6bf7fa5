#ifndef TRIM_WORKER_PROCESS_H
#define TRIM_WORKER_PROCESS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// Starts this very program again with the arguments `argv` (null at the end) after its name. Its
// standard input and output are the other end of `*channel`. The child dies with the thread that
// called this (PR_SET_PDEATHSIG), so that thread must live as long as the child is wanted.
// `temporary_folder` becomes its TMPDIR, unless null. Returns 0 or an errno.
int trim_start_worker(
    pid_t *process, int *channel, char *const argv[], const char *temporary_folder);

// Sends all bytes. A reader that is gone is EPIPE and no signal. Returns 0 or an errno.
int trim_send(int channel, const uint8_t *bytes, size_t count);

// Kills the process, unless it is 0, and waits for its end. Returns its wait status.
int trim_end_worker(pid_t process, int kills);

#endif
