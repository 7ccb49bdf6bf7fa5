import CommandLineKit
import MediaEngine

extension ProbeError {
  /// The exit status that a single failed file gives the process.
  var exitStatus: ExitStatus {
    switch code {
    case .notMedia, .damaged, .limitExceeded, .encrypted, .needsSeeking, .noPicture, .noSound:
      .badData
    case .inputMissing, .notRegularFile, .onlyLocalPaths: .noInput
    case .permissionDenied: .noPermission
    case .readFailed: .ioError
    case .stalled, .timedOut, .outOfMemory: .temporaryFailure
    case .cancelled: .interrupted
    case .engineMissing, .notDecoded: .unavailable
    default: .software
    }
  }

  /// True where the same call may succeed later.
  var isRetryable: Bool { exitStatus == .temporaryFailure }
}
