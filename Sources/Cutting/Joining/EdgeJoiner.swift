import MediaFiles

/// Adapts re-encoded and copied pictures to each other, so that they form one stream.
protocol EdgeJoiner {
  /// A re-encoded picture, as the container requires it.
  ///
  /// - Parameter configuration: the encoder's.
  mutating func encoded(
    _ bytes: [UInt8], configuration: [UInt8], as role: PictureRole
  ) throws(MediaError) -> [UInt8]

  /// A copied picture if it must change; `nil` if it stays as it is.
  mutating func copied(
    _ bytes: () throws(MediaError) -> [UInt8], as role: CopiedRole
  ) throws(MediaError) -> [UInt8]?

  /// The codec configuration for the whole track, if it differs from the source's.
  var configuration: [UInt8]? { get }

  /// Whether the copied run continues a sequence that encoded pictures began: players cannot
  /// start at its first picture.
  var continuesSequence: Bool { get }

  /// Whether encoded pictures use the encoder's own sets, which do not crop the input.
  var takesShownPictures: Bool { get }
}

extension EdgeJoiner {
  var continuesSequence: Bool { false }
  var takesShownPictures: Bool { false }
}

/// The position of a re-encoded picture.
enum PictureRole: Hashable {
  /// The first of a run: decoding can start here.
  case first
  case following
  /// Replaces a leading picture of the source.
  case replacing(place: Int)

  var isReplacing: Bool {
    if case .replacing = self { return true }
    return false
  }
}

/// The position of a copied picture.
enum CopiedRole: Hashable {
  /// The first of its run.
  case entry
  /// Where readers may start, according to the container.
  case keyframe
  case following
}

/// For codecs whose keyframes are all self-contained.
struct PlainJoiner: EdgeJoiner {
  var configuration: [UInt8]? { nil }

  func encoded(
    _ bytes: [UInt8], configuration: [UInt8], as role: PictureRole
  ) throws(MediaError) -> [UInt8] { bytes }

  func copied(
    _ bytes: () throws(MediaError) -> [UInt8], as role: CopiedRole
  ) throws(MediaError) -> [UInt8]? { nil }
}
