import ExactTime
import Libav
import MediaFacts
import Trimming

/// What Matroska's muxer accepts in name only.
enum MatroskaFit {
  static func isLost(_ track: SourceTrack, _ demuxer: borrowing Demuxer) -> Bool {
    switch track.facts.codec {
    case .qtRLE, .eightBPS:
      // Their decoders require the bits per pixel, which QuickTime's sample entry states and
      // FFmpeg does not carry over.
      return true
    case .gif:
      // FFmpeg's demuxer uses its parser here, which joins frames and drops the last one's duration;
      // the QuickTime demuxer uses none.
      return true
    case .adpcmSWF:
      // FFmpeg's muxer omits its header (WAVEFORMATEX) unless all blocks have the same size,
      // which Flash's do not.
      return true
    case .rv10, .rv20, .rv30, .rv40, .cook, .sipr, .ra144, .ra288, .atrac3:
      // It has tags for RealNetworks' codecs, but FFmpeg's muxer does not write their headers.
      return true
    case .rawVideo:
      // Only its muxer knows which layouts it supports: RGB is not one of them.
      return !Muxer.takes(
        track.stream, tick: track.coded.grid.secondsPerTick,
        format: OutputContainer.matroska.muxer, demuxer)
    default: return false
    }
  }
}
