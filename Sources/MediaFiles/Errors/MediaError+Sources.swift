package import ISOMedia
package import Libav

/// Errors of the layers below, where a file is read.
extension MediaError {
  package init(_ fault: InputFault) {
    switch fault.kind {
    case .failed(let code):
      self.init(.readFailed, "reading failed at byte \(fault.position) (errno \(code))")
    case .stalled: self.init(.stalled, "no more data arrived after byte \(fault.position)")
    case .timedOut:
      self.init(
        .timedOut, "it took longer than the limit allows, at byte \(fault.position)")
    case .cancelled: self = .cancelled
    case .tooLarge: self.init(.limitExceeded, "more data arrived than the limits allow")
    case .computing(let time): self = .computesTooLong(time)
    case .entries(let most): self.init(.limitExceeded, Self.tooManyEntries(most))
    }
  }

  /// An error from code that reads, whichever layer it comes from.
  package init(any error: any Error) {
    switch error {
    case let error as MediaError: self = error
    case let error as LibavError: self.init(error)
    case let error as ISOError: self.init(error)
    case let error as InputFault: self.init(error)
    default: self.init(.internalError, "\(error)")
    }
  }

  package static let cancelled = MediaError(.cancelled, "it was canceled")

  package static func tooManyEntries(_ most: Int) -> String {
    "it has more than \(most) metadata entries"
  }

  package init(_ error: ISOError) {
    switch error.code {
    case .notISO: self.init(.notMedia, "the content is not recognized as media")
    case .stillPictures: self.init(.notMedia, error.description)
    case .missingInitialization:
      self.init(
        .damaged, error.description,
        hint:
          "Put its initialization segment before it, and the other segments in order after that: "
          + "cat INIT SEGMENT… > WHOLE.mp4")
    case .missingMovie, .sampleTableImpossible: self.init(.damaged, error.description)
    case .limitExceeded: self.init(.limitExceeded, error.description)
    case .readFailed:
      if let fault = error.cause as? InputFault {
        self.init(fault)
      } else {
        self.init(.readFailed, error.description)
      }
    }
  }

  package init(_ error: LibavError) {
    switch error.kind {
    case .unavailable:
      self.init(
        .engineMissing, error.message,
        hint: LibavLibrary.advice)
    case .noResources:
      self.init(
        .outOfMemory, error.message,
        hint: SystemShortage(endOf: error.message)?.hint
          ?? "Close other programs, or allow this one more threads, open files or memory (ulimit -a), "
          + "then try again.")
    case .notRecognised: self.init(.notMedia, "the content is not recognized as media")
    case .formatNotAllowed(let name):
      self.init(.notMedia, "its format is not supported: \(name)")
    case .formatNeedsSeal(let name, let seal): self = .needsSeal(name, seal)
    case .tooManyPixels, .tooMuch: self.init(.limitExceeded, error.message)
    case .invalidData: self.init(.damaged, error.message)
    case .outOfMemory:
      self.init(
        .limitExceeded, "it needs more memory than the limits allow (\(error.message))")
    case .input(let fault): self.init(fault)
    case .notAllowed, .output, .muxing, .soundChanges, .other:
      self.init(.damaged, error.message)
    }
  }

  private static func needsSeal(_ format: String, _ seal: AllowList.Seal) -> MediaError {
    let (missing, hint) =
      switch seal {
      case .lacking(let layers):
        (
          "here it lacks \(layers.joined(separator: ", "))",
          "A Linux kernel from 5.13 on that permits Landlock and seccomp has the layers."
        )
      case .none, .complete:
        ("this process has none", "Leave the isolation on.")
      }
    return MediaError(
      .notMedia,
      "its format (\(format)) is opened only when the sandbox is complete, and \(missing)",
      hint: hint)
  }
}
