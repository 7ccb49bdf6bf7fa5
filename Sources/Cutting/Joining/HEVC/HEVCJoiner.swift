import Bitstreams
import MediaFiles
import Trimming

/// Joins re-encoded HEVC pictures with copied ones.
///
/// The encoder is set to code as the source's parameter sets state, and its slices get matching
/// headers: then one set of each kind serves the whole track. Firefox keeps only the first set of
/// each kind, though a coded video sequence may begin with another (ITU-T H.265, 7.4.2.4.2). If
/// only the SPS can be shared, the encoder's PPS joins the source's; if the SPS cannot be shared
/// either, all of the encoder's sets are added, under numbers of their own.
///
/// A CRA picture after encoded ones, or after another part, becomes a BLA picture, which the
/// standard provides for such seams: as a CRA picture it would take its POC from what precedes
/// it. POC restarts there, but FFmpeg 7.1 and later drop a picture whose POC is that of one still
/// waiting for output. Where the POC of two parts would collide, that of the second is offset up
/// to its next IDR picture.
struct HEVCJoiner: EdgeJoiner {
  let source: HEVCSets
  let framing: Framing
  /// Parameter sets precede pictures at which decoding can start.
  private let repeatsSets: Bool
  /// SEI messages that describe the whole stream: mastering display, light levels.
  private let messages: [[UInt8]]
  private var way: Way?
  /// Whether the copied pictures follow different pictures than in the source.
  private(set) var hasSeam: Bool
  let held: Set<UInt32>
  var counts = HEVCOrderCounts()
  /// The offset of the POC of copied pictures.
  var shift: UInt32 = 0
  /// POC of the last coded picture.
  private var order: UInt32 = 0

  /// The sets that encoded pictures use.
  private enum Way {
    /// The source's SPS, and one of its PPSs or an additional one.
    case shared(Target, own: (sequence: HEVCSPS, picture: HEVCPPS))
    /// The encoder's, under other numbers.
    case apart([[UInt8]], pictureSet: UInt32)

    var added: [[UInt8]] {
      switch self {
      case .shared(let target, _): target.added
      case .apart(let units, _): units
      }
    }
  }

  private struct Target {
    var sequence: HEVCSPS
    var picture: HEVCPPS
    var added: [[UInt8]] = []
  }

  /// - Parameter held: the POC LSBs that a decoder may hold from the previous part; `nil` for the
  ///   first part.
  init(
    source: HEVCSets, framing: Framing, keepsSets: Bool, messages: [[UInt8]],
    behind held: Set<UInt32>?
  ) {
    repeatsSets = keepsSets || framing == .annexB
    hasSeam = held != nil
    self.held = held ?? []
    counts.add(source)
    self.source = source
    self.framing = framing
    self.messages = messages
  }

  var configuration: [UInt8]? {
    guard case .lengthPrefixed = framing, let way, !way.added.isEmpty else { return nil }
    return source.box(adding: way.added)
  }

  mutating func encoded(
    _ bytes: [UInt8], configuration: [UInt8], as role: PictureRole
  ) throws(MediaError) -> [UInt8] {
    hasSeam = true
    let way: Way
    if let known = self.way { way = known } else { way = try adopt(configuration) }
    self.way = way
    order &+= 1
    var units: [[UInt8]] = []
    for unit in NALUnits(bytes: bytes[...], framing: .annexB)
    where HEVCSets.type(of: unit) < HEVCSets.video {
      units.append(try slice(unit, way))
    }
    if role == .first {
      units = messages + units
      if repeatsSets {
        var sets = way.added
        if case .shared = way { sets = source.all + sets }
        units = sets + units
      }
    }
    return framing.pack(units)
  }

  private mutating func slice(_ unit: ArraySlice<UInt8>, _ way: Way) throws(MediaError) -> [UInt8] {
    switch way {
    case .shared(let target, let own):
      guard let slice = HEVCSliceHeader(unit, own.sequence, own.picture) else {
        throw MediaError.notUnderstood
      }
      if slice.isInstant { order = 0 }
      guard let moved = slice.unit(under: target.sequence, target.picture, order: order) else {
        throw MediaError.notUnderstood
      }
      return moved
    case .apart(_, let number):
      guard let slice = HEVCNumbering.slice(unit, pictureSet: number) else {
        throw MediaError.notUnderstood
      }
      return slice
    }
  }

  private func adopt(_ configuration: [UInt8]) throws(MediaError) -> Way {
    let own = HEVCSets(configuration: configuration)
    if let way = shared(own) { return way }
    return try apart(own)
  }

