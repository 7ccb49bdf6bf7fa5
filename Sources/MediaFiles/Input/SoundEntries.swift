import Bitstreams
package import ISOMedia

/// Sample entries of sound in MP4 that FFmpeg reads otherwise than they are meant: samples of 24 or 32 bits
/// as such of 16, and layers I and II of MPEG audio as layer III.
package enum SoundEntries {
  /// Entries in their place that FFmpeg reads as they are meant.
  static func patches(for file: InputFile, _ movie: ISOMovie) -> [OverlaidInput.Patch] {
    movie.tracks.flatMap { track -> [OverlaidInput.Patch] in
      guard track.handler == "soun", !track.isEncrypted else { return [] }
      return track.sampleEntries.flatMap(pcm) + layered(track, in: file)
    }
  }

  /// Whether an entry of layer III may stand for any layer: the object types of `esds` are all three (ISO/IEC
  /// 14496-1, table 5: 0x69 and 0x6B), and muxers use QuickTime's entries of layer III alike.
  package static func isOfAnyLayer(_ entry: ISOSampleEntry) -> Bool {
    names.contains(entry.format)
      || entry.format == "mp4a" && [0x69, 0x6B].contains(entry.elementaryStream?.objectType)
  }

  /// The last is QuickTime's name for the codec 0x55 of WAV.
  private static let names: Set<FourCC> = [".mp3", "mp3 ", FourCC(rawValue: 0x6D73_0055)]

  /// The name of its layer for an entry that stands for any.
  private static func layered(_ track: ISOTrack, in file: InputFile) -> [OverlaidInput.Patch] {
    guard let entry = track.firstEntry, isOfAnyLayer(entry),
      track.sampleCount > 0, let place = try? track.samples(.timesAndPlaces).offset(0),
      let byteCount = file.byteCount, (0..<byteCount).contains(place),
      let layer = MPEGAudioHeader(file.bytes(in: place..<byteCount, atMost: 4))?.layer, layer < 3
    else { return [] }
    return [.type(".mp\(layer)", ofBoxAt: entry.offset)]
      + [entry.offset(of: "esds")].compactMap { $0.map { .type("free", ofBoxAt: $0) } }
  }

  /// QuickTime's entries of the same samples: big-endian, unless a box `enda` says otherwise.
  ///
  /// `pcmC` (ISO/IEC 23003-5, 5.1) has a byte of flags, of which the lowest is that of little-endian, and one
  /// of the sample size, behind the four of a full box.
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
