// Binds FFmpeg's functions on first use, so that a program that does not need them starts without
// loading a hundred libraries.
#ifndef TRIM_LATE_FFMPEG_H
#define TRIM_LATE_FFMPEG_H

#include <stddef.h>
#include <stdint.h>

// Loads the libraries that this program was built for. Returns 0, or -1 with the reason in `message`.
// Must have succeeded before any function of FFmpeg is called.
int trim_ffmpeg_load(char *message, size_t size);

// The file names of the libraries that are tried, in that order; NULL after the last.
const char *trim_ffmpeg_tried(int index);

// Finds an FFmpeg that this program was not built for, in a folder or, with NULL, where libraries are searched
// for. Returns 0 with its version in `version`, or -1.
int trim_ffmpeg_find_other(const char *folder, char *version, size_t size);

// Whether that failed although the libraries are there: the limits of this process (open files, memory) do not
// let them be loaded.
int trim_ffmpeg_is_starved(void);

// The same for libswscale, which only scaling needs; after trim_ffmpeg_load.
int trim_ffmpeg_load_scaling(char *message, size_t size);

// The same for libswresample, which only re-encoded audio needs; after trim_ffmpeg_load.
int trim_ffmpeg_load_resampling(char *message, size_t size);

// Opens an SwrContext between two AVChannelLayouts, formats and rates; NULL, with FFmpeg's error in `code`,
// if that fails.
void *trim_resampler_open(const void *to, int to_format, int to_rate, const void *from,
                          int from_format, int from_rate, int *code);
void trim_resampler_close(void *context);

// An upper bound on the number of samples that `count` more input samples yield.
int trim_resampler_room(void *context, int count);

// Returns how many samples were output; a NULL `from` flushes the buffered ones.
int trim_resampler_convert(void *context, uint8_t **to, int room, const uint8_t **from, int count);

// Decompresses zlib data (RFC 1950). Returns 0 if the result fills `room` bytes exactly, else -1.
int trim_inflate(const uint8_t *from, size_t count, uint8_t *to, size_t room);

// Sends every warning and error of FFmpeg's log to `sink`, formatted, without its line end and truncated
// to 511 bytes. The line is only valid during the call. `owner` is that of the thread it comes from, or
// NULL.
void trim_ffmpeg_log_to(void (*sink)(void *owner, int level, const char *line));

// Until this is called with NULL, on this thread: decoders of streams that appear while FFmpeg finds the
// streams of an AVFormatContext share this many pixels; earlier ones get more than later ones.
void trim_ffmpeg_limit_late_streams(const void *format, int64_t pixels);

// Sets the owner of this thread's log lines from now on, and returns the previous one.
void *trim_ffmpeg_log_owner(void *owner);

#endif
