import CSystem
import CommandLineKit
import Glibc
import MediaEngine
import Threads
import TrimStudio
import Trimming

extension StudioResult {
  /// The beginning of a file, read as a separate file.
  ///
  /// Where a container has no index, all of it has to be read before a cut can be exact. This is
  /// available at once, whatever the file's length.
  ///
  /// - Parameter length: how many bytes are read: several seconds at any bit rate that browsers play.
  /// - Throws: if the file is too short to need this, or cannot be shown in part.
  init(
    beginningOf path: [UInt8], name: String, tool: Tool, length: Int = 24 << 20
  ) async throws {
    let (unnamed, size) = try await WaitingThread.value {
      try UnnamedFile.beginning(of: path, length)
    }
    try await self.init(unnamed, name: name, seams: [], tool: tool, bytesOfWhole: size)
    // A browser that can play the container gets the complete file.
    media = try StudioMedia(path, type: media.type)
  }
}

extension UnnamedFile {
  /// Copies the first part of a file to an unnamed file.
  ///
  /// Blocking.
  ///
  /// - Returns: the copy, and the size of the whole file in bytes.
  fileprivate static func beginning(
    of path: [UInt8], _ length: Int
  ) throws -> (UnnamedFile, Int64) {
    let source = try ServedFile(path).opened()
    defer { close(source.descriptor) }
    guard source.size > 2 * UInt64(length), let copy = TemporaryFiles.one() else {
      throw VideoFailure("The file is short: all of it is read at once.")
    }
    let unnamed = UnnamedFile(descriptor: copy)
    var buffer = [UInt8](repeating: 0, count: min(length, 1 << 20))
    var done = 0
    while done < length {
      let came = pread(
        source.descriptor, &buffer, min(buffer.count, length - done), off_t(done))
      if came < 0, errno == EINTR { continue }
      guard came > 0, write(copy, buffer, came) == came else {
        throw VideoFailure("The file cannot be read: \(SystemError.text(errno))")
      }
      done += came
    }
    return (unnamed, Int64(clamping: source.size))
  }
}
