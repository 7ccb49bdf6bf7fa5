import Bitstreams
import ExactTime
import MediaFacts
import MediaFiles
import Trimming

/// Creates the packets of one audio track according to its plan.
struct AudioAssembly {
  let source: any CutSource
  let index: Int
  let container: OutputContainer
  let spool: PayloadSpool
  /// Whether nothing is heard before this part in the output.
  let isFirst: Bool

  var samples: SampleSlice { SampleSlice(source: source, index: index, spool: spool) }

  /// - Parameter cut: extended by what must be inserted before its first packet.
  func packets(_ cut: inout AudioCut) throws(MediaError) -> ContiguousArray<OutputPacket> {
    let track = source.tracks[index]
    var result: ContiguousArray<OutputPacket> = []
    result.reserveCapacity(cut.copied.count + 1)
    let packets = container.rules.heardWhole(track.coded).packets
    for place in cut.copied {
      let packet = packets[place]
      result.append(
        OutputPacket(
          pts: packet.pts, dts: packet.pts, duration: packet.duration, isKey: packet.isKey,
          byteCount: try source.byteCount(ofTrack: index, place), payload: .source(place: place),
          place: place))
    }
    closeLead(&result, cut, track.coded)
    if isFirst, track.facts.codec == .mp3, container.hidesSamples(of: .mp3) {
      try prependReservoir(&result, &cut)
    } else if track.facts.codec == .mp3, !container.hidesSamples(of: .mp3) {
      try completeFirst(&result, cut)
    } else if AudioCodec.isUncompressed(track.facts.codec) {
      try slice(&result, &cut)
      if container.isISO { try fillGaps(&result) }
    } else if container.isISO, let size = track.blockByteCount {
      result = try blocks(of: result, size, &cut)
    } else if container.rules.audio.partsFrames {
      result = try frames(of: result, cut)
    } else if track.facts.codec == .flac, container.rules.audio.numbersFrames, isFirst {
      try renumber(&result)
    } else if isFirst, track.facts.codec == .aacLATM {
      try describeFirst(&result)
    } else if isFirst, track.facts.codec == .vorbis, container.rules.audio.vorbis == .firstIsMute {
      placeLead(&result, cut)
    }
    return result
  }

  /// Moves priming packets directly before the audible packets, even if the source has a gap
  /// between them: what is hidden is counted in packets, without gaps.
  private func closeLead(
    _ packets: inout ContiguousArray<OutputPacket>, _ cut: AudioCut, _ coded: CodedTrack
  ) {
    var hidden = cut.hiddenStart
    var count = 0
    while count + 1 < packets.count {
      hidden &-= coded.leadLength(of: packets[count].place)
      guard hidden >= 0 else { break }
      count += 1
    }
    for place in (0..<count).reversed() {
      let length = coded.leadLength(of: packets[place].place)
      let start = packets[place + 1].pts &- length
      guard start != packets[place].pts else { continue }
      (packets[place].pts, packets[place].dts, packets[place].duration) = (start, start, length)
    }
  }

  /// Places the priming packet of Vorbis, which is not heard and cannot have a negative time,
  /// before the second packet.
  private func placeLead(_ packets: inout ContiguousArray<OutputPacket>, _ cut: AudioCut) {
    guard packets.count > 1, packets[0].pts < packets[1].pts &- cut.hiddenStart else { return }
    packets[0].pts = packets[1].pts &- cut.hiddenStart
    packets[0].dts = packets[0].pts
    packets[0].duration = cut.hiddenStart
  }

  /// Adds the description of the format to the first packet, since no earlier packet of the
  /// output states it.
  private func describeFirst(
    _ packets: inout ContiguousArray<OutputPacket>
  ) throws(MediaError) {
    guard let first = packets.first?.place else { return }
    guard let bare = LATMPacket(try source.bytes(ofTrack: index, first)), !bare.isDescribed else {
      return
    }
    // FFmpeg describes every twentieth packet; broadcasters all of them, or several per second.
    let before = max(0, first - 256)..<first
    try source.prepare([index: [before]])
    for place in before.reversed() {
      guard let packet = LATMPacket(try source.bytes(ofTrack: index, place)), packet.isDescribed
      else { continue }
      guard let changed = bare.described(as: packet) else { return }
      packets[0].byteCount = changed.count
      packets[0].payload = .made(try spool.add(changed))
      packets[0].isRenumbered = true
      return
    }
  }

  /// Renumbers frames: a raw FLAC stream is timed by frame numbers.
  private func renumber(_ packets: inout ContiguousArray<OutputPacket>) throws(MediaError) {
    var first: UInt64?
    for place in packets.indices {
      let frame = try source.bytes(ofTrack: index, packets[place].place)
      guard let number = FLACFrame.number(of: frame) else { return }
      let zero = first ?? number
      first = zero
      guard number >= zero, let changed = FLACFrame.renumbered(frame, as: number - zero) else {
        return
      }
      packets[place].byteCount = changed.count
      packets[place].payload = .made(try spool.add(changed))
      packets[place].isRenumbered = true
    }
  }

  /// Makes the first MP3 frame self-contained: adds the bit reservoir data that it needs from
  /// earlier frames.
  private func completeFirst(
    _ packets: inout ContiguousArray<OutputPacket>, _ cut: AudioCut
  ) throws(MediaError) {
    guard !packets.isEmpty else { return }
    let before = max(0, cut.copied.lowerBound - 12)..<cut.copied.lowerBound
    try source.prepare([index: [before]])
    var frames: [[UInt8]] = []
    for place in before { frames.append(try source.bytes(ofTrack: index, place)) }
    let first = try source.bytes(ofTrack: index, cut.copied.lowerBound)
    guard let frame = MPEGReservoir.whole(first, after: frames) else { return }
    packets[0].byteCount = frame.count
    packets[0].payload = .made(try spool.add(frame))
    packets[0].isRenumbered = true
  }

  private func prependReservoir(
    _ packets: inout ContiguousArray<OutputPacket>, _ cut: inout AudioCut
  ) throws(MediaError) {
    guard let first = packets.first, first.duration > 0 else { return }
    let before = max(0, cut.copied.lowerBound - 12)..<cut.copied.lowerBound
    try source.prepare([index: [before]])
    var frames: [[UInt8]] = []
    for place in before { frames.append(try source.bytes(ofTrack: index, place)) }
    let next = try source.bytes(ofTrack: index, cut.copied.lowerBound)
    guard let frame = MPEGReservoir.frame(before: next, from: frames) else { return }
    packets.insert(
      OutputPacket(
        pts: first.pts - first.duration, dts: first.pts - first.duration,
        duration: first.duration, isKey: true, byteCount: frame.count,
        payload: .made(try spool.add(frame)), place: first.place), at: 0)
    cut.hiddenStart += first.duration
  }

  /// Cuts uncompressed audio between any two samples.
  private func slice(
    _ packets: inout ContiguousArray<OutputPacket>, _ cut: inout AudioCut
  ) throws(MediaError) {
    if cut.hiddenEnd > 0, let last = packets.indices.last {
      try samples.shorten(&packets[last], from: 0, to: packets[last].duration - cut.hiddenEnd)
      cut.hiddenEnd = 0
    }
    if cut.hiddenStart > 0, !packets.isEmpty {
      let hidden = cut.hiddenStart
      try samples.shorten(&packets[0], from: hidden, to: packets[0].duration)
      cut.hiddenStart = 0
    }
  }
}
