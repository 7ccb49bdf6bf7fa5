import CommandLineKit
import MediaEngine

/// A small file that appears whole or not at all, and never replaces the source file.
struct ResultFile {
  /// `nil` for standard output.
  private let file: PendingFile?
  private let path: [UInt8]

  /// - Parameters:
  ///   - source: the file it is made from.
  ///   - others: files that it is about, which it does not replace either.
  /// - Throws: ``PlayedMedia/Failure``, before any work is wasted.
  init(
    _ path: [UInt8], replaces: Bool, madeFrom source: [UInt8], sparing others: [[UInt8]] = []
  ) throws(PlayedMedia.Failure) {
    self.path = path
    do throws(MediaError) {
      file = try PendingFile(
        at: path, replacing: replaces,
        sparing: ([source] + others).compactMap { FileIdentity(path: $0) })
    } catch {
      throw PlayedMedia.Failure(error, output: path)
    }
  }

  /// The location given by a command's option.
  init<Format>(
    _ name: OutputName<Format>, madeFrom source: [UInt8]
  ) throws(PlayedMedia.Failure) {
    guard name.isStandardStream else {
      try self.init(name.path, replaces: name.replaces, madeFrom: source)
      return
    }
    self.init(standardOutput: name.path)
  }

  private init(standardOutput path: [UInt8]) {
    file = nil
    self.path = path
  }

  /// - Parameter stream: the destination of bytes for standard output.
  func publish(_ bytes: [UInt8], to stream: OutputStream? = nil) throws(PlayedMedia.Failure) {
    guard let file else {
      stream?.write(bytes)
      return
    }
    do throws(MediaError) {
      try file.publish(bytes)
    } catch {
      throw PlayedMedia.Failure(error, output: path)
    }
  }
}

extension PlayedMedia.Failure {
  init(_ error: MediaError, output: [UInt8]) {
    self.init(
      message: "\(error.message): \(String(decoding: output, as: UTF8.self))",
      hint: error.adviceOfOutput, status: error.code.exitStatus, code: error.code.rawValue)
  }
}
