#if FFmpeg
  /// Makes pictures re-encoded and copied ones follow each other in one stream.
  protocol EdgeJoiner {
    /// A picture re-encoded, as the container wants it.
    ///
    /// - Parameter configuration: the encoder's own.
    mutating func encoded(
      _ bytes: [UInt8], configuration: [UInt8], as role: PictureRole
    ) throws(CutError) -> [UInt8]

    /// A copied picture where it must change; `nil` where it stays as it is.
    mutating func copied(
      _ bytes: () throws(CutError) -> [UInt8], as role: CopiedRole
    ) throws(CutError) -> [UInt8]?

    /// The codec configuration for the whole track, where it is not the source's.
    var configuration: [UInt8]? { get }

    /// Whether the copied run goes on inside a sequence that encoded pictures began: players cannot
    /// enter at its first picture.
    var continuesSequence: Bool { get }

    /// Whether encoded pictures stand under the encoder's own sets, which cut off nothing of what they are
    /// given.
    var takesShownPictures: Bool { get }
  }

  extension EdgeJoiner {
    var continuesSequence: Bool { false }
    var takesShownPictures: Bool { false }
  }

  /// Where a picture that is re-encoded stands.
  enum PictureRole: Hashable {
    /// The first of a run: a decoder enters here.
    case first
    case following
    /// In place of a leading picture of the source.
    case replacing(place: Int)

    var isReplacing: Bool {
      if case .replacing = self { return true }
      return false
    }
  }

  /// Where a copied picture stands.
  enum CopiedRole: Hashable {
    /// The first of its run.
    case entry
    /// Where readers may enter, by the container's word.
    case keyframe
    case following
  }

  /// For codecs whose every keyframe brings all a decoder needs.
  struct PlainJoiner: EdgeJoiner {
    var configuration: [UInt8]? { nil }

    func encoded(
      _ bytes: [UInt8], configuration: [UInt8], as role: PictureRole
    ) throws(CutError) -> [UInt8] { bytes }

    func copied(
      _ bytes: () throws(CutError) -> [UInt8], as role: CopiedRole
    ) throws(CutError) -> [UInt8]? { nil }
  }
#endif
