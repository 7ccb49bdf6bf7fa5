import Trimming

/// How large re-encoded pictures may be relative to those they replace.
///
/// For a low-bitrate source, visually lossless pictures are several times as large, and keep the
/// source's own artifacts: a cut would be larger than its source. For a source of the highest
/// quality, the same pictures are smaller, and visibly worse than those beside them.
struct EdgeQuality {
  /// Maximum size relative to the source: a fast encoder without reordering needs more bits than
  /// the source's encoder did.
  private static let factor = 2
  /// Bytes that no one misses: an edge of so few is not encoded again to become smaller.
  static let negligible = 1 << 16

  let packets: ContiguousArray<CodedPacket>
  /// The size of a packet as it is copied; `nil` where that is the stated one.
  var byteCount: (Int) -> Int? = { _ in nil }

  /// Bytes for a run of pictures, some of which are intra: from as many as in the source to
  /// several times that, at least ``negligible``.
  func bounds(_ run: EdgeEncoder.Run, first count: Int) -> ClosedRange<Int> {
    let places = run.places.prefix(count)
    func size(_ place: Int) -> Int { byteCount(place) ?? packets[place].byteCount }
    var bytes = places.reduce(0) { $0 + size($1) }
    let alone = run.intra.intersection(places).union(places.prefix(1)).filter {
      !packets[$0].isKey
    }
    for place in alone {
      bytes += packets[...place].lastIndex(where: \.isKey).map(size) ?? 0
    }
    return bytes...max(bytes * Self.factor, Self.negligible)
  }
}

extension EncoderChoice {
  /// How the quality of an encoder may be changed for sources of low and of high bitrate.
  struct Adaptation {
    /// The number of pictures from which the size of the others is estimated.
    var trial: Int
    /// By how much to raise the rate factor for a fifth fewer bytes.
    var step: Int
    /// The rate factor of good files made with this encoder.
    var coarsest: Int
    /// The rate factor from which on only noise is added.
    var finest: Int
  }

  /// `nil` where the quality is the same for all sources.
  var adaptation: Adaptation? {
    guard quality != nil else { return nil }
    return switch name {
    case "libx264": Adaptation(trial: 12, step: 2, coarsest: 22, finest: 6)
    case "libx265": Adaptation(trial: 48, step: 2, coarsest: 22, finest: 4)
    case "libvpx": Adaptation(trial: 16, step: 2, coarsest: 12, finest: 4)
    case "libvpx-vp9", "libaom-av1":
      Adaptation(trial: 16, step: 4, coarsest: 26, finest: 2)
    case "libsvtav1": Adaptation(trial: 16, step: 4, coarsest: 30, finest: 2)
    default: nil
    }
  }

  /// The index of the rate factor among the options.
  private var quality: Int? { options.firstIndex { $0.key == "crf" } }

  /// The quality at which so many bytes should come within the bounds; `nil` if they are, or if
  /// no quality is within reach.
  func adapted(_ bytes: Int, to bounds: ClosedRange<Int>) -> EncoderChoice? {
    guard let adaptation, let place = quality, let standard = Int(options[place].value) else {
      return nil
    }
    var left = bytes
    var value = standard
    while left > bounds.upperBound, value < adaptation.coarsest {
      value = min(adaptation.coarsest, value + adaptation.step)
      left = left * 4 / 5
    }
    while left < bounds.lowerBound, value > adaptation.finest, left <= bounds.upperBound * 4 / 5 {
      value = max(adaptation.finest, value - adaptation.step)
      left = left * 5 / 4 + 1
    }
    guard value != standard else { return nil }
    var choice = self
    choice.options[place].value = "\(value)"
    // Where it is limited, the coarsest quantizer follows.
    if let most = options.firstIndex(where: { $0.key == "qmax" }),
      let quantizer = Int(options[most].value)
    {
      choice.options[most].value = "\(quantizer + value - standard)"
    }
    return choice
  }

  /// With no coarser quantiser than the source's: its pictures would otherwise lose what is beside
  /// them.
  ///
  /// - Parameter quantiser: the finest among the source's pictures.
  func asFine(as quantiser: Int) -> EncoderChoice {
    var choice = self
    for place in options.indices {
      guard let value = Int(options[place].value) else { continue }
      switch options[place].key {
      case "qmin": choice.options[place].value = "\(min(value, quantiser))"
      case "global_quality":
        choice.options[place].value = "\(min(value, quantiser * Self.unitsPerStep))"
      default: break
      }
    }
    return choice
  }

  /// FF_QP2LAMBDA: the unit of global_quality.
  private static let unitsPerStep = 118
}
