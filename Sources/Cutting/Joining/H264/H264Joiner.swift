import Bitstreams
import MediaFiles
import Probing
import Trimming

/// Joins re-encoded H.264 pictures with copied ones under the source's own SPS.
///
/// MP4 requires all parameter sets of a track in its configuration (ISO 14496-15, 5.3.3), and
/// players expect one sequence for all of it. So the encoder's slices get headers that match the
/// source's SPS, and a PPS of their own. If the copied run begins inside a coded video sequence,
/// its frame_num and pic_order_cnt_lsb continue from the encoded ones.
struct H264Joiner: EdgeJoiner {
  let source: H264Sets
  let sequence: H264SPS
  let framing: Framing
  /// Parameter sets precede pictures at which decoding can start.
  private let repeatsSets: Bool
  let entry: Entry
  private var encoder: (sets: H264Sets, picture: H264PPS, added: [UInt8])?
  var numbering = Numbering()
  var copying = Copying.asTheyAre
  var marks = EntryMarks.notYet
  var window: H264ReferenceWindow

  /// The current numbers of re-encoded pictures.
  struct Numbering {
    /// Those of the next picture, counted from the last encoded IDR picture.
    var next = Numbers()
    /// The number of encoded IDR pictures so far.
    var instants: UInt32 = 0
  }

  /// frame_num and pic_order_cnt_lsb, or an offset to both.
  struct Numbers: Equatable {
    var frame: UInt32 = 0
    var order: UInt32 = 0
  }

  /// How copied pictures must change.
  enum Copying {
    /// Before the entry, and from the next IDR picture on.
    case asTheyAre
    /// From the entry on, if its numbers must continue those of other pictures than in the
    /// source.
    case renumbered(by: Numbers)
    /// From the entry on, if nothing precedes it: numbers stay, but memory management commands
    /// may refer to missing pictures, for as long as any decoder could hold those.
    case watched(left: Int)

    /// `nil` where a picture need not be parsed.
    var shift: Numbers? {
      switch self {
      case .asTheyAre: nil
      case .renumbered(let shift): shift
      case .watched: Numbers()
      }
    }
  }

  /// New markings for the entry, and for the replaced pictures, by packet, that follow it in
  /// decode order.
  enum EntryMarks {
    case notYet
    case made(entry: BitWriter?, replaced: [Int: BitWriter])
  }

  /// Properties of the first copied picture.
  struct Entry {
    var isIDR = true
    var instantID: UInt32 = 0
    var frameNumber: UInt32 = 0
    /// The lowest pic_order_cnt_lsb of the entry and of the replaced pictures shown before it.
    var order: UInt32 = 0
    /// The headers of those pictures, by packet.
    var replaced: [Int: (header: H264SliceHeader, payload: [UInt8])] = [:]
    /// The same packets in decode order.
    var replacedOrder: [Int] = []
    /// The entry's first slice.
    var slice: (header: H264SliceHeader, payload: [UInt8])?
    /// True where reference pictures after it are left out.
    var leavesGaps = false
    /// It is a frame of I slices only, which can be converted to an IDR picture.
    var canBecomeIDR = false
  }

  /// - Parameter reordering: maximum number of reordered frames, where the output must state it.
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

  /// The SPS of the output.
  let sequenceUnit: [UInt8]

  /// Whether it differs from the source's.
  var changesSequence: Bool { sequenceUnit != sequence.unit }

  /// All of the source's SPSs, with that one replaced.
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
  ) throws(MediaError) -> [UInt8] {
    if encoder == nil { encoder = try adopt(configuration) }
    guard let encoder else { throw MediaError.notUnderstood }
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

  /// Reads the encoder's sets and adds its PPS to the source's.
  private func adopt(
    _ configuration: [UInt8]
  ) throws(MediaError) -> (H264Sets, H264PPS, [UInt8]) {
    let sets = H264Sets(configuration: configuration)
    guard var picture = sets.pictures.values.first, let id = source.freePictureID else {
      throw MediaError.notUnderstood
    }
    picture.id = id
    picture.sequenceID = sequence.id
    let lists = sequence.hasScalingMatrix ? sequence.chromaFormat : nil
    return (sets, picture, picture.unit(flatListsFor: lists))
  }

  /// An encoder slice with the header that its position requires.
  private mutating func rewritten(
    _ unit: ArraySlice<UInt8>, _ sets: H264Sets, _ pictureID: UInt32, _ role: PictureRole
  ) throws(MediaError) -> [UInt8] {
    let payload = NALEscaping.unescaped(unit.dropFirst())
    guard let header = H264SliceHeader(unit, payload: payload, sets: sets.sets),
      let (picture, _) = sets.sets(header.pictureSet)
    else { throw MediaError.notUnderstood }
    var place = (
      frame: numbering.next.frame, order: numbering.next.order, type: header.type,
      level: header.nalRefIDC
    )
    var marking: (bytes: [UInt8], range: Range<Int>)?
    if case .replacing(let packet) = role {
      guard let replaced = entry.replaced[packet], let shift = entryShift else {
        throw MediaError.unplaced
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
      // Every picture follows the previous one, as the SPS expects.
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

  /// Differs from that of the copied entry, and of the previous IDR picture (7.4.3, idr_pic_id).
  private var instantID: UInt32 { (entry.instantID &+ 1 &+ (numbering.instants & 1)) & 0xFFFF }

  /// The offset that makes the entry's numbers follow those of the head; `nil` for an IDR
  /// picture, and without a head.
  var entryShift: Numbers? {
    guard !entry.isIDR, numbering.instants > 0 else { return nil }
    return Numbers(
      frame: (numbering.next.frame &- entry.frameNumber) & frameMask,
      order: (numbering.next.order &- entry.order) & orderMask)
  }

  /// After an encoded head, players must not start at the first copied picture.
  ///
  /// Its leading pictures are shown before it, and commands of following pictures refer to
  /// pictures of the head. So it is not a sync sample (ISO 14496-15, 5.4.1, requires an IDR
  /// picture), nor any other random access point.
  var continuesSequence: Bool { entryShift != nil }
}
