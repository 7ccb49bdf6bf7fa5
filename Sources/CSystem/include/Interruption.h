#ifndef TRIM_INTERRUPTION_H
#define TRIM_INTERRUPTION_H

/// Handles SIGINT and SIGTERM from now on: the first is reported on stderr and remembered, and ends the
/// process after a grace period; a second ends it at once. The exit status is 128 + the signal.
void trim_catch_interruption(void);

/// From now on, SIGTERM lets the current work finish; a second one ends the process at once.
void trim_finish_work_on_termination(void);

/// The signal that was received, or 0.
int trim_interruption(void);

/// Sets whether stderr shows a progress line, which must be cleared before the message.
void trim_progress_line_is_shown(int shown);

#endif
