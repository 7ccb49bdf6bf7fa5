import Bitstreams
import MediaFacts
import MediaFiles
import Trimming

extension Joiners {
  /// - Throws: ``MediaError`` of code `notCuttable` where the source's and the encoder's slices
  ///   cannot share one SPS.
  static func h264(
    _ index: Int, of source: any CutSource, in container: OutputContainer,
    encoding cut: VideoCut, _ formats: EntryFormats?, besides others: Bool, keepsSets: Bool
  ) throws(MediaError) -> any EdgeJoiner {
    let track = source.tracks[index]
    let framing = track.framing
    let sets = try sets(at: cut.copied.first, index, source)
    guard cut.copiedCount > 0 || others else {
      // If presentation times depend on the decoder's delay, it must equal the source's.
      let waiting =
        container.rules.pictures.hasFixedFrameRate ? source.slotsWaited(byTrack: index) : 0
      return H264OwnJoiner(source: sets, framing: framing, waiting: waiting)
    }
    let entry = try entry(index, of: source, cut, sets, framing)
    guard
      let sequence = entry.slice.flatMap({ sets.sets($0.header.pictureSet)?.1 })
        ?? sets.sequences.last
    else { throw unjoinable("it has no sequence parameter set") }
    if cut.encodedCount > 0 || others {
      try check(sets)
      let stated = H264Sets(configuration: track.configuration).sequenceUnits
      guard formats != nil || stated.allSatisfy({ size($0) == size(sequence.unit) }) else {
        throw unjoinable(sizeChanges)
      }
    }
    if let last = try sequenceBehind(cut, index, source), !isAlike(last, sequence) {
      throw unjoinable(sizeChanges)
    }
    if sequence.orderType == 1, !entry.isIDR, !cut.head.isEmpty || !cut.replaced.isEmpty {
      throw unjoinable("its picture order is derived from frame numbers (type 1)")
    }
    // Encoded pictures are not reordered: decoders cannot learn from them that copied ones are.
    let waiting = cut.encodedCount > 0 || others ? waitingFrames(of: track.coded) : 0
    return H264Joiner(
      source: sets, sequence: sequence, framing: framing, keepsSets: keepsSets, entry: entry,
      reordering: waiting > 0 ? waiting : nil)
  }

  /// The new SPS states the source's reordering depth.
  ///
  /// Otherwise FFmpeg drops the reordered pictures that follow, up to the next keyframe.
  ///
  /// - Parameter sets: the active parameter sets, in Annex B format.
  static func h264Separate(_ sets: [UInt8], of track: SourceTrack) -> any EdgeJoiner {
    H264OwnJoiner(
      source: H264Sets(configuration: sets), framing: track.framing,
      waiting: waitingFrames(of: track.coded), keepsSets: true)
  }

  /// The sets active at a picture, starting from the header's or the stream's first ones.
  private static func sets(
    at entry: Int?, _ index: Int, _ source: any CutSource
  ) throws(MediaError) -> H264Sets {
    let track = source.tracks[index]
    var sets = H264Sets(configuration: track.configuration)
    func units(_ place: Int) throws(MediaError) -> NALUnits {
      NALUnits(bytes: try source.bytes(ofTrack: index, place)[...], framing: track.framing)
    }
    // The header may be missing; the configuration of an MP4 sample is made from the stream.
    let isMade = track.isReframed && track.framing != .annexB
    if !isMade, !track.coded.packets.isEmpty { sets.add(try units(track.describedAt ?? 0)) }
    if let entry { sets.renew(try units(entry)) }
    return sets
  }

  /// Maximum number of frames that are decoded before a frame and shown after it.
  private static func waitingFrames(of track: CodedTrack) -> Int {
    let packets = track.packets
    var most = 0
    for place in packets.indices {
      // No decoder holds more than 16 (ITU-T H.264, A.3.1).
      let before = packets[max(0, place - 16)..<place]
      most = max(most, before.count { $0.pts > packets[place].pts })
    }
    return most
  }

  /// Several SPSs can share one configuration if they do not differ in anything that matters to
  /// an encoder.
  private static func check(_ sets: H264Sets) throws(MediaError) {
    guard sets.sequences.count > 1 else { return }
    guard Set(sets.sequences.map(\.id)).count == sets.sequences.count else {
      throw unjoinable("one sequence parameter set replaces another mid-stream")
    }
    guard Set(sets.sequenceUnits.map(size)).count == 1 else { throw unjoinable(sizeChanges) }
  }

  private static let sizeChanges = "its frame size or bit depth changes mid-stream"

