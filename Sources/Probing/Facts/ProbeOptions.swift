/// What to find out about a file, and at which price.
public struct ProbeOptions: Sendable, Hashable {
  public var depth: RequestedDepth
  /// Lists every keyframe with its exact time and class; the GOP statistics come either way where
  /// they cost nothing more.
  public var wantsKeyframes: Bool
  /// Lists every frame that is shown, with its exact time and duration.
  public var wantsFrames: Bool
  /// A longer or shorter bound on the whole probe, in seconds; `nil` for the limits' own.
  public var timeout: Duration?

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

/// The depth a caller asks for.
public enum RequestedDepth: String, Sendable, Hashable, CaseIterable {
  /// The cheapest way that is sound: a complete sample table, else a scan of all packets.
  case auto
  /// Headers and sample tables only; what they do not tell stays unknown.
  case header
  /// A scan of all packets.
  case packets
  /// A full decode.
  case frames
}

/// What is probed; paths are bytes, as the system hands them over.
public enum MediaInput: Sendable, Hashable {
  case file(path: [UInt8])
  case standardInput
}

/// How far a scan has come; told to whoever draws a bar.
public struct ProbeProgress: Sendable, Hashable {
  public var bytesDone: Int64
  /// `nil` for a pipe.
  public var bytesTotal: Int64?

  public init(bytesDone: Int64, bytesTotal: Int64?) {
    self.bytesDone = bytesDone
    self.bytesTotal = bytesTotal
  }
}
