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
    /// The number of pictures from which the size of the others is estimated.
    static let trial = 48

    let packets: ContiguousArray<CodedPacket>

    /// Maximum bytes for a run of pictures, some of which are intra.
    func limit(_ run: EdgeEncoder.Run) -> Int {
      var bytes = run.places.reduce(0) { $0 + packets[$1].byteCount }
      let alone = run.intra.union(run.places.prefix(1)).filter { !packets[$0].isKey }
      for place in alone {
        bytes += packets[...place].last(where: \.isKey)?.byteCount ?? 0
      }
      return bytes * Self.factor
    }
  }

  extension EdgeEncoder.Run {
    /// The first pictures of the run, which predict the size of the others.
    var trial: EdgeEncoder.Run {
      let places = Array(places.prefix(EdgeQuality.trial))
      return EdgeEncoder.Run(
        places: places, intra: intra.intersection(places), source: source)
    }
  }

  extension EncoderChoice {
    /// Whether quality is a fixed number, which is lowered for sources of low bitrate.
    var isAdaptive: Bool { ["libx264", "libx265"].contains(name) && quality != nil }

    /// The index of the quality among the options.
    private var quality: Int? { options.firstIndex { $0.key == "crf" } }

    /// Lowers the quality enough to reduce that many bytes to the limit.
    func coarser(_ bytes: Int, than limit: Int) -> EncoderChoice {
      guard let place = quality, var value = Int(options[place].value) else { return self }
      var left = bytes
      // Six steps halve the size.
      while left > limit, value < Self.coarsest {
        value += 2
        left = left * 4 / 5
      }
      var choice = self
      choice.options[place].value = "\(value)"
      return choice
    }

    /// The quality of most files made with these encoders.
    private static let coarsest = 22
  }
#endif
