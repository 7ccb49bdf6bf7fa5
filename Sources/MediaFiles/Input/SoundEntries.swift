import Bitstreams
package import ISOMedia
package import Libav

/// Sample entries of sound in MP4 that FFmpeg reads otherwise than they are meant: samples of 24 or 32 bits
/// as such of 16, and layers I and II of MPEG audio as layer III.
package enum SoundEntries {
  /// The file with entries in their place that FFmpeg reads as they are meant; `nil` for any other.
  package static func input(of file: InputFile) -> (any ByteInput)? {
    guard ISOMovie.looksLikeISO(firstBytes: file.head),
      let movie = try? ISOMovie(reading: FileBytes(file))
    else { return nil }
    return input(of: file, movie)
  }

  package static func input(of file: InputFile, _ movie: ISOMovie) -> (any ByteInput)? {
    let patches = movie.tracks.flatMap { track -> [OverlaidInput.Patch] in
      guard track.handler == "soun", !track.isEncrypted else { return [] }
      return track.sampleEntries.flatMap { entry in
        pcm(entry) + (layer(of: track, entry, in: file) == 2 ? layer2(entry) : [])
      }
    }
    return patches.isEmpty ? nil : OverlaidInput(file, patches)
  }

  /// The layer of MPEG audio, which the object types of `esds` leave open (ISO/IEC 14496-1, table 5: 0x69 and
  /// 0x6B are all three); `nil` for other codecs.
  package static func layer(
    of track: ISOTrack, _ entry: ISOSampleEntry, in file: InputFile
  ) -> Int? {
    guard [0x69, 0x6B].contains(entry.elementaryStream?.objectType), track.sampleCount > 0,
      let place = try? track.samples(.timesAndPlaces).offset(0)
    else { return nil }
    return MPEGAudioHeader(file.bytes(in: place..<place + 4, atMost: 4))?.layer
  }

  /// Names its layer in the entry, and lets `esds` be.
  private static func layer2(_ entry: ISOSampleEntry) -> [OverlaidInput.Patch] {
    guard entry.format == "mp4a", let description = entry.offset(of: "esds") else { return [] }
    return [named(".mp2", entry.offset), named("free", description)]
  }

  /// QuickTime's entries of the same samples: big-endian, unless a box `enda` says otherwise.
  ///
  /// `pcmC` (ISO/IEC 23003-5, 5.1) has a byte of flags, of which the lowest is that of little-endian, and one
  /// of the sample size, behind the four of a full box.
  private static func pcm(_ entry: ISOSampleEntry) -> [OverlaidInput.Patch] {
    guard let box = entry.configuration("pcmC"), box.count >= 6,
      let place = entry.offset(of: "pcmC"), let name = names["\(entry.format)\(box[5])"]
    else { return [] }
    let endianness = Array("enda".utf8) + [0, box[4] & 1]
    return [named(name, entry.offset), .init(place: place + 4, bytes: endianness)]
  }

  private static let names = [
    "ipcm24": "in24", "ipcm32": "in32", "fpcm32": "fl32", "fpcm64": "fl64",
  ]

  /// The type of a box stands behind its size.
  private static func named(_ type: String, _ offset: Int64) -> OverlaidInput.Patch {
    .init(place: offset + 4, bytes: Array(type.utf8))
  }
}
