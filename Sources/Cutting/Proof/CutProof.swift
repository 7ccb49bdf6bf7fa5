import Bitstreams
import ExactTime
import Libav
import MediaFacts
import MediaFiles
import Probing
import Trimming

/// Verifies that a written file matches its plan, before it is published.
struct CutProof {
  let tracks: [OutputTrack]
  /// The fingerprint of every packet as it was handed to the writer.
  let fingerprints: [[UInt64]]
  let source: any CutSource
  let container: OutputContainer
  /// False where whole GOPs were requested, whatever they show.
  var promisesPictures = true
  /// Whether copied data is examined for damage that was in the source.
  var examines = true
  let isFull: Bool
  let limits: Limits
  let isCancelled: @Sendable () -> Bool
  /// Cover pictures that were handed to the writer.
  var covers: [FileCover] = []
  /// The range of the whole cut, in the source and in the output.
  var whole: (source: MediaTimeRange, output: MediaTimeRange)?
  var meter: WorkMeter?
  /// From when on copied audio of a source's track has its upper band, on the source's timeline, where
  /// the plan says that it is not there before; `nil` in it where it is never there.
  var laterBands: [Int: MediaTime?] = [:]

  /// - Returns: what was examined, and the source damage that was copied.
  /// - Throws: ``MediaError`` of code `verificationFailed`, stating what differs from the plan, or
  ///   `damaged` where the source does not provide what was promised.
  @discardableResult
  func check(_ file: InputFile) throws(MediaError) -> CutExamination {
    let written: any CutSource
    do {
      if let native = try ISOCutSource(file, limits: limits, isCancelled: isCancelled) {
        written = native
      } else {
        let cancelled = isCancelled
        written = try PacketCutSource(
          file, limits: limits, isCancelled: isCancelled, progress: { _ in !cancelled() })
      }
    } catch {
      if error.code == .cancelled { throw error }
      if let refusal = unrecognised(fewerThan: container.rules.audio.recognizedPackets) {
        throw refusal
      }
      throw failure("it cannot be read back: \(error.message)")
    }
    try checkDamage(written.facts)
    guard written.tracks.count >= tracks.count else {
      throw failure("it has \(written.tracks.count) tracks, not \(tracks.count)")
    }
    var findings = Findings(tracks, source, whole)
    let budget = budget
    for index in tracks.indices where source.tracks[tracks[index].source].timecode == nil {
      let codec = tracks[index].codec(in: source)
      if container.forgetsPackets(of: codec) {
        try checkStream(written, index)
        try checkGaps(index)
        if container.isISO { try checkRun(written, index) }
        try checkBlocks(index, budget, &findings)
        try checkUpperBand(written, index)
        continue
      }
      try checkStray(index)
      do throws(MediaError) {
        try checkTimes(written, index)
      } catch {
        // Readers of transport streams identify some codecs only by their frames.
        let isOther = written.tracks[index].facts.codec != codec
        if isOther, let refusal = unrecognised(fewerThan: 3) { throw refusal }
        throw error
      }
      try checkContent(written, index, &findings)
      try checkAttachment(written, index)
      try checkSound(written, index, &findings)
      let stretches = stretches(of: written, index, budget) { findings.hasFault($0, index) }
      try checkDecoding(written, index, stretches, &findings)
      if !findings.isDamaged(index) { try checkUpperBand(written, index) }
    }
    try checkCovers(written, budget, &findings)
    try checkLength(written.facts)
    var examination = try findings.examination()
    examination.presented = written.facts.durations.presented?.length
    return examination
  }

  /// The budget for decoding everything that was copied, in addition to what was encoded.
  private var budget: DecodingBudget {
    guard examines else { return DecodingBudget(total: .max / 8, isFull: isFull) }
    return DecodingBudget(
      tracks.filter { $0.made == nil }.map {
        (source.tracks[$0.source].facts, $0.packets.count)
      }, isFull: isFull)
  }

  func failure(_ message: String, _ track: Int? = nil, _ packet: Int? = nil) -> MediaError {
    var error = MediaError(
      .verificationFailed, "the written file differs from its plan: " + message,
      hint: "Nothing was published. This is a bug in the program: please report it.")
    error.difference = track.map { MediaError.Difference(track: $0, packet: packet) }
    return error
  }

  /// With so few packets, readers may take a file for another format, or none.
  private func unrecognised(fewerThan least: Int) -> MediaError? {
    let count = tracks.map(\.packets.count).max() ?? 0
    guard count < least else { return nil }
    return MediaError(
      .notCuttable,
      "the part has only \(count == 1 ? "1 audio packet" : "\(count) audio packets"), too few "
        + "for a \(container.rules.ending) file to be recognized",
      hint: "Make it longer, or write .mka."
    )
  }

  private func checkDamage(_ facts: MediaFacts) throws(MediaError) {
    if let damage = facts.damage.first { throw failure(damage.text) }
  }

