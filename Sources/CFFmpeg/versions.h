// Differences between FFmpeg's versions, from 5.1 (Debian 12) over 7.1 (Debian 13) to 9.0 (Debian's testing
// and sid). The only other version check is for Enhanced RTMP, in Libav/FLVReading.swift.
#ifndef TRIM_CFFMPEG_VERSIONS_H
#define TRIM_CFFMPEG_VERSIONS_H

#include <string.h>

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/frame.h>
#include <libavutil/mem.h>
#include <libswscale/swscale.h>

// What a version changes is known only once it is there: a newer one must be looked at first.
#if LIBAVFORMAT_VERSION_MAJOR < 59 || LIBAVFORMAT_VERSION_MAJOR > 63
#error "trim knows FFmpeg 5.1 to 9 (libavformat 59 to 63), and these headers are of another version"
#endif

// Since 7.0, write callbacks get const bytes (doc/APIchanges, 2023-10-11).
#if LIBAVFORMAT_VERSION_MAJOR >= 61
typedef const uint8_t trim_written_byte;
#else
typedef uint8_t trim_written_byte;
#endif

// Since 6.0 (libavcodec 60), subtitle decoders take a const packet.
#if LIBAVCODEC_VERSION_MAJOR >= 60
typedef const AVPacket trim_decoded_packet;
#else
typedef AVPacket trim_decoded_packet;
#endif

// Since 6.1, a stream's side data is part of its codec parameters, and is copied with them.
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(60, 31, 102)
#define TRIM_PARAMETERS_HOLD_SIDE_DATA 1
#else
#define TRIM_PARAMETERS_HOLD_SIDE_DATA 0
#endif

// Since 7.1, what an encoder supports is queried by a function (avcodec_get_supported_config).
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(61, 13, 100)
#define TRIM_ENCODERS_ARE_ASKED 1
#else
#define TRIM_ENCODERS_ARE_ASKED 0
#endif

// Since 6.0, the Matroska muxer shifts audio by the codec delay itself, and writes it for every codec.
#if LIBAVFORMAT_VERSION_MAJOR >= 60
#define TRIM_MUXER_ADDS_CODEC_DELAY 1
#else
#define TRIM_MUXER_ADDS_CODEC_DELAY 0
#endif

// Since 7.0, the Matroska muxer writes a display matrix as ProjectionPoseRoll.
#if LIBAVFORMAT_VERSION_MAJOR >= 61
#define TRIM_MATROSKA_TURNS 1
#else
#define TRIM_MATROSKA_TURNS 0
#endif

// Since 8.0, a scaler's context is no opaque type, and its flags are an enumeration, which Swift imports as
// other types: it uses these, which are the same for all versions.
typedef struct trim_scaler trim_scaler;

static inline trim_scaler *trim_scaler_make(
    int width, int height, enum AVPixelFormat format, int made_width, int made_height,
    enum AVPixelFormat made_format, int flags) {
  return (trim_scaler *)sws_getCachedContext(
      NULL, width, height, format, made_width, made_height, made_format, flags, NULL, NULL, NULL);
}

static inline void trim_scaler_free(trim_scaler *scaler) { sws_freeContext((struct SwsContext *)scaler); }

// The matrices are FFmpeg's numbers (SWS_CS_...). Returns a negative number where there is none to set.
static inline int trim_scaler_set_colors(
    trim_scaler *scaler, int matrix, int is_full_range, int made_matrix, int made_full_range) {
  return sws_setColorspaceDetails(
      (struct SwsContext *)scaler, sws_getCoefficients(matrix), is_full_range,
      sws_getCoefficients(made_matrix), made_full_range, 0, 1 << 16, 1 << 16);
}

static inline int trim_scaler_scale(
    trim_scaler *scaler, const uint8_t *const planes[], const int strides[], int height,
    uint8_t *const made[], const int made_strides[]) {
  return sws_scale((struct SwsContext *)scaler, planes, strides, 0, height, made, made_strides);
}

static inline int64_t trim_frame_duration(const AVFrame *frame) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(57, 30, 100)
  return frame->duration;
#else
  return frame->pkt_duration;
#endif
}

