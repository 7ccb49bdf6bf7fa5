#if FFmpeg
  import ExactTime
  import Libav
  import MediaFacts
  import Trimming

  /// What Matroska's muxer takes by name alone.
  enum MatroskaFit {
    static func isLost(_ track: SourceTrack, _ demuxer: borrowing Demuxer) -> Bool {
      switch track.facts.codec {
      case "qtrle", "8bps":
        // Their decoders ask for the bits of a pixel, which QuickTime's description states and FFmpeg
        // does not carry over.
        return true
      case "gif":
        // Its parser, which FFmpeg's demuxer uses here, joins frames and takes the last one's duration away; QuickTime
        // has none.
        return true
      case "adpcm_swf":
        // FFmpeg's muxer leaves out its header (WAVEFORMATEX) unless all blocks are equally long, which Flash's are not.
        return true
      case "rawvideo":
        // Only its muxer tells of which layouts it has: RGB is none of them.
        return !Muxer.takes(
          track.stream, tick: track.coded.grid.secondsPerTick,
          format: OutputContainer.matroska.muxer, demuxer)
      default: return false
      }
    }
  }
#endif
