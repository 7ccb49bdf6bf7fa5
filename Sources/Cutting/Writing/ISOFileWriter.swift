import ExactTime
import ISOMedia
import Libav
import MediaFacts
import MediaFiles
import Probing
import Trimming

/// Writes the tracks of a cut as MP4 or QuickTime, natively: what a header states about a track
/// is kept, and edits are exact.
struct ISOFileWriter {
  let source: any CutSource
  /// With one track for each output track, in the same order.
  let boxes: ISOSourceBoxes
  /// Whether to write a chapter list, if the source's header has none.
  let hasChapterList: Bool
  /// The timecode of the first frame, where no source track states it.
  var timecode: Timecode?
  /// What was removed from the boxes, and why.
  var leftOut: [LeftOut] = []
  let spool: PayloadSpool
  let isFragmented: Bool
  let isCancelled: @Sendable () -> Bool

  func write(
    _ tracks: [OutputTrack], chapters: [ISOOutputChapter], to output: any ByteOutput,
    progress: (Int64) -> Bool
  ) throws(MediaError) -> [[UInt64]] {
    var prints = FingerprintList(tracks, source, .mp4)
    return try MediaError.ofWriting {
      let (file, made) = try file(tracks, chapters: chapters)
      var writer = SequentialWriter(output)
      var done: Int64 = 0
      var readers = tracks.map { PacketSamples($0, of: source) }
      func write(_ samples: Range<Int>, of place: Int) throws(MediaError) {
        guard place < tracks.count else {
          for sample in samples { try writer.append(made?.payloads[sample] ?? []) }
          return
        }
        let track = tracks[place]
        var next = samples.lowerBound
        while next < samples.upperBound {
          let bytes = try readers[place].take(next, to: samples.upperBound) {
            (packet) throws(MediaError) in
            try packet.bytes(of: source, track: track.source, spool)
          }
          try writer.append(bytes.content)
          prints.add(bytes.content, ofTrack: place)
          done += Int64(bytes.content.count)
          if bytes.packet % 64 == 0, !progress(done) || isCancelled() {
            throw MediaError.cancelled
          }
          next += bytes.count
        }
      }
      if isFragmented {
        let layout = try ISOFragmentedLayout(file)
        try writer.append(layout.initSegment)
        for (index, fragment) in layout.fragments.enumerated() {
          try writer.append(try layout.headerBytes(of: index))
          for (place, samples) in fragment.samples.enumerated() { try write(samples, of: place) }
        }
      } else {
        let layout = try ISOFileLayout(file)
        try writer.append(layout.headerBytes)
        for chunk in layout.chunks { try write(chunk.samples, of: chunk.track) }
      }
      try writer.finish()
      return prints.prints
    }
  }

  private func timecodeTrack(
    of tracks: [OutputTrack], in file: inout ISOOutputFile
  ) throws(ISOWriteError) -> ISOMadeTrack? {
    guard let timecode, let place = tracks.firstIndex(where: { $0.video != nil }) else {
      return nil
    }
    let id = (file.tracks.map(\.boxes.id).max() ?? 0) &+ 1
    let made = try ISOMadeTrack.timecode(
      from: timecode, lasting: tracks[place].shown.length, id: id)
    if let made { file.add(made, of: place) }
    return made
  }

  /// The header of the file and the samples of its tracks, whose bytes are in the packets.
  ///
  /// - Returns: the header, and the generated track after the others, if there is one.
  func file(
    _ tracks: [OutputTrack], chapters: [ISOOutputChapter]
  ) throws -> (file: ISOOutputFile, made: ISOMadeTrack?) {
    var file = ISOOutputFile(movie: boxes.movie, tracks: [])
    var made: [Int: ISOOutputTrack] = [:]
    for (place, track) in tracks.enumerated() where track.isMedia {
      made[place] = try outputTrack(track, boxes.tracks[place])
    }
    let end = try isFragmented ? made.values.map(Self.end).max() : nil
    for (place, track) in tracks.enumerated() {
      let track = end.map(track.endingNoLater) ?? track
      file.tracks.append(try made[place] ?? outputTrack(track, boxes.tracks[place]))
    }
    if hasChapterList || boxes.movie.hasChapterList, !chapters.isEmpty {
      file.chapterList = chapters
    }
    // The encoder delay and padding no longer apply to this file.
    file.movie.removeFreeformTags(named: "iTunSMPB")
    let timecode = try timecodeTrack(of: tracks, in: &file)
    file.movieTimescale = ISOFileLayout.movieTimescale(for: file)
    return (file, timecode)
  }

  private static func end(of track: ISOOutputTrack) throws(ExactTimeError) -> MediaTime {
    var end = MediaTime.zero
    for edit in track.edits { end = try end.advanced(by: edit.length) }
    return end
  }

