import ExactTime
import Libav
import MediaFiles
import Trimming

/// Errors of the planner and of FFmpeg's encoders and muxers, as a cut reports them.
extension MediaError {
  init(_ refusal: PlanRefusal) {
    self.init(Code(refusal.code), refusal.message, hint: refusal.hint)
    source = refusal.source
  }

  init(cutting error: LibavError) {
    switch error.kind {
    case .output(let fault): self.init(writing: fault.code)
    // Disk failures are `output`: here the container does not accept the data.
    case .muxing: self.init(.codecDoesNotFit, error.message)
    case .soundChanges:
      self.init(
        .notCuttable, error.message,
        hint: "Choose a range without the change, or copy the audio (audio: copy).")
    case .notAllowed: self.init(.codecMissing, error.message)
    default: self.init(error)
    }
  }

  /// More bytes than a request allows.
  static func tooLarge(_ most: Int64) -> MediaError {
    MediaError(
      .tooLarge, "the file would be larger than \(most) bytes, which is not allowed",
      hint: "Request a shorter part, or allow more bytes.")
  }

  /// Arithmetic that overflows 64 bits.
  static let beyondNumbers = MediaError(
    .damaged, "its timestamps overflow 64-bit arithmetic")
}

extension MediaErrorCode {
  init(_ code: PlanRefusal.Code) {
    switch code {
    case .emptyRange: self = .emptyRange
    case .codecDoesNotFit: self = .codecDoesNotFit
    case .codecMissing: self = .codecMissing
    case .notCuttable: self = .notCuttable
    case .damaged: self = .damaged
    }
  }
}
