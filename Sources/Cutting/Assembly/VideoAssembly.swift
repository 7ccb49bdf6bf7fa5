import Bitstreams
import ExactTime
import Libav
import MediaFacts
import MediaFiles
import Trimming

/// Creates the packets of one video track according to its plan.
struct VideoAssembly {
  let source: any CutSource
  let index: Int
  let spool: PayloadSpool
  /// Minimum number of ticks from DTS to PTS.
  let delay: Int64
  let limits: Limits
  let isCancelled: @Sendable () -> Bool
  var meter: WorkMeter?
  /// Whether the output supports an alpha channel.
  var keepsAlpha = false
  /// When the frame that is on screen at IN is shown, in ticks of the source; `nil` if one begins
  /// there.
  var leadTime: Rational?
  /// The number of parts each tick is divided into, so that IN falls on one.
  var ticksPerTick: Int64 = 1
  /// How to encode edges whose format differs from the copied run.
  var head: Edge?
  var tail: Edge?

  /// An edge that is re-encoded with its own parameter sets.
  struct Edge {
    var joiner: any EdgeJoiner
    let choice: EncoderChoice?
  }

  /// - Parameters:
  ///   - encodes: how to re-encode pictures; `nil` where there is no encoder.
  func packets(
    _ cut: VideoCut, encodes choice: EncoderChoice?, joiner: inout any EdgeJoiner
  ) throws(MediaError) -> ContiguousArray<OutputPacket> {
    var result: ContiguousArray<OutputPacket> = []
    result.reserveCapacity(cut.frameCount)
    var replacements: [Int: OutputPacket] = [:]
    let packets = source.tracks[index].coded.packets
    if cut.encodedCount > 0 {
      guard let choice else {
        throw MediaError(
          .codecMissing, "there is no encoder for \(source.tracks[index].facts.codec)",
          hint: "Cut at keyframes, which needs no re-encoding.")
      }
      let shown = cut.head.sorted { packets[$0].pts < packets[$1].pts }
      let head = EdgeEncoder.Run(
        places: shown + cut.replaced.sorted { packets[$0].pts < packets[$1].pts },
        intra: try Set(cut.replaced).union(
          beginning(in: shown, before: cut.copied.first, interval: choice.interval)),
        source: cut.headSource)
      let replaced = Set(cut.replaced)
      try encode(head, choice, &joiner, apart: self.head) { packet in
        if replaced.contains(packet.place) {
          replacements[packet.place] = packet
        } else {
          result.append(packet)
        }
      }
      try append(cut, replacements, &joiner, to: &result)
      let tail = EdgeEncoder.Run(
        places: cut.tail.sorted { packets[$0].pts < packets[$1].pts }, source: cut.tailSource)
      try encode(tail, choice, &joiner, apart: self.tail) { packet in result.append(packet) }
    } else {
      try append(cut, [:], &joiner, to: &result)
    }
    try time(&result, cut)
    return result
  }

  /// Gives packets their ticks in the output, and decoding times.
  func time(
    _ result: inout ContiguousArray<OutputPacket>, _ cut: VideoCut
  ) throws(MediaError) {
    let pace = pace(of: result)
    do throws(ExactTimeError) {
      try divideTicks(of: &result, cut)
    } catch {
      throw MediaError.beyondNumbers
    }
    result.stampDecoding(
      delay: delay &* ticksPerTick, pace: pace.map { $0 &* ticksPerTick })
  }

  /// The frame that is on screen at IN begins there, and lasts for the rest of its duration.
  private func divideTicks(
    of packets: inout ContiguousArray<OutputPacket>, _ cut: VideoCut
  ) throws(ExactTimeError) {
    let factor = Rational(ticksPerTick)
    if ticksPerTick != 1 {
      for place in packets.indices {
        packets[place].pts = try Rational(packets[place].pts).multiplied(by: factor)
          .rounded(.nearest)
        packets[place].duration = try Rational(packets[place].duration).multiplied(by: factor)
          .rounded(.nearest)
      }
    }
    guard let lead = cut.lead, let leadTime,
      let place = packets.firstIndex(where: { $0.place == lead })
    else { return }
    let begin = try leadTime.multiplied(by: factor).rounded(.nearest)
    let late = begin &- packets[place].pts
    packets[place].pts = begin
    let next = packets.lazy.map(\.pts).filter { $0 > begin }.min()
    packets[place].duration = max(1, next.map { $0 &- begin } ?? packets[place].duration &- late)
  }

