// Binds FFmpeg's functions on their first use, so that a program that does not come to need them
// starts without loading a hundred libraries.
#ifndef TRIM_LATE_FFMPEG_H
#define TRIM_LATE_FFMPEG_H

#include <stddef.h>
#include <stdint.h>

// Loads the libraries this program was built for. Returns 0, or -1 with a reason in `message`.
// Must have succeeded before any function of FFmpeg is called.
int trim_ffmpeg_load(char *message, size_t size);

// The same for libswscale, which only pictures need; after trim_ffmpeg_load.
int trim_ffmpeg_load_scaling(char *message, size_t size);

// The same for libswresample, which only sound that changes its codec needs; after trim_ffmpeg_load.
int trim_ffmpeg_load_resampling(char *message, size_t size);

// An SwrContext between two AVChannelLayouts, formats and rates; NULL, and why, where there is none.
void *trim_resampler_open(const void *to, int to_format, int to_rate, const void *from,
                          int from_format, int from_rate, int *code);
void trim_resampler_close(void *context);

// At least as many samples as so many more would yield.
int trim_resampler_room(void *context, int count);

// Returns how many samples it gave; without `from`, what it has kept back.
int trim_resampler_convert(void *context, uint8_t **to, int room, const uint8_t **from, int count);

// Unpacks what zlib packed (RFC 1950). Returns 0 where that is as many bytes as there is room for, or -1.
int trim_inflate(const uint8_t *from, size_t count, uint8_t *to, size_t room);

// Sends every warning and error of FFmpeg's log to `sink`, formatted, without its line end and cut
// at 511 bytes. The line is only valid during the call. `owner` is that of the thread it comes
// from, or NULL.
void trim_ffmpeg_log_to(void (*sink)(void *owner, int level, const char *line));

// Until this is called with NULL, on this thread: the decoders of streams that appear while those of
// an AVFormatContext are recognised share this many pixels, the first ones more than the later.
void trim_ffmpeg_limit_late_streams(const void *format, int64_t pixels);

// Sets whose lines come from this thread from now on, and returns the one before.
void *trim_ffmpeg_log_owner(void *owner);

#endif