  private func outputTrack(
    _ track: OutputTrack, _ boxes: ISOTrackBoxes
  ) throws -> ISOOutputTrack {
    let described = source.tracks[track.source]
    var result = ISOOutputTrack(boxes)
    if let configuration = track.configuration
      ?? (described.isReframed && track.video != nil ? described.configuration : nil),
      let box = Self.configurationBox(described.facts.codec)
    {
      result.boxes.sampleEntries = try result.boxes.sampleEntries.map {
        try $0.replacing(box: box, with: configuration)
      }
    }
    // In fragments no packet is hidden, so decoders must not skip samples either.
    if isFragmented {
      result.boxes.sampleEntries = result.boxes.sampleEntries.map(\.withoutPreSkip)
    }
    if track.video != nil, !track.packets.contains(where: { $0.copied != nil }) {
      result.leaveSecondLayer()
    }
    result.groups = result.boxes.groups.map { ISOOutputGroup($0) }
    result.samples.statesPresentation = ISOSampleOrder.codecs.contains(described.facts.codec)
    var track =
      isFragmented && !track.keepsLengths ? try track.endingWithItsLastSample() : track
    if !isFragmented, described.facts.codec == .h264, let last = track.packets.indices.last {
      track = track.withUsualMeanRate(lastLength: duration(of: last, in: track))
    }
    // Looked up once: a long file has hundreds of thousands of packets.
    let samples = source.pieces.map { piece in
      piece.has(track.source, like: source)
        ? piece.native.map { Self.samples(of: $0, track: track.source) } : nil
    }
    let size = PacketSamples.size(of: track, in: source)
    for (index, packet) in track.packets.enumerated() {
      var written = ISOOutputSample(byteCount: 0, duration: 0)
      var place: Int?
      var isOpen = false
      if let copied = packet.copied {
        let holder = source.holder(ofTrack: track.source, copied)
        if let sample = samples[holder.number] {
          (written, place, isOpen) = sample(copied - holder.places.lowerBound, packet.isKey)
        }
        // The groups are those of the source that has the boxes.
        if holder.source.native !== source.native { place = nil }
      }
      let count = PacketSamples.count(packet, ofSize: size)
      written.byteCount = UInt32(clamping: packet.byteCount / count)
      // Entry points that the source does not list as sync samples are not listed here either;
      // but a file must begin with a sync sample.
      written.isSync = packet.isKey && (index == 0 || !isOpen)
      written.isPartialSync = written.isPartialSync && packet.isKey
      // Both fields are 32 bits wide (ISO/IEC 14496-12, 8.6.1).
      guard let offset = Int32(exactly: packet.pts - packet.dts),
        let duration = UInt32(exactly: max(0, duration(of: index, in: track) / Int64(count)))
      else { throw MediaError.beyondNumbers }
      written.duration = duration
      written.compositionOffset = offset
      result.samples.append(written, count: count)
      for group in result.groups.indices {
        for _ in 0..<count { result.groups[group].append(sourceSample: place) }
      }
    }
    result.edits = try edits(of: track)
    if isFragmented, !track.keepsLengths { try endWithMedia(&result, track.grid) }
    return result
  }

  /// What the source's table states about a sample, and its number; `nil` where its sample groups
  /// would wrongly state that decoding can start there.
  private static func samples(
    of source: ISOCutSource, track: Int
  ) -> (_ packet: Int, _ isKey: Bool) -> (ISOOutputSample, place: Int?, isOpen: Bool) {
    let table = source.table(ofTrack: track)
    return { packet, isKey in
      let number = source.sample(ofTrack: track, packet)
      // Where decoding can no longer start, no group may state that it can.
      let isOpen = !table.isSync(number) && table.isEntry(number)
      return (
        ISOOutputSample(table, number), isKey || !table.isEntry(number) ? number : nil, isOpen
      )
    }
  }

  /// Sets edit durations to what the fragments add up to, since readers do not honor the end of
  /// an edit there.
  private func endWithMedia(
    _ track: inout ISOOutputTrack, _ grid: TickGrid
  ) throws(ExactTimeError) {
    guard let place = track.edits.indices.last, let start = track.edits[place].mediaTime else {
      return
    }
    let shown = track.samples.presentationEnd &- start
    if shown > 0 { track.edits[place].length = try grid.duration(ofTicks: shown) }
  }

  /// `nil` for codecs whose configuration FFmpeg's muxer has already written.
  private static func configurationBox(_ codec: Codec) -> FourCC? {
    switch codec {
    case .hevc: "hvcC"
    case .av1: "av1C"
    case .vp9, .vp8: "vpcC"
    case .h264: "avcC"
    default: nil
    }
  }

  /// The time to the next sample; the last one gets the duration of the one before, so that a
  /// constant rate remains a single run, unless it is shown for longer or the frame rate varies.
  private func duration(of index: Int, in track: OutputTrack) -> Int64 {
    let packets = track.packets
    if track.video == nil { return max(0, packets[index].duration) }
    if index + 1 < packets.count { return packets[index + 1].dts - packets[index].dts }
    guard !isFragmented, index > 0 else { return max(1, packets[index].duration) }
    if let rest = Self.standing(track) { return max(1, rest) }
    let before = packets[index].dts - packets[index - 1].dts
    let isConstant = (1..<packets.count).allSatisfy {
      packets[$0].dts - packets[$0 - 1].dts == before
    }
    return isConstant && Self.covers(track, lastLength: before)
      ? before : max(1, packets[index].duration)
  }

  /// The duration of the last sample, where the last picture shown is decoded before it and stays
  /// on screen until the end: its own sample can only last until the next is decoded.
  private static func standing(_ track: OutputTrack) -> Int64? {
    let packets = track.packets
    guard let shown = packets.indices.max(by: { packets[$0].pts < packets[$1].pts }),
      shown + 1 < packets.count,
      !covers(track, lastLength: packets[shown + 1].dts &- packets[shown].dts),
      let length = try? track.grid.ticks(of: track.shown.length, rounding: .up),
      let first = track.firstShown ?? packets.lazy.map(\.pts).min()
    else { return nil }
    return first &+ length &- packets[packets.count - 1].pts
  }

  /// Whether the media covers the presentation if the last picture has this duration.
  private static func covers(_ track: OutputTrack, lastLength: Int64) -> Bool {
    let times = track.packets.lazy.map(\.pts)
    guard let first = track.firstShown ?? times.min(), let last = times.max(),
      let media = try? track.grid.duration(ofTicks: last &- first &+ lastLength),
      let missing = try? track.shown.length.subtracting(media)
    else { return true }
    // The rounding error of any movie timescale is smaller.
    return missing <= MediaDuration(1, 1_000_000)
  }
}
