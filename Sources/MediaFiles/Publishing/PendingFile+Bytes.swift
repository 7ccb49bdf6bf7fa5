import CSystem
import Glibc
import Libav

extension PendingFile {
  /// Writes a small file completely, and publishes it.
  ///
  /// - Throws: ``MediaError``; the destination is then unchanged.
  package func publish(_ bytes: [UInt8]) throws(MediaError) {
    let fault = bytes.withUnsafeBytes { buffer -> Int32? in
      do throws(OutputFault) {
        try write(buffer, at: 0)
        return nil
      } catch {
        return error.code
      }
    }
    if let fault { throw MediaError(writing: fault) }
    try publish()
  }
}

extension FileIdentity {
  /// The file with a name; `nil` when there is none.
  package init?(path: [UInt8]) {
    var status = stat()
    guard stat(HiddenFiles.terminated(path), &status) == 0 else { return nil }
    self.init(status)
  }

  /// The regular file that a descriptor is open for; `nil` for anything else, such as a pipe.
  package init?(regularFile descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    self.init(status)
  }
}
