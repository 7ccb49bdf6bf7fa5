#if FFmpeg
  import Trimming

  /// How large re-encoded pictures may be relative to those they replace.
  ///
  /// For a low-bitrate source, visually lossless pictures are several times as large, and keep the
  /// source's own artifacts: a cut would be larger than its source.
  struct EdgeQuality {
    /// Maximum size relative to the source: a fast encoder without reordering needs more bits than
    /// the source's encoder did.
    private static let factor = 2
    /// Bytes that no one misses: an edge of so few is not encoded again to become smaller.
    static let negligible = 1 << 16

    let packets: ContiguousArray<CodedPacket>

    /// Maximum bytes for a run of pictures, some of which are intra; at least ``negligible``.
    func limit(_ run: EdgeEncoder.Run) -> Int {
      var bytes = run.places.reduce(0) { $0 + packets[$1].byteCount }
      let alone = run.intra.union(run.places.prefix(1)).filter { !packets[$0].isKey }
      for place in alone {
        bytes += packets[...place].last(where: \.isKey)?.byteCount ?? 0
      }
      return max(bytes * Self.factor, Self.negligible)
    }
  }

  extension EdgeEncoder.Run {
    /// The first pictures of the run, which predict the size of the others.
    func trial(_ count: Int) -> EdgeEncoder.Run {
      let places = Array(places.prefix(count))
      return EdgeEncoder.Run(
        places: places, intra: intra.intersection(places), source: source)
    }
  }

  extension EncoderChoice {
    /// How the quality of an encoder may be lowered for sources of low bitrate.
    struct Adaptation {
      /// The number of pictures from which the size of the others is estimated.
      var trial: Int
      /// By how much to raise the rate factor for a fifth fewer bytes.
      var step: Int
      /// The rate factor of good files made with this encoder.
      var coarsest: Int
    }

    /// `nil` where the quality is the same for all sources.
    var adaptation: Adaptation? {
      guard quality != nil else { return nil }
      return switch name {
      case "libx264": Adaptation(trial: 12, step: 2, coarsest: 22)
      case "libx265": Adaptation(trial: 48, step: 2, coarsest: 22)
      case "libvpx": Adaptation(trial: 16, step: 2, coarsest: 12)
      case "libvpx-vp9", "libaom-av1": Adaptation(trial: 16, step: 4, coarsest: 26)
      case "libsvtav1": Adaptation(trial: 16, step: 4, coarsest: 30)
      default: nil
      }
    }

    /// The index of the rate factor among the options.
    private var quality: Int? { options.firstIndex { $0.key == "crf" } }

    /// Lowers the quality by as much as reduces so many bytes to the limit.
    func coarser(_ bytes: Int, than limit: Int) -> EncoderChoice {
      guard let adaptation, let place = quality, let finest = Int(options[place].value) else {
        return self
      }
      var left = bytes
      var value = finest
      while left > limit, value < adaptation.coarsest {
        value += adaptation.step
        left = left * 4 / 5
      }
      var choice = self
      choice.options[place].value = "\(value)"
      // Where it is limited, the coarsest quantizer follows.
      if let most = options.firstIndex(where: { $0.key == "qmax" }),
        let quantizer = Int(options[most].value)
      {
        choice.options[most].value = "\(quantizer + value - finest)"
      }
      return choice
    }
  }
#endif
