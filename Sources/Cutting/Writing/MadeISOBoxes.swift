import ExactTime
import ISOMedia
import Libav
import MediaFacts
import MediaFiles
import Trimming

/// The MP4 or QuickTime header boxes for tracks from another container.
///
/// FFmpeg's muxer writes a header without samples to describe the codecs, and that header is read
/// back.
struct MadeISOBoxes {
  let source: any CutSource
  let container: OutputContainer
  let labels: FileLabels
  let spool: PayloadSpool

  /// The boxes, with one track for each output track, in the same order.
  func boxes(for tracks: [OutputTrack]) throws(MediaError) -> ISOSourceBoxes {
    var streams: [ISODescription.Stream] = []
    for track in tracks { streams.append(try described(track)) }
    let header = try source.withDemuxer { (demuxer) throws(MediaError) in
      try ISODescription.header(streams, of: demuxer, in: container, tags: labels.tags)
    }
    var boxes: ISOSourceBoxes
    do {
      boxes = try ISOSourceBoxes(reading: InMemoryBytes(header))
    } catch {
      throw MediaError(.internalError, "the generated header cannot be read: \(error)")
    }
    guard boxes.tracks.count == tracks.count else {
      throw MediaError(.internalError, "the generated header lacks a track")
    }
    boxes.movie.brands = ISOBrands(of: container.brands)
    if container.rules.hasFreeTags {
      boxes.movie.addFreeformTags(
        labels.tags.filter { !["creation_time", "timecode"].contains($0.key.lowercased()) })
    }
    boxes.movie.add(
      labels.covers.compactMap { cover in
        ISOCoverArt.Format(of: cover.facts.codec).map { ($0, cover.picture) }
      })
    for (place, track) in tracks.enumerated() {
      let ticks = track.grid.secondsPerTick
      guard ticks.numerator == 1, let timescale = UInt32(exactly: ticks.denominator) else {
        throw MediaError(
          .notCuttable,
          "track \(place + 1) has a time base that is not 1/n of a second, which "
            + "\(container.endings) cannot express", hint: "Write .mkv instead.")
      }
      boxes.tracks[place].timescale = timescale
      // In QuickTime FFmpeg writes only Macintosh language codes, and has none for most
      // languages; readers recognize three-letter codes by their value (QuickTime File Format,
      // Language Code Values).
      if let language = source.tracks[track.source].facts.language,
        boxes.tracks[place].lacksLanguage
      {
        boxes.tracks[place].setLanguage(language)
      }
      // In QuickTime FFmpeg's muxer writes it as QuickTime text, which has a different layout.
      if track.text != nil { boxes.tracks[place].become(.timedText) }
      boxes.tracks[place].sampleEntries = boxes.tracks[place].sampleEntries.map {
        named($0, track)
      }
    }
    return boxes
  }

  /// The sample entry under the name that tells players whether all parameter sets are in the
  /// header (ISO 14496-15, 5.3.3.1 and 8.3.3.1).
  private func named(_ entry: ISORawSampleEntry, _ track: OutputTrack) -> ISORawSampleEntry {
    switch entry.format {
    case "avc1" where track.keepsSets: entry.named("avc3")
    case "hev1" where !track.keepsSets: entry.named("hvc1")
    case "text" where track.text != nil: entry.named("tx3g")
    default: entry
    }
  }

  private func described(_ track: OutputTrack) throws(MediaError) -> ISODescription.Stream {
    var described = ISODescription.described(
      source.tracks[track.source], tick: track.grid.secondsPerTick)
    if let parameters = track.made?.parameters ?? track.text?.parameters {
      described.stream.parameters = parameters
      described.stream.extradata = nil
    }
    for packet in track.packets.prefix(described.needed) {
      described.packets.append(try packet.bytes(of: source, track: track.source, spool))
    }
    return described
  }
}

extension ISOCoverArt.Format {
  fileprivate init?(of codec: Codec) {
    switch codec {
    case .mjpeg: self = .jpeg
    case .png: self = .png
    default: return nil
    }
  }
}
