import ExactTime
import Libav
import MediaFacts
import Trimming

/// Headers and muxer options for the tracks.
extension PacketWriter {
  func options(
    _ tracks: [OutputTrack], _ standing: [Int: Standing], _ labels: FileLabels
  ) -> [(key: String, value: String)] {
    var options = rules.muxerOptions
    if container == .wav, labels.tags.contains(where: { $0.key == BroadcastWave.reference }) {
      options["write_bext"] = "1"
    }
    // AIFF chunks can hold only four tags.
    if container == .aiff, !labels.isEmpty { options["write_id3v2"] = "1" }
    if rules.audio.endsByPosition, let length = tracks.map(\.shown.length).max(),
      length < MediaDuration(4),
      let quarter = try? length.seconds.multiplied(by: Rational(250_000)).rounded(.down)
    {
      // Readers derive the start of audio from the end of the first page, if that is not the last
      // one, and packet durations from earlier packets on the same page.
      options["page_duration"] = "\(max(1, quarter))"
    }
    // FFmpeg's muxer drops a last page that has only empty packets: so each packet gets a page.
    if standing.values.contains(where: { $0.counts.last ?? 1 > 1 }) {
      options["page_duration"] = "1"
    }
    return options.map { (key: $0.key, value: $0.value) }.sorted { $0.key < $1.key }
  }

  func streams(
    _ tracks: [OutputTrack], _ labels: FileLabels
  ) throws(LibavError) -> [Muxer.Stream] {
    var streams = tracks.map { stream($0, isTagged: $0.source != labels.taggedTrack) }
    if rules.isOgg {
      let place = tracks.firstIndex { $0.audio != nil } ?? 0
      streams[place].tags += labels.chapterComments
      for cover in labels.covers {
        streams[place].tags.append((FileCover.commentName, cover.comment()))
      }
    }
    return streams
  }

  func covers(_ labels: FileLabels) -> [Muxer.Cover] {
    switch rules.labels.covers {
    case .attachment: labels.covers.enumerated().map { $1.attached(number: $0) }
    case .block: labels.covers.enumerated().map { $1.block(number: $0) }
    case .comment, .box, nil: []
    }
  }

  private func stream(_ track: OutputTrack, isTagged: Bool) -> Muxer.Stream {
    let source = source.tracks[track.source]
    var stream = Muxer.Stream(
      source: source.stream, tick: track.grid.secondsPerTick,
      extradata: track.configuration ?? (source.isReframed ? source.configuration : nil),
      tags: tags(of: source, isTagged: isTagged), frameRate: frameRate(of: track))
    stream.take(source)
    // What the source states about its beginning does not apply to a part.
    if rules.isMatroska, !container.hidesSamples(of: track.codec(in: self.source)) {
      stream.initialPadding = 0
    }
    if let parameters = track.made?.parameters ?? track.text?.parameters {
      stream.parameters = parameters
      stream.extradata = track.configuration
      return stream
    }
    stream.shape = source.shape
    stream.keepsTag = rules.pictures.keptTags.contains(source.facts.codec)
    if let sets = StartCodeFraming(of: track, self.source, container)?.sets {
      stream.extradata = sets
    }
    if source.facts.codec == .opus, container.hidesSamples(of: .opus) {
      let padding = Self.samplesOfOpus(track.unheardAtStart)
      stream.initialPadding = padding
      stream.extradata = Self.opusHead(source.configuration, preSkip: padding)
    }
    if source.facts.codec == .flac {
      let length = track.packets.reduce(0) { $0 &+ max(0, $1.duration) }
      stream.extradata = Self.streamInfo(
        source.configuration, sampleCount: UInt64(samples(length, of: track)))
    }
    // The muxer needs the packet duration; that of uncompressed audio is one sample.
    if rules.audio.countsPackets, track.audio != nil,
      !AudioCodec.isUncompressed(source.facts.codec), let first = track.packets.first,
      let length = Self.length(ofPacketsOf: track, source.facts.codec)
    {
      stream.frameSize = samples(length, of: track)
      stream.frameByteCount = first.byteCount
    }
    // The container's clock can only express whole frames.
    if rules.pictures.hasFixedFrameRate, source.facts.kind == .video {
      // Pictures from AVI keep its slots, of which there may be more.
      let hasSlots = self.source.facts.container.format == container.rawValue
      if !hasSlots, let rate = source.facts.video?.nominalFrameRate,
        let tick = try? Rational.one.divided(by: rate)
      {
        stream.tick = tick
      }
    }
    return stream
  }

  /// The duration of a track's audio packets except the last, in ticks; `nil` where they differ.
  ///
  /// Rounding or shifting of times makes some look longer.
  private static func length(ofPacketsOf track: OutputTrack, _ codec: Codec) -> Int64? {
    guard let first = track.packets.first?.duration else { return nil }
    let lengths = track.packets.dropLast().lazy.map(\.duration)
    if lengths.allSatisfy({ $0 == first }) { return first }
    return AudioCodec.hasEqualPackets(codec) ? CodedTrack.usual(of: lengths) : nil
  }