  private func pace(of result: ContiguousArray<OutputPacket>) -> Int64? {
    let places = result.map(\.place)
    guard let first = places.min(), let last = places.max(), last > first else { return nil }
    let packets = source.tracks[index].coded.packets
    let pace = packets[first + 1].dts &- packets[first].dts
    let isEven = (first..<last).allSatisfy { packets[$0 + 1].dts &- packets[$0].dts == pace }
    return isEven && pace > 0 ? pace : nil
  }

  private func encode(
    _ run: EdgeEncoder.Run, _ choice: EncoderChoice, _ joiner: inout any EdgeJoiner,
    apart edge: Edge?, _ take: (OutputPacket) -> Void
  ) throws(MediaError) {
    guard let first = run.places.min(), let last = run.places.max() else { return }
    try source.prepare([index: [run.source]])
    if let change = try CodedFormat.change(in: run.source, of: source, track: index),
      first < change, change <= last
    {
      throw .formatChanges
    }
    do throws(MediaError) {
      if var own = edge?.joiner {
        try encodePictures(run, edge?.choice ?? choice, &own, isSeparate: true, take)
      } else {
        try encodePictures(run, choice, &joiner, isSeparate: false, take)
      }
    } catch {
      // Pictures do not fit between their neighbors if their order is inconsistent.
      guard error == .unplaced || error.code == .damaged,
        let place = try disorder(in: run.source)
      else { throw error }
      throw .damaged(source.tracks[index], places: [place], MediaError.disorderText)
    }
  }

  private func disorder(in range: Range<Int>) throws(MediaError) -> Int? {
    let decoder = StretchDecoder(
      source: source, track: index, checksChecksums: false, limits: limits,
      isCancelled: isCancelled)
    return try decoder.decode(from: range.lowerBound, through: range.upperBound)
      .disorder(among: range.contains)
  }

  private func encodePictures(
    _ run: EdgeEncoder.Run, _ choice: EncoderChoice, _ joiner: inout any EdgeJoiner,
    isSeparate: Bool, _ take: (OutputPacket) -> Void
  ) throws(MediaError) {
    let track = source.tracks[index]
    var isFirst = true
    let takesShown = joiner.takesShownPictures
    var made: [OutputPacket] = []
    try pictures(run, choice, takesShown: takesShown, isSeparate: isSeparate) {
      (picture, configuration) throws(MediaError) in
      let role: PictureRole =
        run.intra.contains(picture.place)
        ? .replacing(place: picture.place)
        : isFirst || picture.packet.isKey ? .first : .following
      isFirst = false
      meter?.didEncodeFrame(ofTrack: index)
      var bytes = try joiner.encoded(
        picture.packet.bytes, configuration: configuration, as: role)
      try addMetadata(to: &bytes, of: picture.place)
      let slot = try spool.add(bytes)
      let packet = track.coded.packets[picture.place]
      made.append(
        OutputPacket(
          pts: packet.pts, dts: 0, duration: packet.duration, isKey: role == .first,
          byteCount: bytes.count, payload: .made(slot), place: picture.place,
          means: picture.means))
    }
    let alphas = try alphas(run, keys: Set(made.filter(\.isKey).map(\.place)), choice)
    for var packet in made {
      packet.madeAlpha = alphas[packet.place]
      take(packet)
    }
  }

