// Binds FFmpeg's functions on their first use, so that a program that does not come to need them
// starts without loading a hundred libraries.
#ifndef TRIM_LATE_FFMPEG_H
#define TRIM_LATE_FFMPEG_H

#include <stddef.h>

// Loads the libraries this program was built for. Returns 0, or -1 with a reason in `message`.
// Must have succeeded before any function of FFmpeg is called.
int trim_ffmpeg_load(char *message, size_t size);

// Sends every log line of FFmpeg to `sink`, formatted and without its line end. The line is only
// valid during the call; it may come from any thread.
void trim_ffmpeg_log_to(void (*sink)(int level, const char *line));

#endif
