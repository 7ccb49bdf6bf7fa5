import Bitstreams
package import Libav
package import MediaFacts

/// Reads video headers from the pictures, where FFmpeg does not report a size (as for pictures
/// larger than it decodes) or where the container may state a wrong one.
package struct PictureHeaders {
  /// The number of packets examined by stream, and the streams that need no more.
  private var seen = PerStream<Int>()
  private var done = StreamSet()

  /// How many packets may come before one with headers.
  private static let patience = 64

  /// Whether nothing more is read of a stream.
  package func areRead(of stream: Int) -> Bool { done.contains(stream) }

  package mutating func read(
    _ track: LibavTrack, isKey: Bool, _ demuxer: borrowing Demuxer, into facts: inout MediaFacts
  ) {
    guard !done.contains(track.index), facts.tracks.indices.contains(track.index),
      let video = facts.tracks[track.index].video
    else { return }
    guard !track.isEncrypted, seen[track.index, default: 0] < Self.patience else {
      done.insert(track.index)
      return
    }
    guard isKey || video.width == 0 else { return }
    seen[track.index, default: 0] += 1
    readLight(track, demuxer, &facts.tracks[track.index])
    let framing = Framing(codec: track.codec, configuration: track.extradata)
    let start = demuxer.withPacketBytes { Array($0.prefix(4096)) }
    guard let header = Self.header(of: track, start[...], framing) else { return }
    if let note = CodedSize.correct(&facts.tracks[track.index], by: header) {
      facts.notes.append(note)
    }
    guard let width = header.width, width > 0 else { return }
    done.insert(track.index)
    // VP8 numbers its decoders (RFC 6386, 9.1), and has no profiles with names.
    let profile = track.codec == .vp8 ? nil : header.profile
    facts.tracks[track.index].profile = facts.tracks[track.index].profile ?? profile
    facts.tracks[track.index].level = facts.tracks[track.index].level ?? header.level
    facts.tracks[track.index].video?.pixelFormat = video.pixelFormat ?? header.pixelFormat
    facts.tracks[track.index].video?.bitDepth = video.bitDepth ?? header.bitDepth
  }

  private static func header(
    of track: LibavTrack, _ start: ArraySlice<UInt8>, _ framing: Framing
  ) -> VideoHeader? {
    switch track.codec {
    // The first byte of a packet of FLV is all the configuration there is; an alpha channel's
    // offset comes before the pictures.
    case .vp6f: VideoHeader(vp6: start, cropped: track.extradata.first ?? 0)
    case .vp6a: VideoHeader(vp6: start.dropFirst(3), cropped: track.extradata.first ?? 0)
    default: VideoHeader(codec: track.codec, firstSample: start, framing: framing)
    }
  }

  /// Adds HDR metadata from the SEI messages or metadata OBUs of a picture to that of the
  /// container.
  private func readLight(
    _ track: LibavTrack, _ demuxer: borrowing Demuxer, _ facts: inout TrackFacts
  ) {
    guard track.codec.isOne(of: .h264, .hevc, .av1), track.bitDepth ?? 10 > 8 else { return }
    let framing = Framing(codec: track.codec, configuration: track.extradata)
    var light = facts.video?.hdr ?? HDRFacts()
    demuxer.withPacketBytes { bytes in
      let sample = Array(bytes.prefix(HDRReader.mostBytes))
      light.complete(
        with: HDRReader.facts(codec: track.codec, sample[...], framing: framing))
    }
    facts.video?.hdr = light.isEmpty ? nil : light
  }
}
