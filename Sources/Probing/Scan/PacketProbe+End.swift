import Bitstreams
import ExactTime
import Libav
import MediaFacts
import MediaFiles

/// Steps that follow once all packets have been read.
extension PacketProbe {
  /// Hides the priming and padding that audio-only formats state.
  mutating func applyGaplessTag() {
    guard let tag = gaplessTag, let sound = facts.tracks.first(where: { $0.kind == .audio })
    else { return }
    if scan.hide(tag, in: sound.index) == false {
      facts.notes.append(tag.contradiction(track: sound.id))
    }
  }

  /// The gapless tag; an audio stream without a container has it in ID3.
  private var gaplessTag: GaplessTag? {
    if rules.isBareSound { return GaplessTag(in: facts.tags) }
    if rules.isCAF { return CAFFile(input: input).gapless }
    return rules.isMusepack ? GaplessTag(musepack) : nil
  }

  /// Joins epochs that are separated only by a pause of the stream.
  ///
  /// Only a new header resets Ogg's clock (RFC 3533, 4); in a transport stream a discontinuity is
  /// signaled, or the continuity counters break; a program stream has neither.
  mutating func joinPauses() {
    if !rules.isOgg { scan.joinStrays() }
    var continuity = rules.isTransportStream ? TransportCounters(input) : nil
    scan.joinPauses { [rules] step in
      guard !rules.isOgg else { return true }
      return step.section.flatMap { continuity?.goesOn(over: $0) } ?? false
    }
  }

  mutating func addRepeats() {
    for track in facts.tracks where track.kind == .video {
      guard let end = ends[track.index], end >= 0 else { continue }
      let count = AVITail.repeats(ofStream: track.index, behind: end, in: input)
      guard count > 0 else { continue }
      repeats[track.index] = count
      scan.repeatLast(of: track.index, count)
    }
  }

  /// Adds the last frame of raw FLAC if it is complete.
  mutating func addLast() {
    guard let last = held else { return }
    held = nil
    if FLACFrame.isWhole(last.bytes) {
      scan.add(last.stamp, to: last.stream)
    } else {
      noteCutShort(
        AudioPackets.CutShortFrame(
          byteOffset: last.stamp.byteOffset, byteCount: last.bytes.count), ofStream: last.stream)
    }
  }

  /// Notes a truncated last frame, which is not presented, whatever its codec.
  mutating func noteCutShort(
    _ frame: AudioPackets.CutShortFrame, ofStream index: Int
  ) {
    let id = facts.tracks[index].id
    cutShortFrames[facts.tracks[index].index] = frame.byteOffset
    // The container may already have shown that the file is truncated.
    if !facts.damage.contains(where: { $0.kind == .truncated }) {
      facts.damage.append(
        Damage(
          .truncated, at: frame.byteOffset, track: id, count: 1,
          "The file ends inside its last frame, of which \(frame.byteCount) bytes are present."))
    }
    facts.notes.append(
      Note(
        .lastFrameCutShort, track: id,
        "The last frame is incomplete and is not presented."))
  }

  mutating func finishTrack(at position: Int) {
    let index = facts.tracks[position].index
    guard let scan = scan[index], scan.packetCount > 0 else {
      if let frame = stamps.cutShort[index] { noteCutShort(frame, ofStream: position) }
      return
    }
    let id = facts.tracks[position].id
    if bothEnds == nil { facts.tracks[position].sampleCount = scan.packetCount }
    if let track = self.scan.presented(index, as: id, stretches: stretches),
      let range = FileRange([track])
    {
      facts.tracks[position].durations.presented = DurationFact(
        length: range.length, start: range.start, source: .packets, trackID: id)
      facts.tracks[position].bitRate =
        BitRate.of(bytes: scan.byteCount, over: range.length)
        ?? facts.tracks[position].bitRate
    }
    if scan.isVideo, bothEnds == nil {
      ScannedFrames(scan, stretches: stretches[index] ?? [], presented: presentedTracks).describe(
        &facts.tracks[position], listsFrames: wantsFrames, listsKeyframes: wantsKeyframes)
    }
    if !scan.isVideo {
      let priming = scan.epochs.reduce(0) { $0 + $1.priming }
      let padding = scan.epochs.reduce(0) { $0 + $1.padding }
      facts.tracks[position].audio?.priming = priming > 0 ? priming : nil
      facts.tracks[position].audio?.padding = padding > 0 ? padding : nil
    }
    if let lost = stamps.starts.lostFrames[index] {
      facts.notes.append(FirstKeyframe.note(count: lost, of: scan.packetCount, track: id))
    }
    if let frame = stamps.sound.cutShort[index] ?? stamps.cutShort[index] {
      noteCutShort(frame, ofStream: position)
    }
    if let bothEnds {
      describeEnds(at: position, bothEnds)
    } else {
      facts.notes += ScanNotes.notes(
        of: scan, stretches: stretches[index] ?? [], facts.tracks[position])
    }
    if let count = whole[index]?.count, count > 0 {
      facts.notes.append(
        Note(
          .continuityRestarts, track: id,
          "The continuity counter of transport packets restarts "
            + (count == 1 ? "once" : "\(count) times")
            + " between whole packets of the track, as in concatenated segments."))
    }
    if let note = stamps.changes.note(ofStream: index, track: id) { facts.notes.append(note) }
    if scan.corruptCount > 0 {
      facts.damage.append(
        Damage(
          .undecodable, track: id, count: scan.corruptCount,
          "\(scan.corruptCount) of \(scan.packetCount) packets \(scan.corruptCount == 1 ? "is" : "are") marked as corrupt."
        ))
    }
  }
}
