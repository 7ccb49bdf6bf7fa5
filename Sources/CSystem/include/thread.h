#ifndef TRIM_THREAD_H
#define TRIM_THREAD_H

// Runs `body(context)` on a new detached thread, which takes no signals but those of a crash.
// Returns 0 or an errno.
int trim_thread_start(void (*body)(void *), void *context);

#endif
