import Bitstreams
import ExactTime
package import Libav
package import MediaFacts
package import MediaFiles

/// Decodes everything that is presented and adds up the output.
package struct FrameProbe {
  private var scan = FileScan()
  /// Packets that the decoder rejected and frames that were decoded with errors, by stream.
  private var refused: [Int: Int] = [:]
  /// Packets without speech that the decoder skips, by stream.
  private var silences: [Int: Int] = [:]
  /// Streams in which a keyframe was found.
  private var entered: Set<Int> = []
  private var damagedFrames: [Int: Int] = [:]
  /// Sample rates of streams without a container, whose frames may have different ones.
  private var bareRates: [Int: Int] = [:]
  /// Streams with nothing decoded yet, in which nothing before zero is audible (Vorbis I, A.2).
  private var clipped: Set<Int> = []
  private var packetCounts: [Int: Int] = [:]
  private var decodedFrames: [Int: Int] = [:]
  /// The times of packets without timestamps, by stream and number.
  private let times: [Int: [Int: Int64]]
  /// Streams that no decoder of the allow-list accepts.
  private var undecoded: [Int: String] = [:]

  /// How many empty packets repeat the last frame of a stream.
  private let repeats: [Int: Int64]
  /// Long pauses of a stream over which its clock continues.
  private let pauses: [Int: [StreamPause]]

  package init(
    times: [Int: [Int: Int64]] = [:], repeats: [Int: Int64] = [:],
    pauses: [Int: [StreamPause]] = [:]
  ) {
    self.times = times
    self.repeats = repeats
    self.pauses = pauses
  }

  /// Decodes from the first packet to the last.
  ///
  /// - Parameters:
  ///   - tracks: the facts of the streams to decode.
  ///   - lastLengths: the container's duration of the last frame of each video stream, in its
  ///     ticks; FFmpeg makes up what it does not read.
  ///   - cutShort: where truncated frames begin, by stream; a decoder may output something else
  ///     than their audio.
  ///   - link: what Ogg pages state about their streams.
  ///   - heartbeat: called at least once for every frame.
  package mutating func run(
    _ demuxer: inout Demuxer, tracks: [TrackFacts], mayJump: Bool, isBare: Bool,
    lastLengths: [Int: Int64], cutShort: [Int: Int64], link: OggChain.Link?, limits: Limits,
    byteCount: Int64?, heartbeat: () -> Void, progress: (ProbeProgress) -> Bool
  ) throws(MediaError) {
    let streams = Set(tracks.map(\.index))
    demuxer.discard(allBut: streams)
    var limits = limits.demuxer
    limits.pixels = limits.pixels(ofEachOf: tracks.count { $0.kind == .video })
    var slots: [Int: Int] = [:]
    let isTheora = Set(demuxer.tracks.filter { $0.codec == .theora }.map(\.index))
    var decoders = DecoderPool()
    for track in demuxer.tracks where streams.contains(track.index) {
      guard let grid = track.grid else { continue }
      if let video = tracks.first(where: { $0.index == track.index })?.video,
        let refusal = limits.refusal(ofWidth: video.width, height: video.height)
      {
        undecoded[track.index] = refusal
        continue
      }
      do {
        slots[track.index] = decoders.add(
          // With several threads, frames are output before another thread has noted the errors
          // in them: the verdict would depend on load.
          try demuxer.decoder(
            forStream: track.index, threads: 1, limits: limits,
            size: tracks.first { $0.index == track.index }?.video.map { ($0.width, $0.height) }))
      } catch {
        undecoded[track.index] = error.message
        continue
      }
      var stream = StreamScan(
        isVideo: track.kind == .video, grid: grid,
        sampleRate: track.sampleRate.map { Int64($0) }, mayJump: mayJump)
      stream.isBare = isBare
      if track.kind == .video { stream.statedLastLength = lastLengths[track.index] }
      stream.repeatsOfLast = repeats[track.index]
      if isTheora.contains(track.index) { stream.repeatsOfLast = link?.repeats }
      if isBare, let rate = track.sampleRate { bareRates[track.index] = rate }
      if demuxer.rules.isOgg, track.codec == .vorbis { clipped.insert(track.index) }
      scan.follow(track.index, as: stream)
    }
    do {
      var untilReport = 0
      var clock = AudioClock(demuxer, link)
      while var packet = try demuxer.nextPacket() {
        guard let slot = slots[packet.stream] else { continue }
        clock.stamp(&packet, &demuxer)
        if let start = cutShort[packet.stream], packet.byteOffset == start { continue }
        if let pts = times[packet.stream]?[packetCounts[packet.stream, default: 0]] {
          packet.pts = pts
          demuxer.retime(packet)
        }
        packetCounts[packet.stream, default: 0] += 1
        heartbeat()
        // The comment header of a Theora link, which video decoders reject (Theora I, 6.3).
        if isTheora.contains(packet.stream), demuxer.withPacketBytes({ $0.first }) == 0x81 {
          continue
        }
        let refusals = refused[packet.stream]
        decode(&demuxer, slot, packet.stream, &decoders, heartbeat)
        if packet.isKey { entered.insert(packet.stream) }
        if refused[packet.stream] != refusals {
          if isSilence(demuxer, packet.stream) {
            refused[packet.stream] = refusals
            silences[packet.stream, default: 0] += 1
          } else if showsNothing(demuxer, packet.stream) {
            refused[packet.stream] = refusals
          }
        }
        untilReport += 1
        if untilReport == 32 {
          untilReport = 0
          guard progress(ProbeProgress(bytesDone: demuxer.position, bytesTotal: byteCount))
          else { throw MediaError.cancelled }
        }
      }
    } catch {
      throw MediaError(any: error)
    }
    for (stream, slot) in slots {
      decoders.finish(slot)
      receive(slot, stream, &decoders, heartbeat)
    }
  }

  private mutating func decode(
    _ demuxer: inout Demuxer, _ slot: Int, _ stream: Int, _ decoders: inout DecoderPool,
    _ heartbeat: () -> Void
  ) {
    var result = decoders.send(from: demuxer, to: slot)
    if result == .full {
      receive(slot, stream, &decoders, heartbeat)
      result = decoders.send(from: demuxer, to: slot)
    }
    if result == .refused { refused[stream, default: 0] += 1 }
    receive(slot, stream, &decoders, heartbeat)
  }

  /// True for an AMR packet without speech: FFmpeg's decoders do not generate comfort noise, and
  /// reject packets that describe it.
  private func isSilence(_ demuxer: borrowing Demuxer, _ stream: Int) -> Bool {
    let codec = demuxer.tracks[stream].codec
    return codec.isAMR
      && demuxer.withPacketBytes { AudioFrameLength.isSilence(codec: codec, $0) }
  }

  /// True for a packet that is not presented: before the first keyframe, the rest of an audio
  /// frame at the start of a file that was cut from another, or a tag.
  private func showsNothing(_ demuxer: borrowing Demuxer, _ stream: Int) -> Bool {
    let track = demuxer.tracks[stream]
    guard track.kind == .audio else { return !entered.contains(stream) }
    let isFirst = packetCounts[stream] == 1
    return demuxer.withPacketBytes { bytes in
      bytes.isEmpty || track.codec.isMPEGAudio && MPEGFrames.isTag(bytes)
        || isFirst
          && AudioFrameLength.samples(
            codec: track.codec, bytes: bytes, frameSize: track.frameSize) == .nothing
    }
  }

  private mutating func receive(
    _ slot: Int, _ stream: Int, _ decoders: inout DecoderPool, _ heartbeat: () -> Void
  ) {
    // A decoder that always fails must not block the loop.
    var failures = 0
    while failures < 1000 {
      switch decoders.receive(slot) {
      case .frame(let frame):
        heartbeat()
        add(frame, stream)
      case .needsInput, .ended: return
      case .failed:
        failures += 1
        refused[stream, default: 0] += 1
      }
    }
  }

  private mutating func add(_ frame: FrameFacts, _ stream: Int) {
    decodedFrames[stream, default: 0] += 1
    if frame.isDamaged { damagedFrames[stream, default: 0] += 1 }
    var stamp = PacketStamp(pts: frame.time, dts: nil, duration: frame.duration)
    stamp.sampleCount = frame.sampleCount > 0 ? frame.sampleCount : nil
    if let rate = bareRates[stream], frame.sampleRate > 0, frame.sampleRate != rate {
      stamp.ownRate = Int64(frame.sampleRate)
    }
    if clipped.remove(stream) != nil, let time = frame.time, time < 0, time > -1 << 31 {
      stamp.skippedAtStart = Int(-time)
    }
    scan.add(stamp, to: stream)
  }

  /// Adds the decoded durations to the facts.
  package func complete(_ facts: inout MediaFacts) {
    var decoded: [PresentedTrack] = []
    var scan = scan
    // Audio that is not decoded here still counts.
    let presented = facts.durations.presented.flatMap { presented in
      presented.end.flatMap { try? $0.distance(from: .zero) }.map {
        DurationFact(length: $0, source: .containerHeader)
      }
    }
    scan.compareEnds(declared: facts.durations.declared ?? presented)
    // The packets have shown where the clock continues.
    scan.joinPauses { [pauses] step in
      pauses[step.stream]?.contains {
        $0.from <= step.pause.to && step.pause.from <= $0.to
      } == true
    }
    let stretches = scan.stretches()
    for position in facts.tracks.indices {
      let index = facts.tracks[position].index
      let id = facts.tracks[position].id
      if let reason = undecoded[index] {
        facts.notes.append(
          Note(
            .notDecoded, track: id,
            "The track (\(facts.tracks[position].codec)) cannot be decoded: \(reason)."))
      }
      guard scan[index] != nil else { continue }
      if let track = scan.presented(index, as: id, stretches: stretches),
        let range = FileRange([track])
      {
        decoded.append(track)
        facts.tracks[position].durations.decoded = DurationFact(
          length: range.length, start: range.start, source: .frames, trackID: id)
      }
      addDamage(&facts, index, id)
    }
    if let range = FileRange(decoded) {
      facts.durations.decoded = DurationFact(
        length: range.length, start: range.start, source: .frames, trackID: range.trackID)
    }
    facts.depth = .frames
  }

  private func addDamage(_ facts: inout MediaFacts, _ index: Int, _ id: Int) {
    let packets = packetCounts[index] ?? 0
    if let count = refused[index], count > 0 {
      facts.damage.append(
        Damage(
          .undecodable, track: id, count: count,
          "\(count) of \(packets) packets cannot be decoded."))
    }
    if let count = silences[index] {
      facts.notes.append(
        Note(
          .silenceNotDecoded, track: id,
          "\(count) of \(packets) packets \(count == 1 ? "contains" : "contain") no speech (RFC 4867, 4.3.1), and FFmpeg's "
            + "decoder generates no comfort noise for them."))
    }
    if let count = damagedFrames[index], count > 0 {
      facts.damage.append(
        Damage(
          .undecodable, track: id, count: count,
          "\(count) of \(decodedFrames[index] ?? 0) decoded frames \(count == 1 ? "is" : "are") damaged."
        ))
    }
    if packets > 0, decodedFrames[index] == nil {
      facts.notes.append(
        Note(.nothingDecodes, track: id, "None of its \(packets) packets decodes to a frame."))
    }
  }
}
