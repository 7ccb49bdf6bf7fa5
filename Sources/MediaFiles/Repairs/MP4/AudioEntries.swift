import Bitstreams
package import ISOMedia

/// Audio sample entries in MP4 that FFmpeg misinterprets: 24- or 32-bit samples as 16-bit ones, and
/// MPEG audio layers I and II as layer III.
package enum AudioEntries {
  /// Replacement entries that FFmpeg reads correctly.
  static func patches(for file: InputFile, _ movie: ISOMovie) -> [OverlaidInput.Patch] {
    movie.tracks.flatMap { track -> [OverlaidInput.Patch] in
      guard track.handler == "soun", !track.isEncrypted else { return [] }
      return track.sampleEntries.flatMap(pcm) + layered(track, in: file)
    }
  }

  /// Whether a layer III entry may mean any layer: the object types of `esds` cover all three
  /// (ISO/IEC 14496-1, table 5: 0x69 and 0x6B), and muxers use QuickTime's layer III entries in the
  /// same way.
  package static func isOfAnyLayer(_ entry: ISOSampleEntry) -> Bool {
    names.contains(entry.format)
      || entry.format == "mp4a" && [0x69, 0x6B].contains(entry.elementaryStream?.objectType)
  }

  /// The last is QuickTime's code for WAV format tag 0x55.
  private static let names: Set<FourCC> = [".mp3", "mp3 ", FourCC(rawValue: 0x6D73_0055)]

  /// Replaces an entry that may mean any layer by the one for its actual layer.
  private static func layered(_ track: ISOTrack, in file: InputFile) -> [OverlaidInput.Patch] {
    guard let entry = track.firstEntry, isOfAnyLayer(entry),
      track.sampleCount > 0, let place = try? track.samples(.timesAndPlaces).offset(0),
      let byteCount = file.byteCount, (0..<byteCount).contains(place),
      let layer = MPEGAudioHeader(file.bytes(in: place..<byteCount, atMost: 4))?.layer, layer < 3
    else { return [] }
    return [.type(".mp\(layer)", ofBoxAt: entry.offset)]
      + [entry.offset(of: "esds")].compactMap { $0.map { .type("free", ofBoxAt: $0) } }
  }

  /// QuickTime entries for the same samples: big-endian, unless an `enda` box states otherwise.
  ///
  /// After the four bytes of a full box, `pcmC` (ISO/IEC 23003-5, 5.1) has a byte of flags, the
  /// lowest of which means little-endian, and a byte with the sample size.
  private static func pcm(_ entry: ISOSampleEntry) -> [OverlaidInput.Patch] {
    guard let box = entry.configuration("pcmC"), box.count >= 6,
      let place = entry.offset(of: "pcmC"), let payload = entry.payloadOffset(of: "pcmC"),
      let name = samples["\(entry.format)\(box[5])"]
    else { return [] }
    return [
      .type(name, ofBoxAt: entry.offset), .type("enda", ofBoxAt: place),
      .init(place: payload, bytes: [0, box[4] & 1]),
    ]
  }

  private static let samples = [
    "ipcm24": "in24", "ipcm32": "in32", "fpcm32": "fl32", "fpcm64": "fl64",
  ]
}
