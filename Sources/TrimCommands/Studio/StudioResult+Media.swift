import CSystem
import CommandLineKit
import ExactTime
import Glibc
import MediaEngine
import MediaFacts
import TrimStudio
import Trimming

/// An unnamed file that exists as long as it is in use: a result, or the beginning of a file.
final class UnnamedFile: Sendable {
  private let descriptor: Int32

  /// - Parameter descriptor: the descriptor; ownership is transferred.
  init(descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  /// A path by which this process can open it.
  var path: [UInt8] { Array("/dev/fd/\(descriptor)".utf8) }
}

extension StudioResult {
  /// Reads a result like any other file.
  ///
  /// - Parameter bytesOfWhole: the size of the whole file if this is its beginning.
  init(
    _ unnamed: UnnamedFile, name: String, seams: [MediaTime], tool: Tool,
    bytesOfWhole: Int64? = nil
  ) async throws {
    var loader = MediaLoader(
      tool: tool,
      input: try PlayInput(
        ArgumentText(bytes: unnamed.path), part: PartExpression(), command: StudioOptions.command,
        asciiOnly: false))
    loader.wantsPictures = true
    let loaded: PlayedMedia
    switch await loader.loadInBackground() {
    case .failure(let failure): throw failure.videoFailure
    case .success(let media): loaded = media
    }
    let media = try StudioMedia(unnamed.path, type: MediaType.of(loaded.facts))
    self.init(
      facts: StudioFacts(
        loaded, name: name, bytes: bytesOfWhole ?? loaded.facts.byteCount,
        isWhole: bytesOfWhole == nil),
      frames: loaded.timings.frames, end: loaded.bounds.end, seams: seams, media: media,
      pictures: StudioPictures(of: loaded, keeping: unnamed))
  }
}
