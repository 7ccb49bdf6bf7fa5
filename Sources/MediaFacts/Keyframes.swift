public import ExactTime

/// A frame from which decoding can start.
public struct KeyframeFacts: Hashable, Sendable, Codable {
  /// Its index among the presented frames, from 0; negative or `nil` when it is not presented.
  public var frame: Int?
  /// When it is shown, on the file's timeline.
  public var time: MediaTime
  /// The kind of random access point, read from the bitstream where requested.
  public var access: RandomAccessKind
  /// How many frames follow it in decoding order but are shown before it; they may need the
  /// previous GOP.
  public var leadingFrames: Int
  /// Byte offset of its packet; `nil` when the container does not give it.
  public var byteOffset: Int64?

  /// Creates the facts of one keyframe; `time` in seconds on the file's timeline.
  public init(
    frame: Int?, time: MediaTime, access: RandomAccessKind, leadingFrames: Int = 0,
    byteOffset: Int64? = nil
  ) {
    self.frame = frame
    self.time = time
    self.access = access
    self.leadingFrames = leadingFrames
    self.byteOffset = byteOffset
  }

  /// True when everything from here on decodes without earlier data.
  public var isClean: Bool { leadingFrames == 0 && access.isRandomAccess }
}

/// The kind of keyframe according to the bitstream; the container's sync flag does not show it.
public enum RandomAccessKind: String, Hashable, Sendable, Codable, CaseIterable {
  /// H.264 IDR (nal_unit_type 5), HEVC IDR_N_LP or IDR_W_RADL: the decoder restarts.
  case idr
  /// HEVC clean random access (nal_unit_type 21): leading pictures may refer to the previous GOP.
  case cra
  /// HEVC broken link access (nal_unit_type 16–18).
  case bla
  /// H.264 recovery point SEI, or an I picture of an open GOP in H.264 or MPEG-2.
  case recoveryPoint = "recovery_point"
  /// Every frame is coded independently (ProRes, MJPEG), or a VP8/VP9/AV1 keyframe.
  case intra
  /// Flagged as a sync sample by the container, but the bitstream has no random access
  /// point here.
  case flaggedOnly = "flagged_only"
  /// The bitstream was not read: only the container's flag is known.
  case unknown

  /// True when decoding can start here.
  public var isRandomAccess: Bool { self != .flaggedOnly }
}

/// Statistics of the groups of pictures (GOPs) of one video track.
public struct GOPFacts: Hashable, Sendable, Codable {
  /// How many GOPs the track has, each from one keyframe up to the next in decoding order.
  public var count: Int
  /// GOPs that need nothing from the previous one.
  public var closedCount: Int
  /// GOPs whose keyframe has leading pictures.
  public var openCount: Int
  /// Coded frames in the shortest GOP.
  public var shortestFrames: Int
  /// Coded frames in the longest GOP.
  public var longestFrames: Int
  /// The longest time from one keyframe to the next, or to the end; `nil` outside 64 bits.
  public var longestLength: MediaDuration?

  /// Creates statistics; `closedCount` and `openCount` add up to `count`.
  public init(
    count: Int, closedCount: Int, openCount: Int, shortestFrames: Int, longestFrames: Int,
    longestLength: MediaDuration?
  ) {
    self.count = count
    self.closedCount = closedCount
    self.openCount = openCount
    self.shortestFrames = shortestFrames
    self.longestFrames = longestFrames
    self.longestLength = longestLength
  }
}
