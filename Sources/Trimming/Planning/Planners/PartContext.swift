import ExactTime
import MediaFacts

/// One part of a cut: what is known of its source, the output's rules and what is requested of both, as all that
/// plans its tracks needs it.
struct PartContext {
  let facts: SourceFacts
  /// With only the chosen ones marked as presented.
  let tracks: [SourceFacts.Track]
  let request: CutRequest
  let rules: ContainerRules
  /// Which part of the request this is.
  let number: Int
  /// The part; an endpoint that differs from a frame boundary only by rounding is moved to it, since
  /// people and programs round times.
  var range: MediaTimeRange
  /// The instant of the source that is the output's zero.
  var start: MediaTime
  let questions: Questions
  let counts: SampleCounts

  var part: CutRequest.Part { request.parts[number] }
  /// Another part is shown before it in the same file.
  var follows: Bool { number > 0 }
  var isFollowed: Bool { number + 1 < request.parts.count }
  /// Other parts are in the same file.
  var isJoined: Bool { request.parts.count > 1 }

  /// The facts that were needed but not available.
  final class Questions {
    var missing: Set<MissingFact>
    init(_ missing: Set<MissingFact>) { self.missing = missing }
  }

  /// Tracks counted in samples, which takes a pass over all packets: once for all parts of a source.
  final class SampleCounts {
    private struct Place: Hashable {
      var source: Int
      var track: Int
    }
    private var known: [Place: CodedTrack] = [:]

    fileprivate func counted(
      _ track: SourceFacts.Track, number: Int, of source: Int
    ) -> CodedTrack {
      let place = Place(source: source, track: number)
      if let coded = known[place] { return coded }
      let coded = track.countedInSamples
      known[place] = coded
      return coded
    }
  }

  func countedInSamples(_ index: Int) -> CodedTrack {
    counts.counted(tracks[index], number: index, of: part.source)
  }

  /// As requested: the range is not moved yet.
  init(
    _ facts: SourceFacts, _ rules: ContainerRules, _ request: CutRequest, part: Int,
    _ questions: Questions, _ counts: SampleCounts
  ) throws(PlanRefusal) {
    self.facts = facts
    self.rules = rules
    self.request = request
    self.questions = questions
    self.counts = counts
    number = part
    tracks = Self.known(try Self.chosen(facts.tracks(for: rules), request.tracks), request.tracks)
    range = request.parts[part].range
    start = range.start
  }

  func relative(_ range: MediaTimeRange) throws(ExactTimeError) -> MediaTimeRange {
    let from = try MediaTime.zero.advanced(by: range.start.distance(from: start))
    let to = try MediaTime.zero.advanced(by: range.end.distance(from: start))
    return MediaTimeRange(from: from, to: to) ?? range
  }
}

// MARK: Which tracks

extension PartContext {
  /// The tracks of a source, with only the chosen ones marked as presented.
  private static func chosen(
    _ tracks: [SourceFacts.Track], _ choice: TrackChoice?
  ) throws(PlanRefusal) -> [SourceFacts.Track] {
    guard let choice else { return tracks }
    if let absent = choice.ids.subtracting(tracks.map(\.id)).min() {
      let known = tracks.map { "\($0.id) (\($0.kind.rawValue))" }.joined(separator: ", ")
      throw PlanRefusal(
        .emptyRange, "it has no track \(absent)", hint: "Its tracks: \(known).")
    }
    return tracks.map { track in
      var track = track
      track.isPresented = track.isPresented && choice.contains(kind: track.kind, id: track.id)
      return track
    }
  }

  /// The tracks, with those of unknown codec marked as not presented if there are others: no player can
  /// decode them.
  ///
  /// Tracks requested explicitly are not left out, nor is the only video track.
  private static func known(
    _ tracks: [SourceFacts.Track], _ choice: TrackChoice?
  ) -> [SourceFacts.Track] {
    let known = tracks.filter {
      $0.isPresented && !$0.hasUnknownCodec && !$0.coded.packets.isEmpty
    }
    return tracks.map { track in
      guard track.hasUnknownCodec, choice?.contains(kind: track.kind, id: track.id) != true,
        known.contains(where: { $0.kind == .video || $0.kind == track.kind })
      else { return track }
      var track = track
      track.isPresented = false
      return track
    }
  }

  /// Chapters, timecodes, attachments and covers are kept with whatever is chosen.
  func isChosen(_ track: SourceFacts.Track) -> Bool {
    guard let choice = request.tracks else { return true }
    return track.isChapterTrack || track.isTimecode || track.kind == .attachment
      || track.isCover || choice.contains(kind: track.kind, id: track.id)
  }

  /// The default audio track, or the first one.
  var soundIndex: Int? { mainTrack(.audio) }

  /// The default presented track, or the first one.
  func mainTrack(_ kind: TrackKind) -> Int? {
    let known = tracks.indices.filter { tracks[$0].kind == kind && tracks[$0].isPresented }
    return known.first { tracks[$0].isDefault } ?? known.first
  }

