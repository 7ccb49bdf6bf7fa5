// Each function below has the name and the type of one of FFmpeg's, which the compiler checks
// against FFmpeg's own header, and calls the real one through a pointer that trim_ffmpeg_load has
// set. They are hidden, so FFmpeg's libraries never see them.
#if __has_include(<libavformat/avformat.h>)

#define _GNU_SOURCE
#include "LateFFmpeg.h"
#include "soname.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/avutil.h>
#include <libavutil/channel_layout.h>
#include <libavutil/display.h>
#include <libavutil/pixdesc.h>

#include "../CFFmpeg/versions.h"

// Functions that not every version has.
#if TRIM_PARAMETERS_HOLD_SIDE_DATA
#define SIDE_DATA_FUNCTIONS(F)                                                                   \
  F(avcodec, const AVPacketSideData *, av_packet_side_data_get,                                  \
    (const AVPacketSideData *a, int b, enum AVPacketSideDataType c), (a, b, c))                  \
  F(avcodec, AVPacketSideData *, av_packet_side_data_add,                                        \
    (AVPacketSideData **a, int *b, enum AVPacketSideDataType c, void *d, size_t e, int f),       \
    (a, b, c, d, e, f))
#else
#define SIDE_DATA_FUNCTIONS(F)                                                                   \
  F(avformat, int, av_stream_add_side_data,                                                      \
    (AVStream *a, enum AVPacketSideDataType b, uint8_t *c, size_t d), (a, b, c, d))              \
  F(avformat, uint8_t *, av_stream_get_side_data,                                                \
    (const AVStream *a, enum AVPacketSideDataType b, size_t *c), (a, b, c))
#endif
#if TRIM_ENCODERS_ARE_ASKED
#define ENCODER_FUNCTIONS(F)                                                                     \
  F(avcodec, int, avcodec_get_supported_config,                                                  \
    (const AVCodecContext *a, const AVCodec *b, enum AVCodecConfig c, unsigned d,                \
     const void **e, int *f),                                                                    \
    (a, b, c, d, e, f))
#else
#define ENCODER_FUNCTIONS(F)
#endif