  /// `nil` where the encoder's coding does not match the source's SPS.
  private func shared(_ own: HEVCSets) -> Way? {
    guard let sequence = HEVCCoding.only(source), HEVCCoding.isPossible(sequence),
      let ownSequence = HEVCCoding.only(own), ownSequence.coding == sequence.coding,
      let unit = own.units[HEVCSets.picture]?.first, let ownPicture = HEVCPPS(unit),
      let number = free(HEVCSets.picture, 0..<64)
    else { return nil }
    let ways = (ownSequence, ownPicture)
    // Without scaling lists in the encoder's SPS everything is flat.
    let hasSameLists = ownSequence.usesScalingLists == sequence.usesScalingLists
    if hasSameLists,
      let picture = HEVCCoding.pictures(source, of: sequence).lazy.map(\.set)
        .first(where: { $0.coding == ownPicture.coding })
    {
      return .shared(Target(sequence: sequence, picture: picture), own: ways)
    }
    guard !ownSequence.usesScalingLists || (hasSameLists && !sequence.hasOwnLists) else {
      return nil
    }
    let added = ownPicture.unit(
      number: number, sequence: sequence.id,
      flattensLists: sequence.usesScalingLists && !ownSequence.usesScalingLists)
    guard let picture = HEVCPPS(added) else { return nil }
    return .shared(
      Target(sequence: sequence, picture: picture, added: [added]), own: ways)
  }

  private func free(_ type: UInt8, _ range: Range<UInt32>) -> UInt32? {
    let taken = source.numbers(of: type)
    return range.first { !taken.contains($0) }
  }

  /// Gives the encoder's sets numbers that the source does not use.
  private func apart(_ own: HEVCSets) throws(MediaError) -> Way {
    guard let video = own.units[HEVCSets.video]?.first,
      let sequence = own.units[HEVCSets.sequence]?.first,
      let picture = own.units[HEVCSets.picture]?.first,
      let videoNumber = free(HEVCSets.video, 0..<16),
      let sequenceNumber = free(HEVCSets.sequence, 0..<16),
      let pictureNumber = free(HEVCSets.picture, HEVCNumbering.pictureNumbers),
      let newSequence = HEVCNumbering.sequenceSet(
        sequence, number: sequenceNumber, video: videoNumber,
        waitingAs: source.units[HEVCSets.sequence]?.first),
      let newPicture = HEVCNumbering.pictureSet(
        picture, number: pictureNumber, sequence: sequenceNumber)
    else { throw MediaError.notUnderstood }
    let units = [HEVCNumbering.videoSet(video, number: videoNumber), newSequence, newPicture]
    return .apart(units, pictureSet: pictureNumber)
  }
}

extension Joiners {
  /// - Throws: ``MediaError`` of code `notCuttable` where pictures that are joined with re-encoded
  ///   ones change size or bit depth.
  static func hevc(
    _ index: Int, of source: any CutSource, encoding cut: VideoCut, _ formats: EntryFormats?,
    besides others: Bool,
    keepsSets: Bool, behind held: Set<UInt32>?
  ) throws(MediaError) -> any EdgeJoiner {
    let track = source.tracks[index]
    var sets = HEVCSets(configuration: track.configuration)
    var messages: [[UInt8]] = []
    var places: Set<Int> = [track.describedAt ?? 0, cut.copied.first ?? track.describedAt ?? 0]
    if !cut.tail.isEmpty, let last = cut.tailSource.first { places.insert(last) }
    if !cut.head.isEmpty, let first = cut.headSource.first { places.insert(first) }
    try source.prepare([index: places.sorted().map { $0..<$0 + 1 }])
    for place in places.sorted() {
      let packet = try source.bytes(ofTrack: index, place)
      let units = NALUnits(bytes: packet[...], framing: track.framing)
      sets.add(units)
      if messages.isEmpty { messages = units.compactMap(wholeStream) }
    }
    if formats == nil, cut.encodedCount > 0 || others, sizes(sets).count > 1 {
      throw MediaError(
        .notCuttable,
        "its HEVC video cannot be joined with re-encoded frames: "
          + "its frame size or bit depth changes mid-stream",
        hint: "Cut at keyframes, which needs no re-encoding.")
    }
    return HEVCJoiner(
      source: sets, framing: track.framing, keepsSets: keepsSets, messages: messages, behind: held
    )
  }

  /// - Parameters:
  ///   - sets: the active parameter sets, in Annex B format.
  ///   - units: NAL units of the first packet to decode.
  static func hevcApart(_ sets: [UInt8], _ units: NALUnits) -> any EdgeJoiner {
    HEVCJoiner(
      source: HEVCSets(configuration: sets), framing: units.framing, keepsSets: true,
      messages: units.compactMap(wholeStream), behind: nil)
  }

  /// Picture size and format of each SPS.
  private static func sizes(_ sets: HEVCSets) -> Set<[UInt32]> {
    let coded = (sets.units[HEVCSets.sequence] ?? []).compactMap { HEVCSPS($0)?.coding }
    return Set(
      coded.map { [$0.width, $0.height, $0.chromaFormat, $0.lumaDepth, $0.chromaDepth] })
  }

  /// Prefix SEI with the mastering display (137), light levels (144) or the preferred transfer
  /// (147), which Annex D lets persist up to the end of the sequence.
  private static func wholeStream(_ unit: ArraySlice<UInt8>) -> [UInt8]? {
    guard HEVCSets.type(of: unit) == 39, unit.count > 3 else { return nil }
    return SEIMessage.keeping(in: NALEscaping.unescaped(unit.dropFirst(2))) { type, _ in
      [137, 144, 147].contains(type)
    }.map { unit.prefix(2) + NALEscaping.escaped($0) }
  }
}