  /// Whether only the default audio track is written.
  var isSoundAlone: Bool {
    if request.isSoundAlone { return true }
    guard rules.audio.isUsual, let soundIndex else { return false }
    let pictures = tracks.indices.filter { tracks[$0].kind == .video && tracks[$0].isPresented }
    return pictures.isEmpty ? !fits(soundIndex, rules) : pictures.contains { !fits($0, rules) }
  }

  var writesPictures: Bool {
    tracks.contains { $0.kind == .video && $0.isPresented && isChosen($0) } && !isSoundAlone
  }

  func whyNotCut(_ track: SourceFacts.Track) -> String {
    if track.hasUnknownCodec { return "its codec is not known" }
    return track.isTimedMetadata || track.kind == .attachment
      ? "\(rules.ending) cannot hold it" : "tracks of this kind are not cut"
  }
}

// MARK: What the output holds

extension PartContext {
  /// Whether a container holds a track.
  func fits(_ index: Int, _ rules: ContainerRules) -> Bool {
    let track = tracks[index]
    if track.isChapterTrack || track.isTimecode { return true }
    // The sample entry can be carried over.
    if facts.isISO, rules.isISO, facts.isQuickTime == rules.isQuickTime { return true }
    if rules.pictures.hasFixedFrameRate {
      // Readers of this format do not know which of its frames are keyframes.
      if track.codec == .hevc { return false }
      // A reader must guess the presentation times of reordered frames, unless the source has the same
      // container.
      if track.codec == .h264, facts.format != rules.container.rawValue, track.coded.isReordered {
        return false
      }
    }
    if rules.audio.holdsSamplesAlone, !AudioCodec.isLinear(track.codec) { return false }
    if track.kind == .audio, rules.isRIFF, !AudioCodec.isSoundOfRIFF(track.codec),
      // AVI has a place for the configuration of AAC.
      !rules.pictures.hasFixedFrameRate || track.codec != .aac
    {
      return false
    }
    if let codecs = rules.codecs, !codecs.contains(track.codec) { return false }
    if let rates = rules.audio.rates[track.codec], let rate = track.sampleRate,
      !rates.contains(rate)
    {
      return false
    }
    return isHeld(index, rules)
  }

  /// Whether re-encoded audio can be described: the source's boxes describe only its own packets.
  func isDescribable(_ index: Int) -> Bool { !rules.isISO || isHeld(index, rules) }

  private func isHeld(_ index: Int, _ rules: ContainerRules) -> Bool {
    guard let holders = facts.learned[index]?.holders else {
      questions.missing.insert(.holders(source: part.source, track: index))
      return true
    }
    return holders.contains(rules.container)
  }

  /// Why the written track could not be read back; `nil` where it could.
  func undescribed(_ track: SourceFacts.Track) -> String? {
    if rules.pictures.hasFixedFrameRate, !track.statesReordering, track.coded.isReordered {
      return "its headers do not state the reorder depth, and readers of \(rules.ending) would "
        + "have to guess"
    }
    guard facts.isISO, track.codec == .aac, !track.isConfigured,
      !rules.isISO || facts.isQuickTime != rules.isQuickTime
    else { return nil }
    return "its configuration is missing"
  }

  /// A hint naming the containers a track could be copied to; `nil` if there are none.
  func otherHolders(of index: Int) -> String? {
    let track = tracks[index]
    let others = OutputContainer.allCases.map(\.rules).filter { other in
      // Nobody expects video there.
      let isMeant = track.kind == .audio || !other.audio.endings.contains(other.nameEndings[0])
      let isOther = other.muxer != rules.muxer || other.codecs != rules.codecs
      return isOther && other.isSuggested && isMeant
        && (fits(index, other) || unpacks(index, other))
    }
    guard !others.isEmpty else { return nil }
    return "These can hold it: \(others.map(\.ending).joined(separator: ", "))."
  }

  func doesNotFit(_ index: Int) -> PlanRefusal {
    let track = tracks[index]
    var hints = otherHolders(of: index).map { [$0] } ?? []
    let converted = convertedCodec(of: track)
    if track.kind == .audio, !convertsSound, isDecodable(index), hasEncoder(for: converted) {
      hints.append(
        "Re-encoding the audio (audio: reencode) would make it \(converted), which "
          + "\(rules.ending) can hold.")
    }
    // Nothing could be cut there either that is not copied from a keyframe on.
    if track.kind == .video, !isEncodable(index), isDecodable(index) {
      hints.append("For any other, convert it first: ffmpeg -i IN -c:v ffv1 OUT.mkv")
    }
    if track.hasUnknownCodec {
      return PlanRefusal(
        .codecDoesNotFit, "the codec of track \(track.id) (\(track.kind.rawValue)) is not known",
        hint: "This track cannot be written.")
    }
    if hints.isEmpty {
      let others = tracks.contains { $0.isPresented && $0.id != track.id }
      hints.append(
        "No container that is written here can hold it."
          + (others ? " Leave the track out." : ""))
    }
    return PlanRefusal(
      .codecDoesNotFit, "\(rules.ending) cannot hold \(track.codec) (track \(track.id))",
      hint: hints.joined(separator: " "))
  }

