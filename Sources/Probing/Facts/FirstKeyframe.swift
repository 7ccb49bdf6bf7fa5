package import MediaFacts

/// Where a decoder starts to show pictures.
package enum FirstKeyframe {
  /// Codecs whose frame header states reliably whether a frame is a keyframe: the container's flag
  /// is ignored for these.
  package static let exactCodecs: Set<Codec> = [.vp8, .vp9]

  /// - Parameters:
  ///   - access: the frame's random access kind, from the bitstream.
  ///   - isFlagged: whether the container marks it as a keyframe.
  package static func canStart(_ access: RandomAccessKind, isFlagged: Bool, codec: Codec) -> Bool {
    switch access {
    case .idr, .cra, .bla, .recoveryPoint, .intra: true
    // Gradual decoder refresh in H.264 or HEVC is not a clean random access point, but decoders
    // start there if the container marks it as one.
    case .flaggedOnly: isFlagged && !exactCodecs.contains(codec)
    case .unknown: true
    }
  }

  /// - Parameters:
  ///   - count: frames that precede it.
  ///   - total: all frames.
  package static func note(count: Int, of total: Int, track: Int) -> Note {
    let text =
      count < total
      ? (count == 1
        ? "The first of \(total) frames comes" : "The first \(count) of \(total) frames come")
        + " before the first keyframe and cannot be shown."
      : "None of its \(total) frames is a keyframe: none of the track can be shown."
    return Note(.beforeKeyframe, track: track, text)
  }
}