#define FUNCTIONS(F)                                                                             \
  SIDE_DATA_FUNCTIONS(F)                                                                         \
  ENCODER_FUNCTIONS(F)                                                                           \
  F(avformat, AVProgram *, av_find_program_from_stream,                                          \
    (AVFormatContext *a, AVProgram *b, int c), (a, b, c))                                        \
  F(avformat, AVFormatContext *, avformat_alloc_context, (void), ())                             \
  F(avformat, int, avformat_open_input,                                                          \
    (AVFormatContext **a, const char *b, const AVInputFormat *c, AVDictionary **d),              \
    (a, b, c, d))                                                                                \
  F(avformat, int, avformat_find_stream_info, (AVFormatContext *a, AVDictionary **b), (a, b))    \
  F(avformat, int, av_read_frame, (AVFormatContext *a, AVPacket *b), (a, b))                     \
  F(avformat, AVIOContext *, avio_alloc_context,                                                 \
    (unsigned char *a, int b, int c, void *d, int (*e)(void *, uint8_t *, int),                  \
     int (*f)(void *, trim_written_byte *, int), int64_t (*g)(void *, int64_t, int)),            \
    (a, b, c, d, e, f, g))                                                                       \
  F(avformat, int, av_probe_input_buffer2,                                                       \
    (AVIOContext *a, const AVInputFormat **b, const char *c, void *d, unsigned e, unsigned f),   \
    (a, b, c, d, e, f))                                                                          \
  F(avformat, const AVInputFormat *, av_find_input_format, (const char *a), (a))                 \
  F(avformat, unsigned, avformat_version, (void), ())                                            \
  F(avformat, int, avformat_alloc_output_context2,                                               \
    (AVFormatContext **a, const AVOutputFormat *b, const char *c, const char *d), (a, b, c, d))  \
  F(avformat, AVStream *, avformat_new_stream, (AVFormatContext *a, const AVCodec *b), (a, b))   \
  F(avformat, int, avformat_write_header, (AVFormatContext *a, AVDictionary **b), (a, b))        \
  F(avformat, int, av_interleaved_write_frame, (AVFormatContext *a, AVPacket *b), (a, b))        \
  F(avformat, int, av_write_frame, (AVFormatContext *a, AVPacket *b), (a, b))                    \
  F(avformat, int, av_write_trailer, (AVFormatContext *a), (a))                                  \
  F(avformat, int, avformat_query_codec, (const AVOutputFormat *a, enum AVCodecID b, int c),     \
    (a, b, c))                                                                                   \
  F(avformat, unsigned, av_codec_get_tag,                                                        \
    (const struct AVCodecTag *const *a, enum AVCodecID b), (a, b))                               \
  F(avformat, enum AVCodecID, av_codec_get_id,                                                   \
    (const struct AVCodecTag *const *a, unsigned b), (a, b))                                     \
  F(avcodec, unsigned, avcodec_pix_fmt_to_codec_tag, (enum AVPixelFormat a), (a))                \
  F(avformat, const AVOutputFormat *, av_guess_format,                                           \
    (const char *a, const char *b, const char *c), (a, b, c))                                    \
  F(avformat, int, av_seek_frame, (AVFormatContext *a, int b, int64_t c, int d), (a, b, c, d))   \
  F(avcodec, unsigned, avcodec_version, (void), ())                                              \
  F(avcodec, const AVCodecDescriptor *, avcodec_descriptor_get, (enum AVCodecID a), (a))         \
  F(avcodec, AVPacket *, av_packet_alloc, (void), ())                                            \
  F(avcodec, int, av_new_packet, (AVPacket *a, int b), (a, b))                                   \
  F(avcodec, int, av_packet_copy_props, (AVPacket * a, const AVPacket *b), (a, b))               \
  F(avcodec, uint8_t *, av_packet_new_side_data,                                                 \
    (AVPacket *a, enum AVPacketSideDataType b, size_t c), (a, b, c))                             \
  F(avcodec, uint8_t *, av_packet_get_side_data,                                                 \
    (const AVPacket *a, enum AVPacketSideDataType b, size_t *c), (a, b, c))                      \
  F(avcodec, const AVClass *, avcodec_get_class, (void), ())                                     \
  F(avcodec, const AVCodecDescriptor *, avcodec_descriptor_get_by_name, (const char *a), (a))    \
  F(avcodec, const char *, avcodec_get_name, (enum AVCodecID a), (a))                            \
  F(avcodec, int, av_get_exact_bits_per_sample, (enum AVCodecID a), (a))                         \
  F(avcodec, const char *, avcodec_profile_name, (enum AVCodecID a, int b), (a, b))              \
  F(avcodec, const AVCodec *, avcodec_find_decoder, (enum AVCodecID a), (a))                     \
  F(avcodec, const AVCodec *, avcodec_find_decoder_by_name, (const char *a), (a))                \
  F(avcodec, AVCodecContext *, avcodec_alloc_context3, (const AVCodec *a), (a))                  \
  F(avcodec, int, avcodec_parameters_to_context,                                                 \
    (AVCodecContext * a, const AVCodecParameters *b), (a, b))                                    \
  F(avcodec, int, avcodec_open2, (AVCodecContext * a, const AVCodec *b, AVDictionary **c),       \
    (a, b, c))                                                                                   \
  F(avcodec, int, avcodec_send_packet, (AVCodecContext * a, const AVPacket *b), (a, b))          \
  F(avcodec, int, avcodec_receive_frame, (AVCodecContext * a, AVFrame * b), (a, b))              \
  F(avcodec, const AVCodec *, avcodec_find_encoder_by_name, (const char *a), (a))                \
  F(avcodec, int, avcodec_send_frame, (AVCodecContext * a, const AVFrame *b), (a, b))            \
  F(avcodec, int, avcodec_receive_packet, (AVCodecContext * a, AVPacket * b), (a, b))            \
  F(avcodec, int, avcodec_decode_subtitle2,                                                      \
    (AVCodecContext * a, AVSubtitle * b, int *c, trim_decoded_packet *d), (a, b, c, d))          \
  F(avcodec, int, avcodec_encode_subtitle,                                                       \
    (AVCodecContext * a, uint8_t * b, int c, const AVSubtitle *d), (a, b, c, d))                 \
  F(avcodec, AVCodecParameters *, avcodec_parameters_alloc, (void), ())                          \
  F(avcodec, int, avcodec_parameters_from_context,                                               \
    (AVCodecParameters * a, const AVCodecContext *b), (a, b))                                    \
  F(avcodec, int, avcodec_parameters_copy,                                                       \
    (AVCodecParameters * a, const AVCodecParameters *b), (a, b))                                 \
  F(avutil, unsigned, avutil_version, (void), ())                                                \
  F(avutil, void *, av_mallocz, (size_t a), (a))                                                 \
  F(avutil, int, av_frame_ref, (AVFrame * a, const AVFrame *b), (a, b))                          \
  F(avutil, const char *, av_version_info, (void), ())                                           \
  F(avutil, char *, av_strdup, (const char *a), (a))                                             \
  F(avutil, void *, av_malloc, (size_t a), (a))                                                  \
  F(avutil, int, av_strerror, (int a, char *b, size_t c), (a, b, c))                             \
  F(avutil, int, av_dict_set, (AVDictionary * *a, const char *b, const char *c, int d),          \
    (a, b, c, d))                                                                                \
  F(avutil, AVDictionaryEntry *, av_dict_get,                                                    \
    (const AVDictionary *a, const char *b, const AVDictionaryEntry *c, int d), (a, b, c, d))     \
  F(avutil, int, av_dict_count, (const AVDictionary *a), (a))                                    \
  F(avutil, AVFrame *, av_frame_alloc, (void), ())                                               \
  F(avutil, int, av_frame_get_buffer, (AVFrame * a, int b), (a, b))                              \
  F(avutil, AVFrameSideData *, av_frame_get_side_data,                                           \
    (const AVFrame *a, enum AVFrameSideDataType b), (a, b))                                      \
  F(avutil, AVFrameSideData *, av_frame_new_side_data,                                           \
    (AVFrame * a, enum AVFrameSideDataType b, size_t c), (a, b, c))                              \
  F(avutil, const char *, av_get_pix_fmt_name, (enum AVPixelFormat a), (a))                      \
  F(avutil, const AVPixFmtDescriptor *, av_pix_fmt_desc_get, (enum AVPixelFormat a), (a))        \
  F(avutil, const char *, av_get_sample_fmt_name, (enum AVSampleFormat a), (a))                  \
  F(avutil, int, av_channel_layout_describe,                                                     \
    (const AVChannelLayout *a, char *b, size_t c), (a, b, c))                                    \
  F(avutil, const char *, av_color_primaries_name, (enum AVColorPrimaries a), (a))               \
  F(avutil, const char *, av_color_transfer_name, (enum AVColorTransferCharacteristic a), (a))   \
  F(avutil, const char *, av_color_space_name, (enum AVColorSpace a), (a))                       \
  F(avutil, const char *, av_color_range_name, (enum AVColorRange a), (a))                       \
  F(avutil, int, av_log_format_line2,                                                            \
    (void *a, int b, const char *c, va_list d, char *e, int f, int *g), (a, b, c, d, e, f, g))