  /// Whether audio may be converted to another codec: the output is audio only, or re-encoding was requested.
  var convertsSound: Bool { isSoundAlone || request.audio == .reencode }

  /// The target codec for an audio track that the container does not hold, or that has no encoder.
  func convertedCodec(of track: SourceFacts.Track) -> Codec {
    let codec = unpackedCodec(of: track) ?? rules.audio.codec
    if rules.audio.encodesLosslessExactly, AudioCodec.becomesFLAC(track.codec) { return .flac }
    if rules.audio.hasLittleEndianFloatsAlone, track.codec.isOne(of: .pcmF32BE, .pcmF64BE) {
      return Codec(track.codec.rawValue.dropLast(2) + "le")
    }
    guard AudioCodec.isUncompressed(codec) else { return codec }
    let order = codec.rawValue.suffix(2)
    // Keep the bit depth, where there is one.
    if track.codec.isFloatPCM {
      return Codec("\(track.codec.rawValue.prefix(7))\(order)")
    }
    switch AudioCodec.sampleSize(of: track.codec) ?? track.sampleBits.map({ ($0 + 7) / 8 }) {
    case 3: return Codec("pcm_s24\(order)")
    case 4: return Codec("pcm_s32\(order)")
    default: return codec
    }
  }

  /// The PCM that packed samples of discs and cameras, and planar samples, become; `nil` for other codecs, or where the
  /// container holds no PCM.
  private func unpackedCodec(of track: SourceFacts.Track) -> Codec? {
    guard AudioCodec.isPacked(track.codec) else { return nil }
    return rules.audio.unpackedOrder.map { Codec("pcm_s16\($0)") }
  }

  /// Whether packed or planar samples become PCM in a container.
  func unpacks(_ index: Int, _ rules: ContainerRules) -> Bool {
    AudioCodec.isPacked(tracks[index].codec) && rules.audio.unpackedOrder != nil
  }
}

// MARK: What is not known yet

/// Facts about a source that are costly to determine: an unknown one is recorded as missing, and the likely
/// answer is assumed meanwhile.
extension PartContext {
  /// The random access kind of a keyframe; recorded as missing where it is not known yet.
  ///
  /// Until it is known, the keyframe is assumed to be clean, so that a search for one stops there.
  func access(ofTrack index: Int, _ place: Int) -> RandomAccessKind {
    let learned = facts.learned[index]?.access[place]
    if let access = tracks[index].everyAccess ?? learned { return access }
    questions.missing.insert(.access(source: part.source, track: index, place: place))
    return .idr
  }

  /// Whether there is an encoder; recorded as missing where that is not known yet.
  func isEncodable(_ index: Int) -> Bool {
    if let isEncodable = facts.learned[index]?.isEncodable { return isEncodable }
    questions.missing.insert(.encoder(source: part.source, track: index))
    return true
  }

  /// Whether there is a decoder; recorded as missing where that is not known yet.
  func isDecodable(_ index: Int) -> Bool {
    if let isDecodable = facts.learned[index]?.isDecodable { return isDecodable }
    questions.missing.insert(.decoder(source: part.source, track: index))
    return true
  }

  /// Whether decoded pictures have an alpha channel; recorded as missing where that is not known yet.
  func decodesToAlpha(_ index: Int) -> Bool {
    if let isKnown = facts.learned[index]?.decodesToAlpha { return isKnown }
    questions.missing.insert(.alpha(source: part.source, track: index))
    return false
  }

  /// The lengths stated by MP4 audio packets themselves; recorded as missing where not known yet.
  func packetLengths(_ index: Int) -> [Int32] {
    guard facts.isISO, AudioCodec.statesLengths(tracks[index].codec) else { return [] }
    if let lengths = facts.learned[index]?.packetLengths { return lengths }
    questions.missing.insert(.packetLengths(source: part.source, track: index))
    return []
  }

  /// The packets with the headers that the decoder of an audio packet needs; recorded as missing where not
  /// known yet.
  func soundEntry(ofTrack index: Int, _ place: Int) -> AudioEntry {
    guard tracks[index].repeatsHeaders else { return AudioEntry(before: place, next: place) }
    if let entry = facts.learned[index]?.soundEntries[place] { return entry }
    questions.missing.insert(.soundEntry(source: part.source, track: index, place: place))
    return AudioEntry(before: place, next: place)
  }

  /// Whether there is an audio encoder; recorded as missing where that is not known yet.
  func hasEncoder(for codec: Codec) -> Bool {
    if let isKnown = facts.soundEncoders[codec] { return isKnown }
    questions.missing.insert(.soundEncoder(source: part.source, codec: codec))
    return true
  }
}
