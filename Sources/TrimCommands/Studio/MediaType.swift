import MediaFacts

/// Media types of files and codecs for browsers.
enum MediaType {
  /// The media type of a probed file.
  static func of(_ facts: MediaFacts) -> String {
    // No browser follows an edition.
    guard facts.edition == nil else { return "application/octet-stream" }
    let kind = facts.tracks.contains { $0.kind == .video && $0.isPresented } ? "video" : "audio"
    return facts.container.rules.mediaType(kind)
  }

  /// The type to query browser support for a track, such as `audio/mp4; codecs="ac-3"`.
  ///
  /// - Returns: `nil` for codecs that no browser plays.
  static func of(_ track: TrackFacts) -> String? {
    let codecs: [Codec: String] = [
      .h264: "video/mp4; codecs=\"avc1.640028\"", .hevc: "video/mp4; codecs=\"hvc1.1.6.L93.B0\"",
      .vp8: "video/webm; codecs=\"vp8\"", .vp9: "video/webm; codecs=\"vp9\"",
      .av1: "video/mp4; codecs=\"av01.0.08M.08\"", .theora: "video/ogg; codecs=\"theora\"",
      .aac: "audio/mp4; codecs=\"mp4a.40.2\"", .mp3: "audio/mpeg",
      .ac3: "audio/mp4; codecs=\"ac-3\"", .eac3: "audio/mp4; codecs=\"ec-3\"",
      .opus: "audio/webm; codecs=\"opus\"", .vorbis: "audio/webm; codecs=\"vorbis\"",
      .flac: "audio/mp4; codecs=\"flac\"", .pcmS16LE: "audio/wav; codecs=\"1\"",
    ]
    return codecs[track.codec]
  }
}
