import Bitstreams
import MediaFacts
import MediaFiles
import Trimming

/// Describes H.264 and HEVC of several files by one configuration, or where their parameter sets
/// exclude each other, brings the sets with each keyframe.
///
/// Two encoders number their sets alike, and a decoder keeps the last one that it got under a number
/// (ITU-T H.264, 7.4.1.2.1; ITU-T H.265, 7.4.2.4.2).
struct JoinedSets {
  let source: any CutSource
  let container: OutputContainer
  let spool: PayloadSpool

  typealias Stretch = (first: Int, configuration: [UInt8])

  /// - Parameter stretches: the configuration of the packets from each number on.
  func settle(_ track: inout OutputTrack, _ stretches: [Stretch]) throws(MediaError) {
    let facts = source.tracks[track.source].facts
    let all = stretches.map(\.configuration)
    if let one = all.first, Set(all).count == 1 {
      track.configuration = one.isEmpty ? track.configuration : one
      return
    }
    if let shared = Self.shared(facts.codec, all) {
      track.configuration = shared
      return
    }
    guard !container.isISO || container == .mp4 else {
      throw MediaError(
        .notCuttable,
        "\(container.rules.ending) cannot hold parameter sets that change mid-stream, and those of the "
          + "sources differ in track \(facts.id) (\(facts.codec))",
        hint: "Write .mp4, .mkv or .ts.")
    }
    for (number, stretch) in stretches.enumerated() {
      let end = number + 1 < stretches.count ? stretches[number + 1].first : track.packets.count
      try bring(stretch.configuration, into: &track, stretch.first..<end)
    }
    track.configuration = all.first { !$0.isEmpty }
    if container.isISO { track.keepsSets = true }
  }

  /// Puts the sets in front of each keyframe that does not have its own.
  private func bring(
    _ configuration: [UInt8], into track: inout OutputTrack, _ places: Range<Int>
  ) throws(MediaError) {
    let described = source.tracks[track.source]
    guard let sets = ParameterSets(codec: described.facts.codec, configuration: configuration)
    else { return }
    let units = NALUnits(bytes: sets.bytes[...], framing: .annexB).map { Array($0) }
    guard !units.isEmpty else { return }
    for place in places where track.packets[place].isKey {
      let packet = track.packets[place]
      let bytes = try packet.bytes(of: source, track: track.source, spool)
      let found = NALUnits(bytes: bytes[...], framing: described.framing).map { Array($0) }
      // A delimiter comes first (ITU-T H.264, 7.4.1.2.3; ITU-T H.265, 7.4.2.4.4).
      let front = found.prefix { sets.isDelimiter($0[...]) }
      let own = found.dropFirst(front.count).filter { !sets.isSet($0[...]) || sets.lacks($0[...]) }
      let whole = described.framing.pack(Array(front) + units + Array(own))
      guard whole != bytes else { continue }
      track.packets[place].isCopiedPicture = packet.copied != nil
      track.packets[place].payload = .made(try spool.add(whole))
      track.packets[place].byteCount = whole.count
    }
  }

  /// Whether one record can describe the packets of several.
  static func canShare(_ codec: Codec, _ records: [[UInt8]]) -> Bool {
    guard codec.usesNALUnits, Set(records).count > 1 else { return true }
    return shared(codec, records) != nil
  }

  /// One record that describes the packets of several; `nil` where there is none.
  private static func shared(_ codec: Codec, _ records: [[UInt8]]) -> [UInt8]? {
    if codec == .h264 { return union(of: records) }
    // Re-encoded pictures add their sets to those of a source.
    guard
      records.allSatisfy({
        !$0.isEmpty && Framing(codec: .hevc, configuration: $0) != .annexB
      }),
      let most = records.max(by: { $0.count < $1.count })
    else { return nil }
    let held = Set(HEVCSets(configuration: most).all)
    let isEnough = records.allSatisfy { held.isSuperset(of: HEVCSets(configuration: $0).all) }
    return isEnough ? most : nil
  }

  /// One record of all sets; `nil` where two of them have the same number.
  private static func union(of records: [[UInt8]]) -> [UInt8]? {
    guard records.allSatisfy({ Framing(codec: .h264, configuration: $0) != .annexB }) else {
      return nil
    }
    let sets = records.map { H264Sets(configuration: $0) }
    // Edges may need the flag that numbers can be missing, which allows more.
    let sequences = Set(sets.flatMap { $0.sequences.map(\.allowingGaps) })
    guard sequences.count == 1 else { return nil }
    let pictures = Set(sets.flatMap(\.pictureUnits))
    let numbers = Set(pictures.compactMap { H264PPS($0)?.id })
    guard numbers.count == pictures.count else { return nil }
    return H264Sets.union(
      of: Set(records).sorted { $0.lexicographicallyPrecedes($1) })
  }
}
