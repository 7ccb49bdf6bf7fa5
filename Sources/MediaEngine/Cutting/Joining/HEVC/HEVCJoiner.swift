#if FFmpeg
  /// Joins HEVC pictures coded anew with copied ones: each with parameter sets of their own numbers.
  ///
  /// A coded video sequence may begin with other sets than the one before (ITU-T H.265, 7.4.2.4.2),
  /// and all of them stand in the configuration, so that hvc1 stays hvc1. A CRA picture behind
  /// encoded ones becomes a BLA picture, which is what the standard has for such a seam.
  struct HEVCJoiner: EdgeJoiner {
    private let source: HEVCSets
    private let framing: Framing
    /// Units of SEI that tell of the whole stream: mastering display, light levels.
    private let messages: [[UInt8]]
    private var added: [[UInt8]]?
    private var pictureSet: UInt32 = 0
    private var hasEncoded = false

    init(source: HEVCSets, framing: Framing, messages: [[UInt8]]) {
      self.source = source
      self.framing = framing
      self.messages = messages
    }

    var configuration: [UInt8]? {
      guard case .lengthPrefixed = framing, let added else { return nil }
      return source.box(adding: added)
    }

    mutating func encoded(
      _ bytes: [UInt8], configuration: [UInt8], as role: PictureRole
    ) throws(CutError) -> [UInt8] {
      hasEncoded = true
      let sets: [[UInt8]]
      if let added { sets = added } else { sets = try adopt(configuration) }
      added = sets
      var units: [[UInt8]] = []
      for unit in NALUnits(bytes: bytes[...], framing: .annexB)
      where HEVCSets.type(of: unit) < 32 {
        guard let slice = HEVCNumbering.slice(unit, pictureSet: pictureSet) else {
          throw Self.broken
        }
        units.append(slice)
      }
      if role == .first {
        if case .annexB = framing {
          units = sets + messages + units
        } else {
          units = messages + units
        }
      }
      return framing.pack(units)
    }

    private static let broken = CutError(
      .internalError, "the encoder's pictures are not understood")

    /// Gives the encoder's sets numbers that the source leaves free.
    private mutating func adopt(_ configuration: [UInt8]) throws(CutError) -> [[UInt8]] {
      let own = HEVCSets(configuration: configuration)
      func free(_ type: UInt8, _ range: Range<UInt32>) -> UInt32? {
        let taken = source.numbers(of: type)
        return range.first { !taken.contains($0) }
      }
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
      else { throw Self.broken }
      pictureSet = pictureNumber
      return [HEVCNumbering.videoSet(video, number: videoNumber), newSequence, newPicture]
    }

    func copied(
      _ bytes: () throws(CutError) -> [UInt8], isEntry: Bool
    ) throws(CutError) -> [UInt8]? {
      guard isEntry, hasEncoded else { return nil }
      var units: [[UInt8]] = []
      var isChanged = false
      var hasSets = false
      for unit in NALUnits(bytes: try bytes()[...], framing: framing) {
        let type = HEVCSets.type(of: unit)
        hasSets = hasSets || type == HEVCSets.sequence
        if type == Self.cleanAccess {
          units.append(Self.broken(unit))
          isChanged = true
        } else {
          units.append(Array(unit))
        }
      }
      if case .annexB = framing, !hasSets {
        units = source.all + units
        isChanged = true
      }
      return isChanged ? framing.pack(units) : nil
    }

    private static let cleanAccess: UInt8 = 21
    private static let brokenWithoutLeading: UInt8 = 18

    /// A slice of a CRA picture as one of a BLA picture without leading pictures: the syntax is the
    /// same, and nothing of before is kept from being shown.
    private static func broken(_ unit: ArraySlice<UInt8>) -> [UInt8] {
      var copy = Array(unit)
      copy[0] = brokenWithoutLeading << 1 | copy[0] & 0x81
      // no_output_of_prior_pics_flag is the second bit of the header.
      if copy.count > 2 { copy[2] &= ~0x40 }
      return copy
    }
  }

  extension Joiners {
    static func hevc(_ index: Int, of source: any CutSource, first: Int) throws(CutError)
      -> any EdgeJoiner
    {
      let track = source.tracks[index]
      var sets = HEVCSets(configuration: track.configuration)
      var messages: [[UInt8]] = []
      try source.prepare([index: [first..<first + 1, 0..<1]])
      for place in Set([0, first]).sorted() {
        let packet = try source.bytes(ofTrack: index, place)
        let units = NALUnits(bytes: packet[...], framing: track.framing)
        sets.add(units)
        if messages.isEmpty { messages = units.filter(isOfWholeStream).map { Array($0) } }
      }
      return HEVCJoiner(source: sets, framing: track.framing, messages: messages)
    }

    /// Prefix SEI that holds the mastering display (137), light levels (144) or the preferred
    /// transfer (147), which Annex D lets persist up to the end of the sequence.
    private static func isOfWholeStream(_ unit: ArraySlice<UInt8>) -> Bool {
      guard HEVCSets.type(of: unit) == 39, unit.count > 3 else { return false }
      return [137, 144, 147].contains(unit[unit.startIndex + 2])
    }
  }
#endif