// Before 6.0, FFmpeg's libx265 wrapper keeps a copy of reordered_opaque for each frame, and leaks those
// of frames that are still in the encoder when it is closed.
static inline void trim_frame_forget_opaque(AVFrame *frame) {
#if LIBAVUTIL_VERSION_MAJOR < 58
  frame->reordered_opaque = 0;
#else
  (void)frame;
#endif
}

static inline int trim_frame_is_key(const AVFrame *frame) {
#ifdef AV_FRAME_FLAG_KEY
  return (frame->flags & AV_FRAME_FLAG_KEY) != 0;
#else
  return frame->key_frame != 0;
#endif
}

static inline int trim_frame_is_top_field_first(const AVFrame *frame) {
#ifdef AV_FRAME_FLAG_TOP_FIELD_FIRST
  return (frame->flags & AV_FRAME_FLAG_TOP_FIELD_FIRST) != 0;
#else
  return frame->top_field_first != 0;
#endif
}

// Whether a picture consists of two fields, and which is first, as those of another.
static inline void trim_frame_copy_fields(AVFrame *to, const AVFrame *from) {
#ifdef AV_FRAME_FLAG_TOP_FIELD_FIRST
  const int fields = AV_FRAME_FLAG_INTERLACED | AV_FRAME_FLAG_TOP_FIELD_FIRST;
  to->flags = (to->flags & ~fields) | (from->flags & fields);
#else
  to->interlaced_frame = from->interlaced_frame;
  to->top_field_first = from->top_field_first;
#endif
}

// Declares a picture to consist of two fields.
static inline void trim_frame_set_fields(AVFrame *frame, int is_top_first) {
#ifdef AV_FRAME_FLAG_TOP_FIELD_FIRST
  frame->flags |= AV_FRAME_FLAG_INTERLACED;
  if (is_top_first) frame->flags |= AV_FRAME_FLAG_TOP_FIELD_FIRST;
#else
  frame->interlaced_frame = 1;
  frame->top_field_first = is_top_first;
#endif
}

// The sample formats of an encoder, up to AV_SAMPLE_FMT_NONE; NULL if it states none.
static inline const enum AVSampleFormat *trim_sample_formats(const AVCodec *encoder) {
#if TRIM_ENCODERS_ARE_ASKED
  const void *formats = NULL;
  if (avcodec_get_supported_config(NULL, encoder, AV_CODEC_CONFIG_SAMPLE_FORMAT, 0, &formats, NULL) < 0)
    return NULL;
  return (const enum AVSampleFormat *)formats;
#else
  return encoder->sample_fmts;
#endif
}

static inline const uint8_t *trim_stream_side_data(
    const AVStream *stream, enum AVPacketSideDataType type, size_t *size) {
#if TRIM_PARAMETERS_HOLD_SIDE_DATA
  const AVPacketSideData *item = av_packet_side_data_get(
      stream->codecpar->coded_side_data, stream->codecpar->nb_coded_side_data, type);
  if (size) *size = item ? item->size : 0;
  return item ? item->data : NULL;
#else
  return av_stream_get_side_data(stream, type, size);
#endif
}

// Copies display matrix, mastering display, light levels and the like. Returns -1 if out of memory.
static inline int trim_copy_stream_side_data(const AVStream *source, AVStream *made) {
#if TRIM_PARAMETERS_HOLD_SIDE_DATA
  const AVPacketSideData *items = source->codecpar->coded_side_data;
  const int count = source->codecpar->nb_coded_side_data;
#else
  const AVPacketSideData *items = source->side_data;
  const int count = source->nb_side_data;
#endif
  for (int index = 0; index < count; index++) {
    if (!items[index].data) continue;
    uint8_t *copy = av_malloc(items[index].size);
    if (!copy) return -1;
    memcpy(copy, items[index].data, items[index].size);
#if TRIM_PARAMETERS_HOLD_SIDE_DATA
    const int isAdded = av_packet_side_data_add(
        &made->codecpar->coded_side_data, &made->codecpar->nb_coded_side_data,
        items[index].type, copy, items[index].size, 0) != NULL;
#else
    const int isAdded = av_stream_add_side_data(made, items[index].type, copy, items[index].size) >= 0;
#endif
    if (!isAdded) {
      av_free(copy);
      return -1;
    }
  }
  return 0;
}

#endif
