#ifndef TRIM_WORKER_PROCESS_H
#define TRIM_WORKER_PROCESS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// The most copies that a worker may make of itself.
enum { TRIM_MOST_SIBLINGS = 7 };

// Starts another process of this program with the arguments `argv` (null-terminated) after its name. Its
// standard input and output are the other end of the first of `count` channels; those after the first are
// the descriptors 3, 4 and so on, for its siblings. The child dies with the thread that called this
// (PR_SET_PDEATHSIG), so that thread must live as long as the child is needed. Returns 0 or an errno.
int trim_start_workers(pid_t *process, int *channels, int count, char *const argv[]);

// Makes `count` copies of this process, which must have only one thread. Each has the same parent, dies
// with it, and uses the next channel, from descriptor 3 on, as its standard input and output. If a copy
// cannot be made, its channel is closed.
void trim_make_siblings(int count);

// The most descriptors that are received at once.
enum { TRIM_MOST_DESCRIPTORS = 128 };

// Sends all bytes, and the descriptors before the last of them. Returns 0 or an errno; EPIPE, without a
// signal, if the reader is gone.
int trim_send(
    int channel, const uint8_t *bytes, size_t count, const int *descriptors,
    int descriptor_count);

// Waits for some bytes and the descriptors sent with them; `descriptors` must have room for
// TRIM_MOST_DESCRIPTORS. Returns the number of bytes, 0 at the end, or -1 with errno.
ssize_t trim_receive(
    int channel, uint8_t *bytes, size_t count, int *descriptors, int *descriptor_count);

// The processor time that all threads of a child have used, in nanoseconds, or -1.
int64_t trim_processor_time(pid_t process);

// How long a child's current threads have waited for a processor, in nanoseconds; 0 if the system does
// not report it.
int64_t trim_processor_wait(pid_t process);

// Limits a child to this many more seconds of processor time, after which the system ends it.
void trim_limit_processor_time(pid_t process, int64_t seconds);

// Sets the limit of a child's address space in bytes, up to the maximum it set when it sealed itself.
void trim_limit_memory(pid_t process, uint64_t bytes);

// Lowers a process's priority, for as long as it lives.
void trim_step_back(pid_t process);

// Kills the process, unless `kills` is 0, and waits for it to end. Returns its wait status.
int trim_end_worker(pid_t process, int kills);

#endif
