#ifndef TRIM_WORKER_PROCESS_H
#define TRIM_WORKER_PROCESS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// Starts this very program again with the arguments `argv` (null at the end) after its name. Its
// standard input and output are the other end of `*channel`. The child dies with the thread that
// called this (PR_SET_PDEATHSIG), so that thread must live as long as the child is wanted.
// Returns 0 or an errno.
int trim_start_worker(pid_t *process, int *channel, char *const argv[]);

// Processes at most that a worker may make of itself.
enum { TRIM_MOST_SIBLINGS = 7 };

// The same with several channels. Those behind the first have the numbers 3, 4 and so on in the child,
// for its siblings.
int trim_start_workers(pid_t *process, int *channels, int count, char *const argv[]);

// Makes so many more processes of this one, which has one thread: each has the same parent, dies with it,
// and speaks through the next of the channels from 3 on in place of standard input and output. Where that
// cannot be, a channel is closed.
void trim_make_siblings(int count);

// Descriptors that come with one message, at most.
enum { TRIM_MOST_DESCRIPTORS = 8 };

// Sends all bytes, and the descriptors with the first of them. A reader that is gone is
// EPIPE and no signal. Returns 0 or an errno.
int trim_send(
    int channel, const uint8_t *bytes, size_t count, const int *descriptors,
    int descriptor_count);

// Waits for some bytes and for what comes with them: `descriptors` has room for the most there can
// be. Returns the count of bytes, 0 at the end, or -1 with errno.
ssize_t trim_receive(
    int channel, uint8_t *bytes, size_t count, int *descriptors, int *descriptor_count);

// The processor time that a child has used with all its threads, in nanoseconds, or -1.
int64_t trim_processor_time(pid_t process);

// How long the threads that a child has now have waited for a processor to run on, in nanoseconds;
// 0 where the system does not say.
int64_t trim_processor_wait(pid_t process);

// A child may spend so many more seconds of processor time; then the system ends it.
void trim_limit_processor_time(pid_t process, int64_t seconds);

// A child may have so many bytes of addresses from now on, within the bound that it sealed itself with.
void trim_limit_memory(pid_t process, uint64_t bytes);

// Lets the processor go to others first, for as long as the process lives.
void trim_step_back(pid_t process);

// Kills the process, unless `kills` is 0, and waits for its end. Returns its wait status.
int trim_end_worker(pid_t process, int kills);

#endif
