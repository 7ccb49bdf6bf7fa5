import Libav
public import MediaFiles

extension Picture {
  /// The picture file formats that can be written.
  public enum FileFormat: String, Sendable, Hashable, CaseIterable {
    case png, jpeg
  }

  /// Encodes the picture as a file.
  ///
  /// - Throws: ``MediaError``: `engineMissing` where FFmpeg cannot be loaded or lacks the
  ///   encoder.
  public func encoded(as format: FileFormat) throws(MediaError) -> [UInt8] {
    do throws(LibavError) {
      return try PictureEncoder.file(
        format == .png ? .png : .jpeg, rgb: pixels, width: width, height: height)
    } catch {
      if error.kind == .notAllowed { throw MediaError(.engineMissing, error.message) }
      throw MediaError(error)
    }
  }
}
