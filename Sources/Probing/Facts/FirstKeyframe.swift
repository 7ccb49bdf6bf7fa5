package import MediaFacts

/// Where a decoder begins to show pictures.
package enum FirstKeyframe {
  /// Codecs whose frame header says for sure whether a frame stands alone: there the container's
  /// flag counts for nothing.
  package static let exactCodecs: Set<String> = ["vp8", "vp9"]

  /// - Parameters:
  ///   - access: what the bitstream says of the frame.
  ///   - isFlagged: whether the container calls it a keyframe.
  package static func canStart(_ access: RandomAccessKind, isFlagged: Bool, codec: String) -> Bool {
    switch access {
    case .idr, .cra, .bla, .recoveryPoint, .intra: true
    // A gradual refresh of H.264 or HEVC is not a clean point of entry, but one that decoders take
    // where the container says so.
    case .flaggedOnly: isFlagged && !exactCodecs.contains(codec)
    case .unknown: true
    }
  }

  /// - Parameters:
  ///   - count: frames that stand before it.
  ///   - total: all frames.
  package static func note(count: Int, of total: Int, track: Int) -> Note {
    let text =
      count < total
      ? "The first \(count) of \(total) frames stand before the first keyframe; nothing can be "
        + "shown of them."
      : "None of its \(total) frames is a keyframe: nothing of the track can be shown."
    return Note("before-keyframe", track: track, text)
  }
}
