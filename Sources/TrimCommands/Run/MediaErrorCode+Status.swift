import CommandLineKit
import Fetching
import MediaEngine

extension MediaErrorCode {
  /// The exit status that a single failed file gives the process.
  var exitStatus: ExitStatus {
    switch self {
    case .notMedia, .damaged, .limitExceeded, .encrypted, .needsSeeking, .noPicture, .noSound,
      .decoderCrashed,
      .codecDoesNotFit, .notCuttable, .planDiffers:
      .badData
    case .emptyRange, .unknownContainer: .usage
    case .tooLong, .tooLarge: .negative
    case .inputMissing, .notRegularFile, .onlyLocalPaths: .noInput
    case .permissionDenied: .noPermission
    case .readFailed, .writeFailed: .ioError
    case .stalled, .timedOut, .outOfMemory, .inputChanged, .storeFailed: .temporaryFailure
    case .cancelled: .interrupted
    case .engineMissing, .notDecoded, .codecMissing, .notIsolated: .unavailable
    case .outputExists, .sameFile, .cannotCreate: .cannotCreate
    default: fetchStatus ?? .software
    }
  }

  /// That of a failure to fetch; `nil` for all others.
  private var fetchStatus: ExitStatus? {
    switch FetchFault.Code(rawValue: rawValue) {
    case .addressInvalid: .noInput
    case .addressRefused: .noPermission
    case .rangesMissing, .answerInvalid: .badData
    case .tlsFailed, .fetcherMissing: .unavailable
    case .serverUnreachable, .serverBusy: .temporaryFailure
    default: nil
    }
  }
}

extension MediaError {
  var exitStatus: ExitStatus { code.exitStatus }

  /// True where the same call may succeed later.
  var isRetryable: Bool { exitStatus == .temporaryFailure }
}
