import Support

/// FFmpeg's tools as a judge that did not write the film.
enum FFmpegTool {
  static let isInstalled = ["ffmpeg", "ffprobe"].allSatisfy { tool in
    ["/usr/bin/", "/usr/local/bin/"].contains { (try? fileBytes($0 + tool)) != nil }
  }

  /// Hashes of all packets and of all decoded frames with their times.
  static func frames(_ path: String) async throws -> String {
    let copied = try await output([
      "ffmpeg", "-v", "error", "-i", path, "-map", "0", "-c", "copy", "-f", "framemd5", "-",
    ])
    let decoded = try await output([
      "ffmpeg", "-v", "error", "-i", path, "-map", "0:v?", "-map", "0:a?", "-fps_mode",
      "passthrough", "-f", "framemd5", "-",
    ])
    return (copied + decoded).split(separator: "\n").filter { !$0.hasPrefix("#") }
      .joined(separator: "\n")
  }

  /// What ffprobe says of streams, chapters and the tags of the file.
  static func description(_ path: String, leavingOut fields: [String]) async throws -> String {
    try await output([
      "ffprobe", "-v", "error", "-show_streams", "-show_chapters", "-show_entries",
      "format=start_time,duration,nb_streams:format_tags", path,
    ]).split(separator: "\n").filter { line in !fields.contains { line.hasPrefix($0) } }
      .joined(separator: "\n")
  }

  private static func output(_ words: [String]) async throws -> String {
    let run = try await ProgramRun(words.map { Array($0.utf8) })
    guard run.status == 0 else { throw Failed(text: run.errText) }
    return run.outText + run.errText
  }

  struct Failed: Error { var text: String }
}
