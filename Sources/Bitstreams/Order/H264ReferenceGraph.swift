import MediaFacts

/// The prediction references between H.264 pictures, packet by packet: to reach some of them, the rest need
/// not be decoded.
///
/// It supports progressive frames with short-term references, starting at an IDR picture. To a decoder, a
/// skipped reference is a gap in frame_num (8.2.5.2), filled by a frame with its number, but not its POC or
/// commands. The decoder's reference frames are tracked accordingly.
package struct H264ReferenceGraph {
  /// A frame that is kept for reference.
  private struct Frame: Equatable {
    var place: Int
    var number: Int64
    var order: Int64
  }

  /// What is known about a picture so far.
  private struct Picture {
    /// The reference lists of its slices, concatenated.
    var references: [Int] = []
    var isBidirectional = true
  }

  private var sets: H264Sets
  private let framing: Framing
  private var orders: H264PictureOrder
  private var frames: [Frame] = []
  private var pictures: [Picture] = []
  /// frame_num of the last reference picture.
  private var number: Int64 = 0

  package init(configuration: [UInt8]) {
    sets = H264Sets(configuration: configuration)
    framing = Framing(codec: .h264, configuration: configuration)
    orders = H264PictureOrder(configuration: configuration)
  }

  /// - Parameter isLeftOut: whether a decoder is told to skip the picture.
  /// - Returns: false for what is not understood; no pictures may be skipped then.
  package mutating func add(_ packet: ArraySlice<UInt8>, isLeftOut: Bool = false) -> Bool {
    guard case .picture(let place) = orders.add(packet) else { return false }
    var picture = Picture()
    var first: (header: H264SliceHeader, payload: [UInt8], sequence: H264SPS)?
    for unit in NALUnits(bytes: packet, framing: framing) {
      guard let type = unit.first.map({ $0 & 0x1F }) else { continue }
      if type == 7 || type == 8 { sets.renew([unit]) }
      // Data partitions (Extended profile).
      guard ![2, 3, 4].contains(type) else { return false }
      guard type == 1 || type == 5 else { continue }
      let payload = NALEscaping.unescaped(unit.dropFirst().prefix(2048))
      guard let header = H264SliceHeader(unit, payload: payload, sets: sets.sets),
        let (set, sequence) = sets.sets(header.pictureSet), sequence.onlyFrames,
        !header.resetsOrder
      else { return false }
      if first == nil {
        guard begins(header, sequence) else { return false }
        first = (header, payload, sequence)
      }
      if header.sliceType % 5 != 1 { picture.isBidirectional = false }
      if isLeftOut { continue }
      guard
        let lists = lists(
          header, payload, counts: set.references, modulus(sequence), order: place.order)
      else { return false }
      picture.references += lists
    }
    guard let first else { return false }
    pictures.append(picture)
    guard first.header.nalRefIDC != 0 else { return true }
    number = Int64(first.header.frameNumber)
    guard !isLeftOut else {
      // FFmpeg orders the substitute frame after the previous reference.
      slide(first.sequence)
      let order = (frames.last?.order ?? place.order) + 2
      frames.append(Frame(place: pictures.count - 1, number: number, order: order))
      return !first.header.isIDR
    }
    return mark(first.header, first.payload, first.sequence, order: place.order)
  }

  /// Indices, from the first added picture, of those that some pictures need, and of all that are not
  /// bidirectional: a decoder can only be told to skip bidirectional ones.
  package func needed(by places: some Sequence<Int>) -> Set<Int> {
    var needed: Set<Int> = []
    var open = Array(places) + pictures.indices.filter { !pictures[$0].isBidirectional }
    while let place = open.popLast() {
      guard pictures.indices.contains(place), needed.insert(place).inserted else { continue }
      open += pictures[place].references
    }
    return needed
  }

  /// Whether some pictures have the same references as in another graph of the same packets.
  package func agrees(with other: H264ReferenceGraph, about places: Set<Int>) -> Bool {
    places.allSatisfy { pictures[$0].references == other.pictures[$0].references }
  }

  private func modulus(_ sequence: H264SPS) -> Int64 { 1 << Int64(sequence.frameNumberBits) }

  /// Checks that numbers ascend without gaps (7.4.3); a stream with gaps refers to missing pictures.
  private mutating func begins(_ header: H264SliceHeader, _ sequence: H264SPS) -> Bool {
    guard !header.isIDR else {
      frames = []
      return true
    }
    let next = (number + 1) % modulus(sequence)
    return !pictures.isEmpty && [number, next].contains(Int64(header.frameNumber))
  }

  /// PicNum of a frame (8.2.4.1), as seen from another.
  private static func pictureNumber(_ frame: Frame, from number: Int64, _ modulus: Int64) -> Int64 {
    frame.number > number ? frame.number - modulus : frame.number
  }

  // MARK: Lists

  /// The indices of the pictures in the reference lists of a slice (8.2.4.2).
  private func lists(
    _ header: H264SliceHeader, _ payload: [UInt8], counts: (UInt32, UInt32), _ modulus: Int64,
    order: Int64
  ) -> [Int]? {
    let isBidirectional = header.sliceType % 5 == 1
    guard !header.isIntra else { return [] }
    var reader = BitReader(payload)
    reader.skip(header.references.lowerBound)
    var counts = counts
    guard let overrides = reader.flag() else { return nil }
    if overrides {
      guard let first = reader.exponentialGolomb(), first < 32 else { return nil }
      counts.0 = first + 1
      if isBidirectional {
        guard let second = reader.exponentialGolomb(), second < 32 else { return nil }
        counts.1 = second + 1
      }
    }
    let number = Int64(header.frameNumber)
    guard isBidirectional else {
      let recent = frames.sorted {
        Self.pictureNumber($0, from: number, modulus)
          > Self.pictureNumber($1, from: number, modulus)
      }
      return modified(recent, Int(counts.0), &reader, number, modulus)
    }
    let before = frames.filter { $0.order < order }.sorted { $0.order > $1.order }
    let after = frames.filter { $0.order >= order }.sorted { $0.order < $1.order }
    let first = before + after
    var second = after + before
    if second.count > 1, first == second { second.swapAt(0, 1) }
    guard let places = modified(first, Int(counts.0), &reader, number, modulus),
      let others = modified(second, Int(counts.1), &reader, number, modulus)
    else { return nil }
    return places + others
  }

  /// A list as modified by a slice (8.2.4.3).
  private func modified(
    _ list: [Frame], _ count: Int, _ reader: inout BitReader, _ number: Int64, _ modulus: Int64
  ) -> [Int]? {
    var list = Array(list.prefix(count))
    guard let isModified = reader.flag() else { return nil }
    guard isModified else { return list.map(\.place) }
    var predicted = number
    var index = 0
    while let operation = reader.exponentialGolomb(), operation != 3 {
      guard operation < 2, let difference = reader.exponentialGolomb(), index < 32 else {
        return nil
      }
      let step = Int64(difference) + 1
      predicted = (predicted + (operation == 0 ? modulus - step : step)) % modulus
      guard let frame = frames.first(where: { $0.number == predicted }) else { return nil }
      list.insert(frame, at: min(index, list.count))
      index += 1
      let rest = list[min(index, list.count)...].filter { $0 != frame }
      list = Array((list.prefix(index) + rest).prefix(count))
    }
    return list.map(\.place)
  }

  // MARK: Marking

  /// Keeps a picture for reference, and drops others for it (8.2.5).
  private mutating func mark(
    _ header: H264SliceHeader, _ payload: [UInt8], _ sequence: H264SPS, order: Int64
  ) -> Bool {
    var reader = BitReader(payload)
    reader.skip(header.marking.lowerBound)
    let modulus = modulus(sequence)
    let frame = Frame(place: pictures.count - 1, number: number, order: order)
    let capacity = Int(max(1, sequence.referenceFrames))
    guard !header.isIDR else {
      frames = [frame]
      // Whether earlier pictures are output, and whether it is a long-term reference.
      return reader.skip(1) && reader.flag() == false
    }
    guard let isAdaptive = reader.flag() else { return false }
    if isAdaptive {
      while let operation = reader.exponentialGolomb(), operation != 0 {
        guard operation == 1, let difference = reader.exponentialGolomb() else { return false }
        let target = (number + modulus - (Int64(difference) + 1) % modulus) % modulus
        frames.removeAll { $0.number == target }
      }
    } else {
      slide(sequence)
    }
    frames.append(frame)
    return frames.count <= capacity
  }

  /// Drops the oldest frame where there is no room for another (8.2.5.3).
  private mutating func slide(_ sequence: H264SPS) {
    let modulus = modulus(sequence)
    let current = number
    while frames.count >= Int(max(1, sequence.referenceFrames)),
      let oldest = frames.min(by: {
        Self.pictureNumber($0, from: current, modulus)
          < Self.pictureNumber($1, from: current, modulus)
      })
    {
      frames.removeAll { $0 == oldest }
    }
  }
}
