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
    /// Whether quality is a fixed number for all sources.
    var isAdaptive: Bool { name == "libx265" }

    /// Lowers the quality by as much as reduces so many bytes to the limit.
    func coarser(_ bytes: Int, than limit: Int) -> EncoderChoice {
      guard isAdaptive, let place = options.firstIndex(where: { $0.key == "crf" }),
        var quality = Int(options[place].value)
      else { return self }
      var left = bytes
      // Six steps halve the size.
      while left > limit, quality < Self.coarsest {
        quality += 2
        left = left * 4 / 5
      }
      var choice = self
      choice.options[place].value = "\(quality)"
      return choice
    }

    /// The quality of most files made with this encoder.
    private static let coarsest = 22
  }
#endif