#define PROCEDURES(F)                                                                            \
  F(avformat, avformat_close_input, (AVFormatContext * *a), (a))                                 \
  F(avformat, avio_context_free, (AVIOContext * *a), (a))                                        \
  F(avformat, avio_flush, (AVIOContext * a), (a))                                                \
  F(avformat, avformat_free_context, (AVFormatContext * a), (a))                                 \
  F(avcodec, av_packet_free, (AVPacket * *a), (a))                                               \
  F(avcodec, av_packet_unref, (AVPacket * a), (a))                                               \
  F(avcodec, av_packet_move_ref, (AVPacket * a, AVPacket * b), (a, b))                           \
  F(avcodec, avcodec_free_context, (AVCodecContext * *a), (a))                                   \
  F(avcodec, avcodec_parameters_free, (AVCodecParameters * *a), (a))                             \
  F(avcodec, avsubtitle_free, (AVSubtitle * a), (a))                                             \
  F(avcodec, avcodec_flush_buffers, (AVCodecContext * a), (a))                                   \
  F(avutil, av_frame_free, (AVFrame * *a), (a))                                                  \
  F(avutil, av_frame_unref, (AVFrame * a), (a))                                                  \
  F(avutil, av_frame_remove_side_data, (AVFrame * a, enum AVFrameSideDataType b), (a, b))        \
  F(avutil, av_dict_free, (AVDictionary * *a), (a))                                              \
  F(avutil, av_channel_layout_default, (AVChannelLayout * a, int b), (a, b))                     \
  F(avutil, av_free, (void *a), (a))                                                             \
  F(avutil, av_max_alloc, (size_t a), (a))                                                       \
  F(avutil, av_log_set_callback, (void (*a)(void *, int, const char *, va_list)), (a))

#define DECLARE_F(library, result, name, parameters, arguments) \
  static __typeof__(&name) real_##name;
#define DECLARE_P(library, name, parameters, arguments) static __typeof__(&name) real_##name;
FUNCTIONS(DECLARE_F)
PROCEDURES(DECLARE_P)

