import CommandLineKit
import MediaEngine

/// A small file that appears whole or not at all, and is never the film itself.
struct ResultFile {
  private let file: PendingFile
  private let path: [UInt8]

  /// - Parameter source: the film it is made from.
  /// - Throws: ``PlayFilm/Failure``, before any work is done in vain.
  init(
    _ path: [UInt8], replaces: Bool, madeFrom source: [UInt8]
  ) throws(PlayFilm.Failure) {
    self.path = path
    do throws(PublishingError) {
      file = try PendingFile(
        at: path, replacing: replaces, sparing: FileIdentity(path: source).map { [$0] } ?? [])
    } catch {
      throw PlayFilm.Failure(error, output: path)
    }
  }

  func publish(_ bytes: [UInt8]) throws(PlayFilm.Failure) {
    do throws(PublishingError) {
      try file.publish(bytes)
    } catch {
      throw PlayFilm.Failure(error, output: path)
    }
  }
}

extension PlayFilm.Failure {
  init(_ error: PublishingError, output: [UInt8]) {
    let status: ExitStatus =
      switch error.code {
      case .outputExists, .sameFile, .cannotCreate: .cannotCreate
      case .permissionDenied: .noPermission
      case .writeFailed: .ioError
      }
    self.init(
      message: "\(error.message): \(String(decoding: output, as: UTF8.self))", hint: error.hint,
      status: status)
  }
}