  /// The frame rate that a header may state.
  ///
  /// Matroska uses it as the duration of every frame without one of its own (RFC 9559,
  /// 5.1.4.1.13, DefaultDuration): so for variable frame rates, the duration that the source
  /// states, or that of most frames.
  private func frameRate(of track: OutputTrack) -> Rational? {
    let source = source.tracks[track.source]
    guard let video = source.facts.video else { return nil }
    guard rules.isMatroska, video.isConstantFrameRate == false else {
      return video.averageFrameRate ?? video.nominalFrameRate
    }
    if let stated = source.statedFrameRate { return stated }
    return usualLength(of: track).flatMap { ticks in
      try? Rational.one.divided(by: track.grid.duration(ofTicks: ticks).seconds)
    }
  }

  /// How long most pictures of a variable frame rate last, in ticks, if the source does not state it; `nil` where
  /// it does, or where all last equally long.
  ///
  /// Where a file has no default duration, Chromium takes pictures that others refer to for longer than they are,
  /// and shows them in place of the next one after a seek.
  func usualLength(of track: OutputTrack) -> Int64? {
    let source = source.tracks[track.source]
    guard rules.isMatroska, source.facts.video?.isConstantFrameRate == false,
      source.statedFrameRate == nil
    else { return nil }
    let times = track.packets.map(\.pts).sorted()
    let lengths = zip(times, times.dropFirst()).map { $1 &- $0 }.filter { $0 > 0 }
    return lengths.isEmpty ? nil : CodedTrack.usual(of: lengths)
  }

  /// Converts ticks of an audio track to samples.
  func samples(_ ticks: Int64, of track: OutputTrack) -> Int {
    if track.made != nil { return Int(max(0, ticks)) }
    let source = source.tracks[track.source]
    guard ticks > 0,
      let rate = AudioCodec.clockRate(
        of: source.facts.codec, stated: source.facts.audio?.sampleRate),
      let length = try? source.coded.grid.duration(ofTicks: ticks),
      let count = try? TickGrid(ticksPerSecond: Int64(rate)).ticks(of: length, rounding: .nearest)
    else { return 0 }
    return Int(count)
  }

  /// The pre-skip is in 48 kHz samples, whatever the source's ticks are.
  private static func samplesOfOpus(_ length: MediaDuration) -> Int {
    Int((try? TickGrid(ticksPerSecond: 48_000).ticks(of: length, rounding: .nearest)) ?? 0)
  }

  /// The identification header with a different pre-skip (RFC 7845, 5.1), in samples at 48 kHz.
  private static func opusHead(_ header: [UInt8], preSkip: Int) -> [UInt8]? {
    guard header.count >= 19, let value = UInt16(exactly: preSkip) else { return nil }
    var copy = header
    copy[10] = UInt8(truncatingIfNeeded: value)
    copy[11] = UInt8(value >> 8)
    return copy
  }

  /// STREAMINFO of FLAC (RFC 9639, 8.2) with the number of remaining samples and no checksum,
  /// since that is not known.
  private static func streamInfo(_ header: [UInt8], sampleCount: UInt64) -> [UInt8]? {
    guard header.count == 34, sampleCount < 1 << 36 else { return nil }
    var copy = header
    copy[13] = copy[13] & 0xF0 | UInt8(sampleCount >> 32)
    for place in 0..<4 {
      copy[14 + place] = UInt8(truncatingIfNeeded: sampleCount >> UInt64(24 - 8 * place))
    }
    for place in 18..<34 { copy[place] = 0 }
    return copy
  }

  /// The file's tags as FFmpeg's muxer names them: it reads AVI's `ISFT` as `software`, but
  /// writes it only under the chunk's own name.
  func named(_ tags: [(key: String, value: String)]) -> [(key: String, value: String)] {
    guard rules.isRIFF else { return tags }
    return tags.map { ($0.key.lowercased() == "software" ? "ISFT" : $0.key, $0.value) }
  }

  private func tags(
    of track: SourceTrack, isTagged: Bool
  ) -> [(key: String, value: String)] {
    var left: Set = ["encoder", "timecode"]
    if !rules.holdsAlpha || !track.hasAlpha { left.insert("alpha_mode") }
    var tags = (isTagged ? track.lastingTags : [])
      .filter { !left.contains($0.key.lowercased()) }
      .map { (key: $0.key, value: $0.value) }
    if let language = track.facts.language { tags.append(("language", language)) }
    guard isTagged else { return tags }
    if let title = track.facts.title { tags.append(("title", title)) }
    return tags
  }
}
