import Support

/// FFmpeg's tools as an independent judge of the written file.
enum FFmpegTool {
  static let isInstalled = ["ffmpeg", "ffprobe"].allSatisfy { tool in
    ["/usr/bin/", "/usr/local/bin/"].contains { (try? fileBytes($0 + tool)) != nil }
  }

  /// Hashes of all packets with their times.
  static func packets(_ path: String) async throws -> String {
    try await hashes(["-i", path, "-map", "0", "-c", "copy"])
  }

  /// Hashes of all decoded pictures and sounds with their times.
  static func frames(
    _ path: String, of kinds: [String] = ["v", "a"]
  ) async throws -> String {
    let maps = kinds.flatMap { ["-map", "0:\($0)?"] }
    return try await hashes(["-i", path] + maps + ["-fps_mode", "passthrough"])
  }

  private static func hashes(_ words: [String]) async throws -> String {
    try await output(["ffmpeg", "-v", "error", "-copyts"] + words + ["-f", "framemd5", "-"])
      .split(separator: "\n").filter { !$0.hasPrefix("#") }.joined(separator: "\n")
  }

  /// What ffprobe reports about streams, chapters and the tags of the file.
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
