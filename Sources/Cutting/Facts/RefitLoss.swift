import Libav
import MediaFacts
import MediaFiles
import Trimming

/// What pictures lose where they are converted to the format of another source.
enum RefitLoss {
  static func reasons(_ own: SourceTrack, becoming other: SourceTrack) -> [PictureRefit.Loss] {
    guard let mine = own.facts.video, let theirs = other.facts.video else { return [] }
    var reasons: [PictureRefit.Loss] = []
    if hasAlpha(mine) == true, hasAlpha(theirs) != true { reasons.append(.alpha) }
    if mine.isInterlaced, !writesFields(other, theirs) { reasons.append(.fieldOrder) }
    if let metadata = mine.hdr, !metadata.isEmpty, metadata != theirs.hdr {
      reasons.append(.hdrMetadata)
    }
    return reasons
  }

  /// Whether only decoding tells if there is an alpha channel to lose: many codecs state their pixel format
  /// in the pictures alone.
  static func mayLoseAlpha(_ own: SourceTrack, becoming other: SourceTrack) -> Bool {
    guard let mine = own.facts.video, let theirs = other.facts.video else { return false }
    return hasAlpha(mine) == nil && hasAlpha(theirs) != true
  }

  /// Whether the encoder of a format tells of each picture's fields.
  private static func writesFields(_ track: SourceTrack, _ video: VideoFacts) -> Bool {
    guard video.isInterlaced else { return false }
    let choice = EncoderChoice(
      codec: track.facts.codec, video: video, configuration: track.configuration)
    // FFmpeg hands them to no encoder of HEVC.
    return choice.map { $0.settings(video).isInterlaced && track.facts.codec != .hevc } ?? false
  }

  /// `nil` where the pixel format is not known.
  private static func hasAlpha(_ video: VideoFacts) -> Bool? {
    video.pixelFormat.map { hasAlpha($0) }
  }

  /// By FFmpeg's names of pixel formats.
  static func hasAlpha(_ format: String) -> Bool {
    let all = [
      "yuva", "gbrap", "ya8", "ya16", "yaf", "rgba", "bgra", "argb", "abgr", "ayuv", "vuya", "uyva",
    ]
    return all.contains { format.hasPrefix($0) }
  }
}

extension CutSource {
  /// Whether the first picture that can be decoded has an alpha channel.
  func decodesToAlpha(_ index: Int, _ limits: Limits) throws(MediaError) -> Bool {
    var (source, place): (any CutSource, Int) = (self, index)
    if let refitted, let own = refitted.place(ofTrack: index) {
      (source, place) = (refitted.inner, own)
    }
    let packets = source.tracks[place].coded.packets
    guard let first = packets.firstIndex(where: \.isKey) else { return false }
    let decoder = try source.decoder(ofTrack: place, limits: limits.demuxer)
    let last = min(packets.count, first + Self.mostUntilPicture)
    try source.prepare([place: [first..<last]])
    var found: Bool?
    for packet in first..<last where found == nil {
      _ = try decoder.send(source.bytes(ofTrack: place, packet), packets[packet])
      while found == nil, case .frame = decoder.value.receive({ found = $0.hasAlpha }) {}
    }
    if found == nil {
      decoder.value.finish()
      while found == nil, case .frame = decoder.value.receive({ found = $0.hasAlpha }) {}
    }
    return found ?? false
  }

  /// Decoders hold back as many pictures as are reordered, 16 at most (ITU-T H.264, A.3.1).
  private static var mostUntilPicture: Int { 20 }
}