  /// WAV keeps samples, not packets: their concatenation is compared.
  private func checkStream(_ written: any CutSource, _ index: Int) throws(MediaError) {
    let packets = written.tracks[index].coded.packets
    try written.prepare([index: [packets.indices]])
    var print = Fingerprint()
    for place in packets.indices { print.append(try written.bytes(ofTrack: index, place)) }
    guard [print.value] == fingerprints[index] else {
      throw failure(
        "the samples of track \(index + 1) differ from those that were written", index)
    }
    let track = tracks[index]
    // Containers count compressed blocks differently; uncompressed samples are counted as such.
    guard AudioCodec.isUncompressed(track.codec(in: source)) else { return }
    let (length, wanted, difference): (MediaDuration, MediaDuration, MediaDuration)
    do throws(ExactTimeError) {
      let end = packets.last.map { $0.pts &+ max(0, $0.duration) } ?? 0
      length = try written.tracks[index].coded.grid.duration(
        ofTicks: end &- (packets.first?.pts ?? end))
      wanted = try track.grid.duration(
        ofTicks: track.packets.reduce(0) { $0 &+ max(0, $1.duration) })
      difference = try length.subtracting(wanted).checkedMagnitude()
    } catch {
      throw MediaError.beyondNumbers
    }
    guard difference <= Self.streamTolerance else {
      throw failure("track \(index + 1) is \(length) s long, not \(wanted) s", index)
    }
  }

  /// More than parts can be moved by at their seams: miscounted audio is off by far more.
  private static let streamTolerance = MediaDuration(1, 10)

  /// Compares every packet with what was handed to the writer, and inspects the bytes of those
  /// that were copied.
  private func checkContent(
    _ written: any CutSource, _ index: Int, _ findings: inout Findings
  ) throws(MediaError) {
    let found = written.tracks[index]
    let codec = tracks[index].codec(in: source)
    // Readers could not use it, even if every byte is right.
    if found.facts.codec == .unstated, codec != .unstated, !tracks[index].packets.isEmpty {
      throw failure("it does not state the codec of track \(index + 1), which is \(codec)", index)
    }
    if source.tracks[tracks[index].source].facts.kind == .subtitle {
      guard SubtitleCodec.isStoredAlike(codec) else { return }
      guard found.facts.codec == codec else {
        throw failure("track \(index + 1) is read as \(found.facts.codec), not \(codec)", index)
      }
    }
    let packets = found.coded.packets
    try written.prepare([index: [0..<packets.count]])
    let repeated = source.tracks[tracks[index].source].repeatedUnits
    var inspector = PacketInspector(
      codec: found.facts.codec, configuration: found.configuration, framing: found.framing)
    let corrupt = source.tracks[tracks[index].source].corrupt
    let strays = source.tracks[tracks[index].source].strays
    if examines, inspector.understands { findings.inspected(index) }
    // Faults in headers outside the packets are attributed to the first copied packet.
    if examines, let fault = inspector.configurationFault {
      let first = tracks[index].packets.firstIndex { !$0.isMade } ?? 0
      findings.add(CutDamage.Kind(fault.kind), fault.text, first, index)
    }
    for place in packets.indices {
      if isCancelled() { throw MediaError.cancelled }
      let bytes = try written.bytes(ofTrack: index, place)
      meter?.didPass(bytes: bytes.count)
      let alpha = try written.alpha(ofTrack: index, place)
      let print = Fingerprint.of(
        alpha.map { bytes + $0 } ?? bytes, codec: found.facts.codec, framing: found.framing,
        repeated: repeated)
      guard print == fingerprints[index][place] else {
        throw failure(
          "packet \(place) of track \(index + 1) differs from what was written", index, place)
      }
      guard examines else { continue }
      let packet = tracks[index].packets[place]
      // Generated packets are also inspected: parameter sets may come with them.
      if let fault = inspector.fault(in: bytes), !packet.isMade {
        findings.add(CutDamage.Kind(fault.kind), fault.text, place, index)
      }
      if let stated = strays[packet.place] {
        let isSound = found.facts.kind == .audio
        findings.add(.timing, Self.strayText(stated, isSound: isSound), place, index)
      }
      if corrupt.contains(packet.place), !packet.isMade {
        findings.add(.transport, "the container marks it as damaged", place, index)
      }
    }
  }

  private static func strayText(_ stated: MediaTime, isSound: Bool) -> String {
    "its PTS (\(SecondsText.text(stated.seconds)) s) is far from those of the "
      + "\(isSound ? "packets" : "pictures") around it"
  }

  /// An attachment has no packets: the file is the entire track.
  private func checkAttachment(_ written: any CutSource, _ index: Int) throws(MediaError) {
    let track = source.tracks[tracks[index].source]
    guard track.facts.kind == .attachment else { return }
    let found = written.tracks[index]
    guard found.configuration == track.configuration,
      found.attachedByteCount == track.attachedByteCount
    else {
      throw failure("the attachment of track \(index + 1) differs from that of the source", index)
    }
  }

  private func checkLength(_ facts: MediaFacts) throws(MediaError) {
    guard container.isISO, let declared = facts.durations.declared?.length,
      let presented = facts.durations.presented?.length
    else { return }
    let difference = (try? declared.subtracting(presented).checkedMagnitude()) ?? presented
    // An edit may end within a sample, which readers present in full.
    let samples = tracks.filter { AudioCodec.isUncompressed($0.codec(in: source)) }
      .compactMap { try? $0.grid.duration(ofTicks: 1) }
    guard difference <= max(MediaDuration(1, 1_000_000), samples.max() ?? .zero) else {
      throw failure("it declares \(declared) s but presents \(presented) s")
    }
  }
}
