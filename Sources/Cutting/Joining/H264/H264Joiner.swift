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
    let entry: Entry
    private var encoder: (sets: H264Sets, picture: H264PPS, added: [UInt8])?
    /// Since the last IDR picture that was re-encoded.
    private var frameNumber: UInt32 = 0
    private var order: UInt32 = 0
    var instants: UInt32 = 0
    /// Of copied pictures, from the entry up to the next IDR picture; `nil` outside.
    var shift: (frameNumber: UInt32, order: UInt32)?
    var window: H264ReferenceWindow
    /// How many copied pictures are still to be looked at without a shift.
    private var watched = 0
    /// New markings of the entry and of replaced pictures, which follow it in decode order.
    private var entryMarking: BitWriter?
    private var markings: [Int: BitWriter] = [:]
    var hasFollowedEntry = false

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

    init(source: H264Sets, sequence: H264SPS, framing: Framing, entry: Entry) {
      self.source = source
      self.sequence = sequence
      self.framing = framing
      self.entry = entry
      window = H264ReferenceWindow(sequence)
    }

    /// The sequence parameter set of the output.
    var sequenceUnit: [UInt8] {
      entry.leavesGaps ? sequence.allowingGaps : sequence.unit
    }

    /// All of the source's, with that one in its place.
    var sequenceUnits: [[UInt8]] {
      source.sequenceUnits.map { $0 == sequence.unit ? sequenceUnit : $0 }
    }

    var configuration: [UInt8]? {
      guard case .lengthPrefixed = framing, encoder != nil || entry.leavesGaps else { return nil }
      let added = encoder.map { [$0.added] } ?? []
      return source.box(sequences: sequenceUnits, pictures: source.pictureUnits + added)
    }

    mutating func encoded(
      _ bytes: [UInt8], configuration: [UInt8], as role: PictureRole
    ) throws(CutError) -> [UInt8] {
      if encoder == nil { encoder = try adopt(configuration) }
      guard let encoder else { throw Self.broken }
      if role == .first {
        window.startAnew()
        frameNumber = 0
        order = 0
        instants &+= 1
      }
      var units: [[UInt8]] = []
      for unit in NALUnits(bytes: bytes[...], framing: .annexB) {
        guard let first = unit.first, [1, 5].contains(first & 0x1F) else { continue }
        units.append(try rewritten(unit, encoder.sets, encoder.picture.id, role))
      }
      if !role.isReplacing {
        window.add(frameNumber, isReference: true, fillsGaps: false)
        frameNumber = (frameNumber + 1) & (1 << UInt32(sequence.frameNumberBits) - 1)
        order = (order + 2) & orderMask
      }
      if case .annexB = framing, role == .first {
        units = sequenceUnits + source.pictureUnits + [encoder.added] + units
      }
      return framing.pack(units)
    }

    var orderMask: UInt32 { 1 << UInt32(sequence.orderBits) - 1 }
    var frameMask: UInt32 { 1 << UInt32(sequence.frameNumberBits) - 1 }

    private static let broken = CutError(
      .internalError, "the encoder's pictures are not understood")

    /// Reads the encoder's sets and makes its picture set one of the source's.
    private func adopt(
      _ configuration: [UInt8]
    ) throws(CutError) -> (H264Sets, H264PPS, [UInt8]) {
      let sets = H264Sets(configuration: configuration)
      guard var picture = sets.pictures.values.first, let id = source.freePictureID else {
        throw Self.broken
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
      else { throw Self.broken }
      var place = (
        frame: frameNumber, order: order, type: header.type, level: header.nalRefIDC
      )
      var marking: (bytes: [UInt8], range: Range<Int>)?
      if case .replacing(let packet) = role {
        guard let replaced = entry.replaced[packet], let shift = entryShift else {
          throw Self.broken
        }
        place.frame = (replaced.header.frameNumber &+ shift.frameNumber) & frameMask
        place.order = (replaced.header.orderLow &+ shift.order) & orderMask
        place.type = 1
        place.level = replaced.header.nalRefIDC
        followEntry()
        if let changed = markings[packet] {
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

    private static func stopBit(of payload: [UInt8]) -> Int {
      guard let last = payload.lastIndex(where: { $0 != 0 }) else { return 0 }
      return last * 8 + 7 - payload[last].trailingZeroBitCount
    }

    /// Differs from that of the copied entry, and from the IDR picture before (7.4.3, idr_pic_id).
    private var instantID: UInt32 { (entry.instantID &+ 1 &+ (instants & 1)) & 0xFFFF }

    /// What is added to the entry's numbers so that they follow those of the head; `nil` for an IDR
    /// picture, and where no head comes before.
    private var entryShift: (frameNumber: UInt32, order: UInt32)? {
      guard !entry.isIDR, instants > 0 else { return nil }
      return (
        (frameNumber &- entry.frameNumber) & frameMask, (order &- entry.order) & orderMask
      )
    }

    /// Behind an encoded head players must not enter at the first copied picture.
    ///
    /// Pictures that lead it are shown before it, and commands of those that follow name pictures of
    /// the head. So it is not a sync sample (ISO 14496-15, 5.4.1, wants an IDR picture of one), nor
    /// another random access point.
    var continuesSequence: Bool { entryShift != nil }

    mutating func copied(
      _ bytes: () throws(CutError) -> [UInt8], isEntry: Bool
    ) throws(CutError) -> [UInt8]? {
      if isEntry, beginsAnew {
        return framing.pack(try asIDR(bytes()))
      }
      if isEntry, !entry.isIDR {
        shift = entryShift ?? (0, 0)
        if instants == 0 { watched = Self.longestMemory }
      }
      let isAnnexB = framing == .annexB
      let replacesSets = entry.leavesGaps && isAnnexB
      guard shift != nil || replacesSets || (isEntry && isAnnexB) else { return nil }
      let packet = try bytes()
      var units: [[UInt8]] = []
      var isChanged = false
      var marking: BitWriter?
      var hasMarking = false
      for unit in NALUnits(bytes: packet[...], framing: framing) {
        guard let first = unit.first else { continue }
        if first & 0x1F == 5 { shift = nil }
        if isEntry, continuesSequence, first & 0x1F == 6 {
          let payload = NALEscaping.unescaped(unit.dropFirst())
          let kept = Self.withoutEntry(payload)
          if let kept { units.append([first] + NALEscaping.escaped(kept)) }
          isChanged = isChanged || kept != payload
        } else if let shift, first & 0x1F == 1 {
          let slice = try Slice(unit, source)
          if !hasMarking {
            if isEntry {
              followEntry()
              marking = entryMarking
            } else {
              marking = mark(slice.header, slice.payload, shift)
            }
            hasMarking = true
          }
          units.append(shifted(slice, by: shift, marking: marking))
          isChanged = isChanged || shift != (0, 0) || marking != nil
        } else if replacesSets, Array(unit) == sequence.unit {
          units.append(sequenceUnit)
          isChanged = true
        } else {
          units.append(Array(unit))
        }
      }
      if isEntry, isAnnexB, addSets(to: &units) { isChanged = true }
      if instants == 0, !beginsAnew {
        watched -= 1
        if watched <= 0 { shift = nil }
      }
      return isChanged ? framing.pack(units) : nil
    }

    /// Pictures after which nothing of before an entry can be referred to: no decoder holds more.
    private static let longestMemory = 64

    struct Slice {
      var first: UInt8
      var payload: [UInt8]
      var header: H264SliceHeader

      init(_ unit: ArraySlice<UInt8>, _ sets: H264Sets) throws(CutError) {
        payload = NALEscaping.unescaped(unit.dropFirst())
        guard let first = unit.first,
          let header = H264SliceHeader(unit, payload: payload, sets: sets.sets)
        else { throw CutError(.damaged, "a slice of the source is not understood") }
        self.first = first
        self.header = header
      }
    }

    /// Follows the references of a copied picture; the new marking where its own names frames that
    /// are not there.
    private mutating func mark(
      _ header: H264SliceHeader, _ payload: [UInt8],
      _ shift: (frameNumber: UInt32, order: UInt32)
    ) -> BitWriter? {
      let number = (header.frameNumber &+ shift.frameNumber) & frameMask
      // Fields share their frame's number, and are left as they are.
      guard header.nalRefIDC > 0, !header.isField else {
        window.add(number, isReference: header.nalRefIDC > 0, fillsGaps: fillsGaps)
        return nil
      }
      return window.adapt(payload, header.marking, number: number, fillsGaps: fillsGaps)
    }

    /// Marks the entry, and the replaced pictures that are decoded right behind it.
    private mutating func followEntry() {
      guard !hasFollowedEntry, let slice = entry.slice else { return }
      hasFollowedEntry = true
      let shift = entryShift ?? (0, 0)
      entryMarking = mark(slice.header, slice.payload, shift)
      for place in entry.replacedOrder {
        guard let replaced = entry.replaced[place] else { continue }
        markings[place] = mark(replaced.header, replaced.payload, shift)
      }
    }

    private var fillsGaps: Bool { entry.leavesGaps || sequence.allowsGaps }

    private func shifted(
      _ slice: Slice, by shift: (frameNumber: UInt32, order: UInt32), marking: BitWriter?
    ) -> [UInt8] {
      var payload = slice.payload
      let header = slice.header
      Self.replace(
        &payload, at: header.frameNumberPosition, bits: sequence.frameNumberBits,
        by: (header.frameNumber &+ shift.frameNumber) & frameMask)
      if sequence.orderType == 0 {
        Self.replace(
          &payload, at: header.orderPosition, bits: sequence.orderBits,
          by: (header.orderLow &+ shift.order) & orderMask)
      }
      guard let marking else { return [slice.first] + NALEscaping.escaped(payload) }
      var writer = BitWriter()
      writer.copy(payload, from: 0, to: header.marking.lowerBound)
      writer.copy(marking.bytes, from: 0, to: marking.count)
      return [slice.first] + finish(&writer, slice)
    }

    /// Appends what follows the marking: the rest of the header and the slice's data.
    func finish(_ writer: inout BitWriter, _ slice: Slice) -> [UInt8] {
      let (header, payload) = (slice.header, slice.payload)
      writer.copy(payload, from: header.rest.lowerBound, to: header.rest.upperBound)
      if source.sets(header.pictureSet)?.0.isCABAC == true {
        writer.alignWithOnes()
        let start = (header.rest.upperBound + 7) / 8 * 8
        writer.copy(payload, from: start, to: payload.count * 8)
      } else {
        writer.copy(payload, from: header.rest.upperBound, to: Self.stopBit(of: payload))
        writer.finish()
      }
      return NALEscaping.escaped(writer.bytes)
    }

    private static func replace(
      _ payload: inout [UInt8], at position: Int, bits: Int, by value: UInt32
    ) {
      for bit in 0..<bits {
        let mask = UInt8(0x80) >> UInt8((position + bit) % 8)
        if value >> UInt32(bits - 1 - bit) & 1 == 1 {
          payload[(position + bit) / 8] |= mask
        } else {
          payload[(position + bit) / 8] &= ~mask
        }
      }
    }
  }
#endif
