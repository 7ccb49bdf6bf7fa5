import CommandLineKit
import MediaEngine
import Trimming

extension OutputContainer {
  /// Creates the container that an output's file name implies.
  ///
  /// - Throws: `UsageError`, with the supported extensions.
  init(output name: [UInt8], command: String) throws(UsageError) {
    guard let container = OutputContainer(fileName: name) else {
      if Self.isGIF(name) {
        throw UsageError(
          "GIF can be read but not written: '\(ForeignText.shown(name))'. Write .mov, which holds "
            + "the pictures of a GIF unchanged; or cut a video to .mp4, and make the GIF from that: "
            + "ffmpeg -i CUT.mp4 OUT.gif", command: command)
      }
      let known = Self.allCases.map(\.rules.ending).joined(separator: ", ")
      throw UsageError(
        "Unknown extension: '\(ForeignText.shown(name))'. Use one of \(known).", command: command)
    }
    self = container
  }

  private static func isGIF(_ name: [UInt8]) -> Bool {
    String(decoding: name.suffix(4), as: UTF8.self).lowercased() == ".gif"
  }
}
