import ExactTime
import MediaEngine
import Support
import Testing
import Trimming

@testable import Cutting

/// Noise that never repeats, for cutting and decoding.
enum CutNoise {
  static let isPossible = EncodedClip.isPossible

  /// Makes it in a codec and a container.
  static func make(
    _ words: [String], seconds: String = "4", as name: String, in folder: ScratchFolder
  ) async throws -> String {
    let path = folder.path(of: name)
    _ = try await EncodedClip.ffmpeg(
      ["-v", "error", "-f", "lavfi", "-i", "anoisesrc=r=48000:d=\(seconds):seed=5:a=0.4"] + words
        + [path])
    return path
  }

  /// The decoded samples, as mono.
  static func samples(_ path: String) async throws -> [Int16] {
    let bytes = try await EncodedClip.ffmpeg([
      "-v", "error", "-i", path, "-map", "0:a:0", "-ac", "1", "-f", "s16le", "-",
    ]).out
    return stride(from: 0, to: bytes.count - 1, by: 2).map {
      Int16(bitPattern: UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8)
    }
  }

  /// Cuts with the full proof.
  static func cut(
    _ path: String, _ from: MediaTime, _ to: MediaTime, into output: String
  ) throws -> CutReport {
    let range = try #require(MediaTimeRange(from: from, to: to))
    return try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8))).cut(
      CutOrder(CutRequest(range: range, verification: .full), to: Array(output.utf8)))
  }
}