  private static func size(_ unit: [UInt8]) -> [Int?] {
    let header = H264SPS(unit)?.header
    return [header?.width, header?.height, header?.bitDepth]
  }

  /// The SPS for pictures re-encoded after the copied run, from the stream; `nil` where it has
  /// none.
  private static func sequenceBehind(
    _ cut: VideoCut, _ index: Int, _ source: any CutSource
  ) throws(MediaError) -> H264SPS? {
    guard !cut.tail.isEmpty, let place = cut.tailSource.first else { return nil }
    var sets = H264Sets(configuration: [])
    let packet = try source.bytes(ofTrack: index, place)
    sets.add(NALUnits(bytes: packet[...], framing: source.tracks[index].framing))
    return sets.sequences.last
  }

  /// Whether both SPSs have the same video format: the tail is encoded under that of the copied
  /// run.
  private static func isAlike(_ one: H264SPS, _ other: H264SPS) -> Bool {
    size(one.unit) == size(other.unit) && one.chromaFormat == other.chromaFormat
  }

  private static func unjoinable(_ reason: String) -> MediaError {
    MediaError(
      .notCuttable, "its H.264 video cannot be joined with re-encoded frames: \(reason)",
      hint: "Re-encode all of it (mode: reencode), or cut at keyframes (mode: copy).")
  }

  private static func entry(
    _ index: Int, of source: any CutSource, _ cut: VideoCut, _ sets: H264Sets, _ framing: Framing
  ) throws(MediaError) -> H264Joiner.Entry {
    var entry = H264Joiner.Entry()
    guard cut.copiedCount > 0 else { return entry }
    guard let first = cut.copied.first,
      let (header, payload) = try firstSlice(first, index, source, sets, framing)
    else { throw unjoinable("its first slice cannot be parsed") }
    entry.slice = (header, payload)
    entry.canBecomeIDR = try isFrameOfISlices(first, index, source, sets, framing)
    entry.replacedOrder = cut.left
    entry.isIDR = header.isIDR
    entry.instantID = header.instantID
    entry.frameNumber = header.frameNumber
    var orders: [UInt32] = [header.orderLow]
    let replaced = Set(cut.replaced)
    try source.prepare([index: cut.left.map { $0..<$0 + 1 }])
    for place in cut.left {
      guard let (slice, payload) = try firstSlice(place, index, source, sets, framing) else {
        throw unjoinable("a slice cannot be parsed")
      }
      if replaced.contains(place) {
        entry.replaced[place] = (slice, payload)
        orders.append(slice.orderLow)
      } else if slice.nalRefIDC > 0 {
        entry.leavesGaps = true
      }
    }
    // The lowest relative to the entry's, since the LSB wraps around.
    let bits = UInt32(sets.sets(header.pictureSet)?.1.orderBits ?? 4)
    let half = Int64(1) << Int64(bits - 1)
    entry.order =
      orders.min { first, second in
        func distance(_ order: UInt32) -> Int64 {
          let raw = (Int64(order) - Int64(header.orderLow)) & (half * 2 - 1)
          return raw >= half ? raw - half * 2 : raw
        }
        return distance(first) < distance(second)
      } ?? header.orderLow
    return entry
  }

  private static func isFrameOfISlices(
    _ place: Int, _ index: Int, _ source: any CutSource, _ sets: H264Sets, _ framing: Framing
  ) throws(MediaError) -> Bool {
    let packet = try source.bytes(ofTrack: index, place)
    for unit in NALUnits(bytes: packet[...], framing: framing) {
      guard let first = unit.first, (1...5).contains(first & 0x1F) else { continue }
      let payload = NALEscaping.unescaped(unit.dropFirst())
      guard let header = H264SliceHeader(unit, payload: payload, sets: sets.sets),
        header.sliceType % 5 == 2, !header.isField, header.nalRefIDC > 0
      else { return false }
    }
    return true
  }

  private static func firstSlice(
    _ place: Int, _ index: Int, _ source: any CutSource, _ sets: H264Sets, _ framing: Framing
  ) throws(MediaError) -> (H264SliceHeader, [UInt8])? {
    let packet = try source.bytes(ofTrack: index, place)
    for unit in NALUnits(bytes: packet[...], framing: framing) {
      guard let first = unit.first, [1, 5].contains(first & 0x1F) else { continue }
      let payload = NALEscaping.unescaped(unit.dropFirst())
      return H264SliceHeader(unit, payload: payload, sets: sets.sets).map { ($0, payload) }
    }
    return nil
  }
}
