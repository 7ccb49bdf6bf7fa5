#ifndef TRIM_INTERRUPTION_H
#define TRIM_INTERRUPTION_H

/// Answers SIGINT and SIGTERM from now on: the first says so on stderr and is remembered, and ends
/// the process after a grace period; a second ends it at once. The exit status is 128 + the signal.
void trim_catch_interruption(void);

/// SIGTERM lets the work that has begun come to its end from now on; a second one does not.
void trim_finish_work_on_termination(void);

/// The signal that came, or 0.
int trim_interruption(void);

/// Whether a progress line stands on stderr, to be cleared before the message.
void trim_progress_line_is_shown(int shown);

#endif
