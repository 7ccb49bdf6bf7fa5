import CSystem
import CommandLineKit
import Glibc

/// Why no file can be made in a folder.
struct FolderRefusal {
  private let folder: [UInt8]
  private let code: Int32

  /// `nil` if one can, as far as that can be known without trying.
  init?(_ folder: [UInt8]) {
    let name = folder.map { CChar(bitPattern: $0) } + [0]
    var status = stat()
    self.folder = folder
    if stat(name, &status) != 0 {
      code = errno
    } else if status.st_mode & S_IFMT != S_IFDIR {
      code = ENOTDIR
    } else if access(name, W_OK | X_OK) != 0 {
      code = errno
    } else {
      return nil
    }
  }

  /// A sentence that names the folder and the reason.
  var sentence: String {
    let reason =
      switch code {
      case ENOENT: "it does not exist"
      case ENOTDIR: "it is not a folder"
      case EACCES, EPERM: "you are not allowed to"
      case EROFS: "its file system is read-only"
      default: SystemError.text(code)
      }
    return "The folder \(ForeignText.shown(folder)) cannot be written to: \(reason)."
  }
}
