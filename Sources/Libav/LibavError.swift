import CFFmpeg

/// An error from one of FFmpeg's functions, with its last log line.
package struct LibavError: Error, Sendable {
  package enum Kind: Sendable, Hashable {
    /// The libraries cannot be loaded.
    case unavailable
    /// No demuxer recognizes the content.
    case notRecognised
    /// The content is of a format that is not on the list; FFmpeg's long name of it.
    case formatNotAllowed(String)
    /// The content is of a format that is read only under the complete sandbox; FFmpeg's long name
    /// of it, and how far this process is sandboxed.
    case formatNeedsSeal(String, AllowList.Seal)
    /// The bytes do not conform to their format.
    case invalidData
    case outOfMemory
    /// The system has no thread, descriptor or address space left for this process.
    case noResources
    /// A picture larger than the limits allow.
    case tooManyPixels
    /// Something else exceeds the limits.
    case tooMuch
    /// Reading the input failed.
    case input(InputFault)
    /// Writing the output failed.
    case output(OutputFault)
    /// A muxer rejected what it was given.
    case muxing
    /// A decoder or an encoder that is not on the list or not in this build, or that does not
    /// accept what it is given.
    case notAllowed
    /// The channel count or sample rate is not what the encoder was opened for.
    case soundChanges
    case other(Int32)
  }

  package var kind: Kind
  /// One sentence without the file's name.
  package var message: String
  /// The last line that FFmpeg logged about it; untrusted text.
  package var lastLogLine: String?

  package init(_ kind: Kind, _ message: String, lastLogLine: String? = nil) {
    self.kind = kind
    self.message = message
    self.lastLogLine = lastLogLine
  }

  init(code: Int32, doing what: String, fault: InputFault? = nil, log: LibavLog) {
    if let fault {
      self.init(.input(fault), what + ": reading failed")
      return
    }
    // A failure of the device is a fault of the input: what is left is a demuxer that expected more.
    guard code != trim_ERROR_IO else {
      self.init(.invalidData, what + ": the data ends too early", lastLogLine: log.lastLine)
      return
    }
    let kind: Kind =
      switch code {
      // The best match is a format that is not on the list: EINVAL.
      case trim_ERROR_NO_DEMUXER, trim_ERROR_NOT_LISTED: .notRecognised
      case trim_ERROR_INVALID: .invalidData
      case trim_ERROR_MEMORY: .outOfMemory
      default: .other(code)
      }
    self.init(kind, what + ": " + Self.text(of: code), lastLogLine: log.lastLine)
  }

  /// An error of opening a decoder or an encoder, whose threads start then.
  ///
  /// Elsewhere in FFmpeg, EAGAIN only means "not yet".
  init(opening code: Int32, doing what: String, log: LibavLog) {
    if code == trim_ERROR_AGAIN {
      self.init(.noResources, "the system cannot start a thread", lastLogLine: log.lastLine)
    } else if [trim_ERROR_PATCHWELCOME, trim_ERROR_NOT_IMPLEMENTED].contains(code) {
      self.init(
        .notAllowed, what + ": this FFmpeg does not support this kind of it",
        lastLogLine: log.lastLine)
    } else {
      self.init(code: code, doing: what, log: log)
    }
  }

  /// FFmpeg's error message (`av_strerror`).
  static func text(of code: Int32) -> String {
    unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { buffer in
      guard let base = buffer.baseAddress else { return "error \(code)" }
      unsafe base.initialize(repeating: 0, count: 128)
      _ = unsafe av_strerror(code, base, 127)
      return unsafe String(cString: base)
    }
  }
}
