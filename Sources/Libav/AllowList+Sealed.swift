import Synchronization

extension AllowList {
  /// The formats that are read only under the complete sandbox, by FFmpeg's demuxer names.
  ///
  /// Each was reviewed for reading its own bytes only; Documentation/Safety.md has the findings.
  package static let sealedFormats = [
    "ape", "apng", "ast", "dsf", "iff", "ircam", "mpc", "mpc8", "nistsphere", "nut", "rm", "sox",
    "voc", "yuv4mpegpipe",
  ]

  /// The decoders of what these formats contain, by FFmpeg's names.
  package static let sealedDecoders = [
    "ape", "apng", "cook", "dsd_lsbf", "dsd_lsbf_planar", "dsd_msbf", "dsd_msbf_planar", "mpc7",
    "mpc8", "pcm_s16be_planar", "pcm_s8_planar", "rv10", "rv20", "rv30", "rv40",
  ]

  /// How far this process is sandboxed.
  package enum Seal: Sendable, Hashable {
    /// Not at all.
    case none
    /// Without these layers, by their names.
    case lacking([String])
    case complete
  }

  private static let state = Mutex(Seal.none)

  /// How far this process is sandboxed; it is stated once, after entering the sandbox.
  package static var seal: Seal {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }

  /// The formats that this process reads.
  static var readFormats: [String] { seal == .complete ? formats + sealedFormats : formats }

  /// The decoders that this process uses.
  static var usedDecoders: [String] { seal == .complete ? decoders + sealedDecoders : decoders }
}