  /// Encodes a run; if the quality depends on the source, it begins again with another one where
  /// the first pictures have too many or too few bytes.
  private func pictures(
    _ run: EdgeEncoder.Run, _ choice: EncoderChoice, takesShown: Bool, isSeparate: Bool,
    _ emit: (EdgeEncoder.Picture, [UInt8]) throws(MediaError) -> Void
  ) throws(MediaError) {
    let track = source.tracks[index]
    let choice = try quantiser(run).map(choice.asFine) ?? choice
    var encoder = EdgeEncoder(
      source: source, track: index, settings: choice.settings(track.facts.video),
      takesShown: takesShown, isSeparate: isSeparate, limits: limits, isCancelled: isCancelled,
      meter: meter)
    guard let adaptation = choice.adaptation else {
      return try encoder.encode(run, emit: emit)
    }
    let bounds = EdgeQuality(
      packets: track.coded.packets, byteCount: { try? source.byteCount(ofTrack: index, $0) }
    ).bounds(run, first: adaptation.trial)
    let trial = min(adaptation.trial, run.places.count)
    // The trial is part of the edge if its size is right.
    var held: [(EdgeEncoder.Picture, [UInt8])] = []
    var bytes = 0
    var isTrial = true
    var other: EncoderChoice?
    try encoder.encode(
      run, isEnough: { other != nil },
      emit: { (picture, configuration) throws(MediaError) in
        guard isTrial else {
          if other == nil { try emit(picture, configuration) }
          return
        }
        held.append((picture, configuration))
        bytes += picture.packet.bytes.count
        guard held.count == trial else { return }
        isTrial = false
        other = choice.adapted(bytes, to: bounds)
        guard other == nil else { return }
        for (picture, configuration) in held { try emit(picture, configuration) }
        held = []
      })
    guard let other else {
      // Fewer pictures than the trial asks for.
      for (picture, configuration) in held { try emit(picture, configuration) }
      return
    }
    encoder.settings = other.settings(track.facts.video)
    try encoder.encode(run, emit: emit)
  }

  /// The finest quantiser of the pictures that a run is decoded from; `nil` for codecs whose
  /// quality is adapted by size.
  private func quantiser(_ run: EdgeEncoder.Run) throws(MediaError) -> Int? {
    let track = source.tracks[index]
    guard
      let reader = PictureQuantiser(
        codec: track.facts.codec, configuration: track.configuration)
    else { return nil }
    var finest: Int?
    for place in run.source {
      guard let value = reader.quantiser(of: try source.bytes(ofTrack: index, place)) else {
        continue
      }
      finest = min(finest ?? value, value)
    }
    // Levels of a step of one cannot express a hard edge (ITU-T H.263, 5.4.2): where the source
    // used it, pictures would lose more there than they gain elsewhere.
    return finest.map { track.facts.codec.isOne(of: .mpeg4, .flv1) ? $0 : max(2, $0) }
  }

  private func addMetadata(to bytes: inout [UInt8], of place: Int) throws(MediaError) {
    let track = source.tracks[index]
    guard let reader = PictureMetadata.Reader(codec: track.facts.codec, framing: track.framing)
    else { return }
    let metadata = reader.metadata(of: try source.bytes(ofTrack: index, place))
    guard !metadata.hasEnhancement else {
      throw MediaError(
        .notCuttable,
        "track \(track.facts.id) is dual-layer Dolby Vision, and only one layer can be re-encoded",
        hint: "Cut at keyframes, which needs no re-encoding.")
    }
    bytes = metadata.added(to: bytes)
  }

  private func append(
    _ cut: VideoCut, _ replacements: [Int: OutputPacket], _ joiner: inout any EdgeJoiner,
    to result: inout ContiguousArray<OutputPacket>
  ) throws(MediaError) {
    let left = Set(cut.left)
    let packets = source.tracks[index].coded.packets
    for place in cut.copied {
      if left.contains(place) {
        if let packet = replacements[place] { result.append(packet) }
        continue
      }
      if isCancelled() { throw MediaError.cancelled }
      let packet = packets[place]
      let isEntry = place == cut.copied.lowerBound
      var output = OutputPacket(
        pts: packet.pts, dts: 0, duration: packet.duration,
        isKey: packet.isKey && !(isEntry && joiner.continuesSequence),
        byteCount: try source.byteCount(ofTrack: index, place), payload: .source(place: place),
        place: place)
      let changed = try joiner.copied(
        { () throws(MediaError) in try source.bytes(ofTrack: index, place) },
        as: isEntry ? .entry : packet.isKey ? .keyframe : .following)
      if let changed {
        output.byteCount = changed.count
        output.payload = .made(try spool.add(changed))
        output.isCopiedPicture = true
      }
      result.append(output)
    }
  }
}
