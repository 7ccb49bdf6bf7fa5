import MediaFacts

/// What the bytes of one sample say of the picture in it, whatever the container's key flag.
struct CodedPicture: Hashable, Sendable {
  /// How its blocks may be predicted: the least restricted of its slices.
  enum Prediction: Hashable, Sendable, Comparable { case intra, forward, bidirectional }

  /// How its lines are coded (ITU-T H.264, 7.4.3: field_pic_flag, mb_adaptive_frame_field_flag).
  enum Structure: Hashable, Sendable {
    case frame
    /// A frame whose macroblock pairs choose between frame and field.
    case adaptiveFrame
    case topField
    case bottomField
  }

  /// A picture that follows a point of entry in the file and is shown before it.
  enum Leading: Hashable, Sendable {
    /// HEVC RADL: decodable from the point of entry on.
    case decodable
    /// HEVC RASL: needs the GOP before.
    case skipped
  }

  /// `nil` where the bytes do not tell.
  var prediction: Prediction?
  /// The point of entry that the bitstream itself declares here; `nil` where it declares none.
  var entry: RandomAccessKind?
  /// `nil` for a picture that is none, and in codecs that only tell by the order of times.
  var leading: Leading?
  var structure: Structure?
  /// The fields in order of time, `tt` or `bb`, or `progressive`; `nil` when not told.
  var fieldOrder: String?
  /// After how many frames the pictures are right, where a recovery point SEI says it.
  var recoveryFrames: Int?
  /// MPEG-2 and MPEG-4 part 2: whether the GOP's first B pictures do without the GOP before.
  var isClosedGOP: Bool?
  /// MPEG-2 and MPEG-4 part 2: the GOP before was cut away, the first B pictures are garbage.
  var isBrokenLink = false
  /// False for a picture that is only referred to.
  var isShown = true
  /// True where an I picture that the container calls key can be entered without a declaration.
  var isFlagTrusted = true

  /// The kind of a sample, given the container's key flag; `nil` for one that is no keyframe.
  ///
  /// An H.264, MPEG-2 or MPEG-4 picture of I slices that the container calls key and the
  /// bitstream does not declare is the I picture of an open GOP: encoders that write no recovery
  /// point SEI leave the declaration to the container. HEVC and AV1 always declare.
  func access(isFlagged: Bool) -> RandomAccessKind? {
    if let entry { return entry }
    guard isFlagged else { return nil }
    guard let prediction else { return .unknown }
    return prediction == .intra && isFlagTrusted ? .recoveryPoint : .flaggedOnly
  }
}
