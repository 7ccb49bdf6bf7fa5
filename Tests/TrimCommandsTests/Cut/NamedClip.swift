import Foundation
import MediaEngine
import Support
import Testing
import Trimming

/// A file in a container with its own way of stating when frames begin.
struct NamedClip: Sendable, CustomTestStringConvertible {
  var testDescription: String
  var ending: String
  var words: [String]
  /// The frame rate of the generated video.
  var rate = "30000/1001"
  /// How the file's bytes are changed.
  var change: @Sendable (inout [UInt8]) -> Bool = { _ in true }
  /// The containers that a plan may write it into.
  var outputs: [OutputContainer] = [.matroska, .mp4]

  private static let h264 = [
    "-c:v", "libx264", "-preset", "ultrafast", "-bf", "2", "-g", "12", "-pix_fmt", "yuv420p",
  ]

  private static func edited(_ name: String, by ticks: UInt32) -> NamedClip {
    // At 12,800 ticks a second; a frame lasts 512 ticks.
    NamedClip(
      testDescription: name, ending: "mp4", words: h264, rate: "25",
      change: { shiftEdit(in: &$0, by: ticks) })
  }

  static let all: [NamedClip] = [
    edited("an edit list that begins inside a frame", by: 1705),
    edited("an edit list that begins inside a keyframe", by: 6244),
    edited("an edit list that begins with a frame", by: 2560),
    NamedClip(testDescription: "29.97 in milliseconds", ending: "mkv", words: h264),
    NamedClip(
      testDescription: "59.94 in ticks of which no whole number is a frame", ending: "ts",
      words: h264, rate: "60000/1001"),
    NamedClip(
      testDescription: "places and no times", ending: "avi",
      words: ["-c:v", "mpeg4", "-bf", "2", "-g", "12"], outputs: [.matroska, .mp4, .avi]),
    NamedClip(
      testDescription: "a rate that varies", ending: "webm",
      words: [
        "-vf", "select='not(eq(mod(n,5),2))'", "-fps_mode", "vfr", "-c:v", "libvpx", "-g", "12",
        "-deadline", "realtime", "-cpu-used", "8",
      ], outputs: [.matroska, .webm]),
    NamedClip(
      testDescription: "edit units", ending: "mxf",
      words: ["-c:v", "mpeg2video", "-bf", "2", "-g", "12"], rate: "25"),
    NamedClip(
      testDescription: "edit units, and no index that tells how they are reordered", ending: "mxf",
      words: ["-c:v", "mpeg2video", "-bf", "2", "-g", "12"], rate: "25", change: dropIndex),
  ]

  /// The index table becomes a fill item (SMPTE ST 336, 377-1).
  private static let dropIndex: @Sendable (inout [UInt8]) -> Bool = { bytes in
    let index: [UInt8] = [6, 14, 43, 52, 2, 83, 1, 1, 13, 1, 2, 1, 1, 16, 1, 0]
    let fill: [UInt8] = [6, 14, 43, 52, 1, 1, 1, 2, 3, 1, 2, 16, 1, 0, 0, 0]
    var count = 0
    for place in 0..<max(0, bytes.count - 16) where bytes[place...].starts(with: index) {
      bytes.replaceSubrange(place..<place + 16, with: fill)
      count += 1
    }
    return count > 0
  }

  static let isPossible = ["/usr/bin/ffmpeg", "/usr/local/bin/ffmpeg"].contains {
    (try? fileBytes($0)) != nil
  }

  /// - Returns: its path.
  func make(in folder: ScratchFolder) async throws -> [UInt8] {
    let path = folder.path(of: "clip." + ending)
    var arguments = ["ffmpeg", "-nostdin", "-v", "error", "-y", "-f", "lavfi", "-i"]
    arguments += ["testsrc2=size=64x48:rate=\(rate),trim=end_frame=40"] + words + [path]
    let run = try await ProgramRun(arguments.map { Array($0.utf8) }, limit: .seconds(60))
    guard run.status == 0 else { throw Failed(text: run.errText) }
    var bytes = try fileBytes(path)
    guard change(&bytes) else { throw Failed(text: "it is not as it should be") }
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    return Array(path.utf8)
  }

  struct Failed: Error { var text: String }

  /// Makes the only edit begin later in the media (ISO 14496-12, 8.6.6) and shortens it.
  private static func shiftEdit(in bytes: inout [UInt8], by ticks: UInt32) -> Bool {
    let name = Array("elst".utf8)
    guard
      let start = bytes.indices.first(where: {
        $0 + 24 <= bytes.count && Array(bytes[$0..<$0 + 4]) == name
      })
    else { return false }
    func change(at place: Int, _ body: (UInt32) -> UInt32) {
      let value = body(bytes[place..<place + 4].reduce(0) { $0 << 8 | UInt32($1) })
      for byte in 0..<4 { bytes[place + byte] = UInt8(value >> (24 - 8 * byte) & 0xFF) }
    }
    // After the version and the entry count: movie duration in milliseconds, media time in ticks.
    change(at: start + 12) { $0 - ticks * 10 / 128 - 13 }
    change(at: start + 16) { $0 + ticks }
    return true
  }
}
