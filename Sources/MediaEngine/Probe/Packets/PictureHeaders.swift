#if FFmpeg
  import Libav
  import MediaFacts

  /// Reads the headers of streams whose size FFmpeg does not tell: what is larger than it decodes
  /// has none for it, and is named all the same.
  struct PictureHeaders {
    /// Packets that were looked at, by stream.
    private var seen: [Int: Int] = [:]

    /// How many packets may come before one with headers.
    private static let patience = 64

    mutating func read(
      _ track: LibavTrack, _ demuxer: borrowing Demuxer, into facts: inout MediaFacts
    ) {
      guard facts.tracks.indices.contains(track.index), !track.isEncrypted,
        let video = facts.tracks[track.index].video, video.width == 0,
        seen[track.index, default: 0] < Self.patience
      else { return }
      seen[track.index, default: 0] += 1
      let framing = Framing(codec: track.codec, configuration: track.extradata)
      let start = demuxer.withPacketBytes { Array($0.prefix(4096)) }
      guard
        let header = VideoHeader(
          codec: track.codec, firstSample: start[...], framing: framing),
        let width = header.width, let height = header.height
      else { return }
      facts.tracks[track.index].video?.width = width
      facts.tracks[track.index].video?.height = height
      facts.tracks[track.index].profile = facts.tracks[track.index].profile ?? header.profile
      facts.tracks[track.index].level = facts.tracks[track.index].level ?? header.level
      facts.tracks[track.index].video?.pixelFormat = video.pixelFormat ?? header.pixelFormat
      facts.tracks[track.index].video?.bitDepth = video.bitDepth ?? header.bitDepth
    }
  }
#endif