#pragma GCC visibility push(hidden)
#define DEFINE_F(library, result, name, parameters, arguments)                                   \
  __attribute__((visibility("hidden"))) result name parameters { return real_##name arguments; }
#define DEFINE_P(library, name, parameters, arguments)                                           \
  __attribute__((visibility("hidden"))) void name parameters { real_##name arguments; }
FUNCTIONS(DEFINE_F)
PROCEDURES(DEFINE_P)
#pragma GCC visibility pop

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char reason[256];
static int is_starved;

// Whether a library is there, but the limits of the process do not let it be loaded: what dlerror says with
// EMFILE, ENFILE and ENOMEM, and where mmap fails. Other errors do not say why.
static int says_starved(const char *text) {
  const char *const signs[] = {strerror(EMFILE), strerror(ENFILE), strerror(ENOMEM),
                               "failed to map segment", "cannot map zero-fill pages",
                               "cannot allocate", "cannot create"};
  for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
    if (strstr(text, signs[i])) return 1;
  return 0;
}

static void *open_library(const char *soname) {
  void *handle = dlopen(soname, RTLD_LAZY | RTLD_LOCAL);
  if (!handle) {
    const char *text = dlerror();
    is_starved = text && says_starved(text);
    snprintf(reason, sizeof reason, "%s cannot be loaded: %s", soname, text ? text : "unknown");
  }
  return handle;
}

static const char *const tried[] = {
    SONAME("avutil", LIBAVUTIL_VERSION_MAJOR), SONAME("avcodec", LIBAVCODEC_VERSION_MAJOR),
    SONAME("avformat", LIBAVFORMAT_VERSION_MAJOR)};

const char *trim_ffmpeg_tried(int index) {
  return index >= 0 && (size_t)index < sizeof tried / sizeof *tried ? tried[index] : NULL;
}

int trim_ffmpeg_find_other(const char *folder, char *version, size_t size) {
  // libavutil alone, which all others need, and which needs few. FFmpeg 4.4 had version 56; FFmpeg's
  // releases add one a year.
  enum { oldest = 56, newest = LIBAVUTIL_VERSION_MAJOR + 12 };
  for (int major = newest; major >= oldest; major--) {
    if (major == LIBAVUTIL_VERSION_MAJOR) continue;
    char name[PATH_MAX];
    int length = snprintf(name, sizeof name, "%s%slibavutil.so.%d", folder ? folder : "",
                          folder ? "/" : "", major);
    if (length < 0 || (size_t)length >= sizeof name) return -1;
    void *library = dlopen(name, RTLD_LAZY | RTLD_LOCAL);
    if (!library) continue;
    const char *(*info)(void) = (const char *(*)(void))dlsym(library, "av_version_info");
    const char *text = info ? info() : NULL;
    if (size > 0) snprintf(version, size, "%s", text ? text : name);
    dlclose(library);
    return 0;
  }
  return -1;
}

static void load(void) {
  void *avutil = open_library(tried[0]);
  void *avcodec = avutil ? open_library(tried[1]) : NULL;
  void *avformat = avcodec ? open_library(tried[2]) : NULL;
  if (!avformat) return;
#define BIND(library, name)                                                                      \
  if (!(real_##name = (__typeof__(real_##name))dlsym(library, #name))) {                         \
    snprintf(reason, sizeof reason, "%s is missing from lib%s", #name, #library);                \
    return;                                                                                      \
  }
#define BIND_F(library, result, name, parameters, arguments) BIND(library, name)
#define BIND_P(library, name, parameters, arguments) BIND(library, name)
  FUNCTIONS(BIND_F)
  PROCEDURES(BIND_P)
}

int trim_ffmpeg_load(char *message, size_t size) {
  pthread_once(&once, load);
  if (!reason[0]) return 0;
  if (size > 0) snprintf(message, size, "%s", reason);
  return -1;
}

int trim_ffmpeg_is_starved(void) { return is_starved; }

static void (*log_sink)(void *, int, const char *);
static __thread void *log_owner;

void *trim_ffmpeg_log_owner(void *owner) {
  void *before = log_owner;
  log_owner = owner;
  return before;
}

static __thread const AVFormatContext *recognised;
static __thread int64_t pixel_limit;

void trim_ffmpeg_limit_late_streams(const void *format, int64_t pixels) {
  recognised = format;
  pixel_limit = pixels;
}

// avformat_find_stream_info takes options only for the streams that exist when it is called. The decoders
// of streams that appear later are internal to FFmpeg, and can be reached only here: each logs, at debug
// level, the format that it is about to decode to.
static void limit_pixels(void *context) {
  if (!recognised || !context || *(const AVClass **)context != real_avcodec_get_class()) return;
  AVCodecContext *decoder = context;
  // A decoder that was opened with options already has a limit.
  if (decoder->max_pixels < INT_MAX) return;
  unsigned streams = recognised->nb_streams;
  decoder->max_pixels = pixel_limit / (streams > 0 ? streams : 1);
}

static void log_line(void *context, int level, const char *format, va_list arguments) {
  limit_pixels(context);
  // The upper bits are a color (libavutil/log.h, AV_LOG_C).
  if (level >= 0) level &= 0xFF;
  if (level > AV_LOG_WARNING) return;
  char line[512];
  int prefix = 1;
  real_av_log_format_line2(context, level, format, arguments, line, sizeof line, &prefix);
  size_t length = strlen(line);
  while (length > 0 && line[length - 1] == '\n') line[--length] = 0;
  if (length > 0) log_sink(log_owner, level, line);
}

void trim_ffmpeg_log_to(void (*sink)(void *owner, int level, const char *line)) {
  log_sink = sink;
  real_av_log_set_callback(log_line);
}

#endif
