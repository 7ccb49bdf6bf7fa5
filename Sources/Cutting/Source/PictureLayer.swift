#if FFmpeg
  import MediaFacts

  /// What is coded of a picture: colours, and beside those of VP8 and VP9 perhaps the alpha channel, as the luma of
  /// another picture.
  enum PictureLayer {
    case colours
    case alpha

    /// - Parameter tags: FFmpeg's, of a track.
    static func isAlphaAnnounced(_ codec: String, _ tags: [(key: String, value: String)]) -> Bool {
      ["vp8", "vp9"].contains(codec)
        && tags.contains { $0.key.lowercased() == "alpha_mode" && $0.value == "1" }
    }
  }

  extension SourceTrack {
    /// Whether it announces that an alpha channel stands beside its pictures (AlphaMode; RFC 9559, 5.1.4.1.28.4),
    /// which may still be beside none, or some.
    var hasAlpha: Bool {
      PictureLayer.isAlphaAnnounced(facts.codec, facts.tags.map { ($0.key, $0.value) })
    }
  }

  extension CutSource {
    /// What is coded of a packet's picture; `nil` where it has no such layer.
    func bytes(
      ofTrack track: Int, _ place: Int, _ layer: PictureLayer
    ) throws(CutError) -> [UInt8]? {
      switch layer {
      case .colours: try bytes(ofTrack: track, place)
      case .alpha: try alpha(ofTrack: track, place)
      }
    }
  }
#endif
