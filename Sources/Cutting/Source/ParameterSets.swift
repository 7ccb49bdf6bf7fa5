import Bitstreams
import MediaFacts

/// The active parameter sets at a point of an H.264 or HEVC stream.
struct ParameterSets {
  private var kind: Kind
  private let isBoxed: Bool

  private enum Kind {
    case h264(H264Sets)
    case hevc(HEVCSets)
  }

  /// - Parameter configuration: avcC, hvcC, or Annex B units; `nil` for other codecs.
  init?(codec: Codec, configuration: [UInt8]) {
    isBoxed = Framing(codec: codec, configuration: configuration) != .annexB
    switch codec {
    case .h264: kind = .h264(H264Sets(configuration: configuration))
    case .hevc: kind = .hevc(HEVCSets(configuration: configuration))
    default: return nil
    }
  }

  /// All of them in Annex B format; empty where a kind is missing that is required for decoding.
  var bytes: [UInt8] { Framing.annexB.pack(isComplete ? units : []) }

  /// The active sets in the format of the original configuration: avcC, hvcC, or Annex B.
  var configuration: [UInt8] {
    guard isComplete else { return [] }
    switch kind {
    case .h264(let sets):
      return isBoxed
        ? sets.box(sequences: sets.sequenceUnits, pictures: sets.pictureUnits) : bytes
    case .hevc(let sets): return isBoxed ? sets.renewedBox : bytes
    }
  }

  private var units: [[UInt8]] {
    switch kind {
    case .h264(let sets): sets.sequenceUnits + sets.pictureUnits
    case .hevc(let sets): sets.all
    }
  }

  private var isComplete: Bool {
    switch kind {
    case .h264(let sets): !sets.sequenceUnits.isEmpty && !sets.pictureUnits.isEmpty
    case .hevc(let sets):
      [HEVCSets.video, HEVCSets.sequence, HEVCSets.picture].allSatisfy { sets.units[$0] != nil }
    }
  }

  /// Updates with some units: sets among them replace those of the same number.
  mutating func renew(_ units: some Sequence<ArraySlice<UInt8>>) {
    switch kind {
    case .h264(var sets):
      sets.renew(units)
      kind = .h264(sets)
    case .hevc(var sets):
      sets.renew(units)
      kind = .hevc(sets)
    }
  }

  /// Whether a unit is a set.
  func isSet(_ unit: ArraySlice<UInt8>) -> Bool {
    switch kind {
    case .h264: [7, 8].contains((unit.first ?? 0) & 0x1F)
    case .hevc: (HEVCSets.video...HEVCSets.picture).contains(HEVCSets.type(of: unit))
    }
  }

  /// Whether a unit is a set that is not among these.
  func lacks(_ unit: ArraySlice<UInt8>) -> Bool {
    switch kind {
    case .h264(let sets): sets.isOther(unit)
    case .hevc(let sets): sets.isOther(unit)
    }
  }

  /// Whether these are all that a decoder requires, and others include each of them.
  func areHeld(by others: Self) -> Bool {
    isComplete && units.allSatisfy { !others.lacks($0[...]) }
  }

  /// Whether a unit is a set that would replace one of these.
  func isChanged(by unit: ArraySlice<UInt8>) -> Bool {
    guard lacks(unit) else { return false }
    var renewed = self
    renewed.renew([unit])
    return renewed.units.count == units.count
  }

  /// SEI messages in the configuration, such as mastering display and content light level.
  var messages: [[UInt8]] {
    switch kind {
    case .h264: []
    case .hevc(let sets): sets.messages.sorted { $0.lexicographicallyPrecedes($1) }
    }
  }

  /// Whether a unit is an access unit delimiter.
  func isDelimiter(_ unit: ArraySlice<UInt8>) -> Bool {
    switch kind {
    case .h264: (unit.first ?? 0) & 0x1F == 9
    case .hevc: HEVCSets.type(of: unit) == 35
    }
  }

  /// Whether a unit is irrelevant to a decoder: access unit delimiters and filler data (ITU-T
  /// H.264, table 7-1; ITU-T H.265, table 7-1).
  func isEmpty(_ unit: ArraySlice<UInt8>) -> Bool {
    switch kind {
    case .h264: [9, 12].contains((unit.first ?? 0) & 0x1F)
    case .hevc: [35, 38].contains(HEVCSets.type(of: unit))
    }
  }
}
