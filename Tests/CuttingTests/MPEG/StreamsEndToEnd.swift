import Support

/// Concatenated transport streams of 50 frames each at 25 fps: the second holds frames 50 to 99.
enum StreamsEndToEnd {
  struct Part {
    /// Encoder options.
    var words: [String]
    var size = "160x96"
    /// Additional video filters.
    var filters = ""
    /// Frame duration in 25ths of a second.
    var spacing = 1
  }

  /// - Returns: the path of `clip.ts` in the folder.
  static func make(_ parts: [Part], in folder: ScratchFolder) async throws -> String {
    var bytes: [UInt8] = []
    for (number, part) in parts.enumerated() {
      let path = folder.path(of: "\(number).ts")
      let first = 50 * number
      _ = try await EncodedClip.ffmpeg(
        ["-v", "error", "-f", "lavfi", "-i"]
          + ["testsrc2=size=\(part.size):rate=25:duration=\(2 * parts.count)"] + part.words
          + ["-g", "10", "-vf"]
          + [
            "trim=start_frame=\(first):end_frame=\(first + 50),"
              + "setpts=(N*\(part.spacing)+\(25 + first))/25/TB\(part.filters)"
          ]
          + ["-copyts", path])
      bytes += try fileBytes(path)
    }
    return try folder.write(bytes, to: "clip.ts")
  }
}
