/// What to find out about a file, and at what cost.
public struct ProbeOptions: Sendable, Hashable {
  /// How deeply to examine the file; ``RequestedDepth/auto`` by default.
  public var depth: RequestedDepth
  /// Whether to list every keyframe with its exact time and class; GOP statistics are
  /// included anyway where they cost nothing more.
  public var wantsKeyframes: Bool
  /// Whether to list every frame that is shown, with its exact time and duration.
  public var wantsFrames: Bool
  /// Whether all of a large file at an address is read where its length is not known otherwise.
  package var needsLength = false
  /// Whether keyframes are named by their number, for which an index that may lack some is not enough.
  package var numbersKeyframes = false
  /// How long the whole probe may take; `nil` for what ``Limits`` allow.
  public var timeout: Duration?

  /// Creates options; without arguments they are those of `trim probe FILE`.
  public init(
    depth: RequestedDepth = .auto, wantsKeyframes: Bool = false, wantsFrames: Bool = false,
    timeout: Duration? = nil
  ) {
    self.depth = depth
    self.wantsFrames = wantsFrames
    self.wantsKeyframes = wantsKeyframes
    self.timeout = timeout
  }
}

extension ProbeOptions {
  /// For the ends of parts, which may be named by keyframes.
  package static func ofParts(namingKeyframes names: Bool) -> ProbeOptions {
    var options = ProbeOptions(wantsKeyframes: names)
    (options.numbersKeyframes, options.needsLength) = (names, true)
    return options
  }

  /// Whether an index may stand for media that is not read.
  var allowsIndex: Bool { !wantsFrames && !numbersKeyframes }
}

/// The depth that a caller requests.
public enum RequestedDepth: String, Sendable, Hashable, Codable, CaseIterable {
  /// The cheapest reliable way: a complete sample table, else a scan of all packets.
  case auto
  /// Headers and sample tables only; what they do not state stays unknown.
  case header
  /// A scan of all packets.
  case packets
  /// A full decode.
  case frames
}

/// The input to probe; paths are bytes, as the system provides them.
public enum MediaInput: Sendable, Hashable {
  /// A regular file at a path, relative to the working directory or absolute.
  case file(path: [UInt8])
  /// Standard input; data from a pipe is stored in an unnamed temporary file.
  case standardInput
}

/// How far a scan has come, for a progress bar.
public struct ProbeProgress: Sendable, Hashable {
  /// How many bytes of the input have been read.
  public var bytesDone: Int64
  /// The size of the input in bytes; `nil` for a pipe.
  public var bytesTotal: Int64?

  /// Creates a state of progress.
  public init(bytesDone: Int64, bytesTotal: Int64?) {
    self.bytesDone = bytesDone
    self.bytesTotal = bytesTotal
  }
}

extension MediaInput {
  /// The name as the user gave it: `-` for standard input.
  package var nameBytes: [UInt8] {
    switch self {
    case .file(let path): path
    case .standardInput: [UInt8(ascii: "-")]
    }
  }
}
