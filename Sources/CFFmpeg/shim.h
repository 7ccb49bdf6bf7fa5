// The parts of FFmpeg's headers that Swift needs, and the constants that Swift's importer cannot see
// (macros that call, cast or refer to other macros). No logic.
#ifndef TRIM_CFFMPEG_SHIM_H
#define TRIM_CFFMPEG_SHIM_H

#ifdef TRIM_WITHOUT_FFMPEG // As if it were not installed; for tools/test.
#error "this module must build without FFmpeg"
#endif

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/avutil.h>
#include <libavutil/channel_layout.h>
#include <libavutil/dict.h>
#include <libavutil/display.h>
#include <libavutil/error.h>
#include <libavutil/log.h>
#include <libavutil/mem.h>
#include <libavutil/pixdesc.h>
#include <libswscale/swscale.h>

#include "versions.h"

static const int64_t trim_NOPTS = AV_NOPTS_VALUE;
static const int trim_ERROR_EOF = AVERROR_EOF;
static const int trim_ERROR_AGAIN = AVERROR(EAGAIN);
static const int trim_ERROR_EXIT = AVERROR_EXIT;
static const int trim_ERROR_IO = AVERROR(EIO);
static const int trim_ERROR_MEMORY = AVERROR(ENOMEM);
static const int trim_ERROR_REFUSED = AVERROR(EPERM);
static const int trim_ERROR_NOT_LISTED = AVERROR(EINVAL);
static const int trim_ERROR_INVALID = AVERROR_INVALIDDATA;
static const int trim_ERROR_PATCHWELCOME = AVERROR_PATCHWELCOME;
static const int trim_ERROR_NOT_IMPLEMENTED = AVERROR(ENOSYS);
static const int trim_ERROR_NO_DEMUXER = AVERROR_DEMUXER_NOT_FOUND;
static const int trim_ERROR_NO_SPACE = AVERROR(ENOSPC);
static const int trim_ERROR_NO_DECODER = AVERROR_DECODER_NOT_FOUND;

static const int trim_SWS_BILINEAR = SWS_BILINEAR;
static const int trim_SWS_BICUBIC = SWS_BICUBIC;
static const int trim_SWS_AREA = SWS_AREA;
static const int trim_SWS_ACCURATE_RND = SWS_ACCURATE_RND;
static const int trim_SWS_FULL_CHR_H_INT = SWS_FULL_CHR_H_INT;

#endif
