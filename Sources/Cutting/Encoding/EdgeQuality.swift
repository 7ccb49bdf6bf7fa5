#if FFmpeg
  import Trimming

  /// How large re-encoded pictures may be, beside those that they stand for.
  ///
  /// What is visually lossless of a source of few bits is several times as large, and keeps the
  /// source's own faults: a cut would be larger than its source.
  struct EdgeQuality {
    /// How many times as large as the source's: an encoder that is quick and does not reorder needs
    /// more bits than the one before it.
    private static let factor = 2
    /// So many pictures tell what the others need.
    static let trial = 48

    let packets: ContiguousArray<CodedPacket>

    /// Bytes for a run of pictures, of which some stand alone.
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
    /// As many of its first pictures as tell what the others need.
    var trial: EdgeEncoder.Run {
      let places = Array(places.prefix(EdgeQuality.trial))
      return EdgeEncoder.Run(
        places: places, intra: intra.intersection(places), source: source)
    }
  }

  extension EncoderChoice {
    /// Where quality is a number that is the same for all sources.
    var isAdaptive: Bool { name == "libx265" }

    /// With as much less quality as makes so many bytes those that are allowed.
    func coarser(_ bytes: Int, than limit: Int) -> EncoderChoice {
      guard isAdaptive, let place = options.firstIndex(where: { $0.key == "crf" }),
        var quality = Int(options[place].value)
      else { return self }
      var left = bytes
      // Six steps halve the bytes.
      while left > limit, quality < Self.coarsest {
        quality += 2
        left = left * 4 / 5
      }
      var choice = self
      choice.options[place].value = "\(quality)"
      return choice
    }

    /// As good as most files are made with it.
    private static let coarsest = 22
  }
#endif
