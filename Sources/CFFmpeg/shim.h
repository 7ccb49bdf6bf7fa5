#ifndef TRIM_CFFMPEG_SHIM_H
#define TRIM_CFFMPEG_SHIM_H
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#endif
