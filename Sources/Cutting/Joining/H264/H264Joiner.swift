#if FFmpeg
  import Bitstreams
  import MediaFiles
  import Probing
  import Trimming

  /// Joins H.264 pictures re-encoded with copied ones under the source's own sequence parameter
  /// set.
  ///
  /// MP4 wants all parameter sets of a track in its configuration (ISO 14496-15, 5.3.3), and
  /// players expect one sequence for all of it. So the encoder's slices get headers that the
  /// source's set describes, and a picture parameter set of their own. Where the copied run begins
  /// inside a coded video sequence, its frame_num and pic_order_cnt_lsb go on from the encoded ones.
  struct H264Joiner: EdgeJoiner {
    let source: H264Sets
    let sequence: H264SPS
    let framing: Framing
    /// Parameter sets stand before pictures at which a decoder enters.
    private let repeatsSets: Bool
    let entry: Entry
    private var encoder: (sets: H264Sets, picture: H264PPS, added: [UInt8])?
    var numbering = Numbering()
    var copying = Copying.asTheyAre
    var marks = EntryMarks.notYet
    var window: H264ReferenceWindow

    /// Where the numbers of re-encoded pictures stand.
    struct Numbering {
      /// Of the next one, since the last IDR picture among them.
      var next = Numbers()
      /// How many of them were IDR pictures.
      var instants: UInt32 = 0
    }

    /// frame_num and pic_order_cnt_lsb, or what is added to both.
    struct Numbers: Equatable {
      var frame: UInt32 = 0
      var order: UInt32 = 0
    }

    /// What copied pictures need.
    enum Copying {
      /// Before the entry, and from the next IDR picture on.
      case asTheyAre
      /// From an entry on that goes on from other numbers than the source's.
      case renumbered(by: Numbers)
      /// From an entry on with nothing before it: their numbers stay, and their commands may name
      /// pictures that are not there, as long as any decoder could hold them.
      case watched(left: Int)

      /// `nil` where a picture needs no look.
      var shift: Numbers? {
        switch self {
        case .asTheyAre: nil
        case .renumbered(let shift): shift
        case .watched: Numbers()
        }
      }
    }

    /// New markings of the entry, and of replaced pictures by their packets, which follow it in decode
    /// order.
    enum EntryMarks {
      case notYet
      case made(entry: BitWriter?, replaced: [Int: BitWriter])
    }

    /// What is known of the first copied picture.
    struct Entry {
      var isIDR = true
      var instantID: UInt32 = 0
      var frameNumber: UInt32 = 0
      /// The least pic_order_cnt_lsb of it and of the pictures shown before it that are replaced.
      var order: UInt32 = 0
      /// The headers of those pictures, by their packets.
      var replaced: [Int: (header: H264SliceHeader, payload: [UInt8])] = [:]
      /// The same packets in decode order.
      var replacedOrder: [Int] = []
      /// The entry's own first slice.
      var slice: (header: H264SliceHeader, payload: [UInt8])?
      /// True where reference pictures are left out behind it.
      var leavesGaps = false
      /// It is no IDR picture, but a frame of I slices only, which can be written as one.
      var canBecomeIDR = false
    }

    /// - Parameter reordering: how many frames wait at most for one that is shown before them, where
    ///   the output has to say it.
    init(
      source: H264Sets, sequence: H264SPS, framing: Framing, keepsSets: Bool = false, entry: Entry,
      reordering: Int? = nil
    ) {
      repeatsSets = keepsSets || framing == .annexB
      self.source = source
      self.sequence = sequence
      self.framing = framing
      self.entry = entry
      window = H264ReferenceWindow(sequence)
      let unit = entry.leavesGaps ? sequence.allowingGaps : sequence.unit
      sequenceUnit = reordering.flatMap { H264SPS(unit)?.statingReordering(of: $0) } ?? unit
    }

    /// The sequence parameter set of the output.
    let sequenceUnit: [UInt8]

    /// Whether it is another than the source's.
    var changesSequence: Bool { sequenceUnit != sequence.unit }

    /// All of the source's, with that one in its place.
    var sequenceUnits: [[UInt8]] {
      source.sequenceUnits.map { $0 == sequence.unit ? sequenceUnit : $0 }
    }

    var configuration: [UInt8]? {
      guard case .lengthPrefixed = framing, encoder != nil || changesSequence else { return nil }
      let added = encoder.map { [$0.added] } ?? []
      return source.box(sequences: sequenceUnits, pictures: source.pictureUnits + added)
    }

    mutating func encoded(
      _ bytes: [UInt8], configuration: [UInt8], as role: PictureRole
    ) throws(CutError) -> [UInt8] {
      if encoder == nil { encoder = try adopt(configuration) }
      guard let encoder else { throw CutError.notUnderstood }
      if role == .first {
        window.startAnew()
        numbering.next = Numbers()
        numbering.instants &+= 1
      }
      var units: [[UInt8]] = []
      for unit in NALUnits(bytes: bytes[...], framing: .annexB) {
        guard let first = unit.first, [1, 5].contains(first & 0x1F) else { continue }
        units.append(try rewritten(unit, encoder.sets, encoder.picture.id, role))
      }
      if !role.isReplacing {
        window.add(numbering.next.frame, isReference: true, fillsGaps: false)
        numbering.next.frame = (numbering.next.frame + 1) & frameMask
        numbering.next.order = (numbering.next.order + 2) & orderMask
      }
      if repeatsSets, role == .first {
        units = sequenceUnits + source.pictureUnits + [encoder.added] + units
      }
      return framing.pack(units)
    }

    var orderMask: UInt32 { 1 << UInt32(sequence.orderBits) - 1 }
    var frameMask: UInt32 { 1 << UInt32(sequence.frameNumberBits) - 1 }

    /// Reads the encoder's sets and makes its picture set one of the source's.
    private func adopt(
      _ configuration: [UInt8]
    ) throws(CutError) -> (H264Sets, H264PPS, [UInt8]) {
      let sets = H264Sets(configuration: configuration)
      guard var picture = sets.pictures.values.first, let id = source.freePictureID else {
        throw CutError.notUnderstood
      }
      picture.id = id
      picture.sequenceID = sequence.id
      let lists = sequence.hasScalingMatrix ? sequence.chromaFormat : nil
      return (sets, picture, picture.unit(flatListsFor: lists))
    }

    /// A slice of the encoder with the header that its place asks for.
    private mutating func rewritten(
      _ unit: ArraySlice<UInt8>, _ sets: H264Sets, _ pictureID: UInt32, _ role: PictureRole
    ) throws(CutError) -> [UInt8] {
      let payload = NALEscaping.unescaped(unit.dropFirst())
      guard let header = H264SliceHeader(unit, payload: payload, sets: sets.sets),
        let (picture, _) = sets.sets(header.pictureSet)
      else { throw CutError.notUnderstood }
      var place = (
        frame: numbering.next.frame, order: numbering.next.order, type: header.type,
        level: header.nalRefIDC
      )
      var marking: (bytes: [UInt8], range: Range<Int>)?
      if case .replacing(let packet) = role {
        guard let replaced = entry.replaced[packet], let shift = entryShift else {
          throw CutError.unplaced
        }
        place.frame = (replaced.header.frameNumber &+ shift.frame) & frameMask
        place.order = (replaced.header.orderLow &+ shift.order) & orderMask
        place.type = 1
        place.level = replaced.header.nalRefIDC
        if let changed = entryMarks().replaced[packet] {
          marking = (changed.bytes, 0..<changed.count)
        } else {
          marking = (replaced.payload, replaced.header.marking)
        }
      }
      var writer = BitWriter()
      writer.exponentialGolomb(header.firstBlock)
      writer.exponentialGolomb(header.sliceType)
      writer.exponentialGolomb(pictureID)
      if sequence.hasSeparatePlanes { writer.write(0, bits: 2) }
      writer.write(place.frame, bits: sequence.frameNumberBits)
      if !sequence.onlyFrames { writer.flag(false) }
      if place.type == 5 { writer.exponentialGolomb(instantID) }
      if sequence.orderType == 0 {
        writer.write(place.order, bits: sequence.orderBits)
        if picture.hasBottomOrder { writer.signedExponentialGolomb(header.bottomOrderDelta) }
      } else if sequence.orderType == 1, !sequence.isOrderDeltaZero {
        // Every picture follows the one before, as the sequence set expects it.
        writer.signedExponentialGolomb(0)
        if picture.hasBottomOrder { writer.signedExponentialGolomb(0) }
      }
      writer.copy(payload, from: header.references.lowerBound, to: header.references.upperBound)
      if place.level != 0 {
        if let marking {
          writer.copy(marking.bytes, from: marking.range.lowerBound, to: marking.range.upperBound)
        } else if place.type == 5 {
          writer.write(0, bits: 2)
        } else {
          writer.flag(false)
        }
      }
      writer.copy(payload, from: header.rest.lowerBound, to: header.rest.upperBound)
      if picture.isCABAC {
        writer.alignWithOnes()
        let start = (header.rest.upperBound + 7) / 8 * 8
        writer.copy(payload, from: start, to: payload.count * 8)
        return [place.level << 5 | place.type] + NALEscaping.escaped(writer.bytes)
      }
      writer.copy(payload, from: header.rest.upperBound, to: Self.stopBit(of: payload))
      writer.finish()
      return [place.level << 5 | place.type] + NALEscaping.escaped(writer.bytes)
    }

    static func stopBit(of payload: [UInt8]) -> Int {
      guard let last = payload.lastIndex(where: { $0 != 0 }) else { return 0 }
      return last * 8 + 7 - payload[last].trailingZeroBitCount
    }

    /// Differs from that of the copied entry, and from the IDR picture before (7.4.3, idr_pic_id).
    private var instantID: UInt32 { (entry.instantID &+ 1 &+ (numbering.instants & 1)) & 0xFFFF }

    /// What is added to the entry's numbers so that they follow those of the head; `nil` for an IDR
    /// picture, and where no head comes before.
    var entryShift: Numbers? {
      guard !entry.isIDR, numbering.instants > 0 else { return nil }
      return Numbers(
        frame: (numbering.next.frame &- entry.frameNumber) & frameMask,
        order: (numbering.next.order &- entry.order) & orderMask)
    }

    /// Behind an encoded head players must not enter at the first copied picture.
    ///
    /// Pictures that lead it are shown before it, and commands of those that follow name pictures of
    /// the head. So it is not a sync sample (ISO 14496-15, 5.4.1, wants an IDR picture of one), nor
    /// another random access point.
    var continuesSequence: Bool { entryShift != nil }
  }
#endif
