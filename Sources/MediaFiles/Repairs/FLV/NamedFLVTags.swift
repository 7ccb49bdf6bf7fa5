package import Libav

/// Hides FLV tags whose codec is named by a FourCC (Enhanced RTMP) from older versions of FFmpeg,
/// which mistake them for Flash's own.
///
/// They read the packet type as a codec number. Where that changes within a stream, they give up
/// inside the tag and lose what follows, including audio in Flash's own formats. From any enhanced
/// audio packet, even one that describes an existing track, they make another track.
package enum NamedFLVTags {
  /// How many tags are searched for the first such tag: headers are at the beginning.
  private static let mostBefore = 1000
  /// Nine hours at 60 fps: 80 MB of patches.
  private static let most = 2_000_000
  /// Values of the first byte of an audio tag with unused codec numbers, which become separate
  /// streams.
  private static let unusedFormats: [UInt8] = [0x90, 0xC0, 0xD0, 0xF0]

  /// How many enhanced audio tracks are left visible to FFmpeg.
  package static let mostTracks = unusedFormats.count

  /// The file without these tags, except one per track as a placeholder for what is read natively;
  /// `nil` for a file that has none.
  package static func input(of file: InputFile) -> (any ByteInput)? {
    guard !FLVReading.knowsNamedSound, isPossible(in: file), var tags = FLVTags(file) else {
      return nil
    }
    var patches: [OverlaidInput.Patch] = []
    /// Whether pictures are hidden; `nil` before the first.
    var hidesPictures = FLVReading.knowsNamedPictures ? false : nil as Bool?
    var sound: [FLVTags.Tag] = []
    var tracks: Set<UInt8> = []
    while patches.count < most, let tag = tags.next() {
      guard tag.isNamed else { continue }
      guard tag.kind & 0x3F == 9 else {
        for part in NamedFLVAudio.parts(of: tag, in: file) where part.content == .codedFrames {
          tracks.insert(part.track)
        }
        if sound.count < mostTracks { sound.append(tag) } else { patches.append(hiding(tag)) }
        continue
      }
      if hidesPictures == nil, let pictures = FLVTags.pictures(in: tag) {
        // Unknown codecs are left to FFmpeg.
        hidesPictures = pictures.name != nil
        if hidesPictures == true {
          patches.append(OverlaidInput.Patch(place: tag.body.lowerBound, bytes: [0x90]))
          continue
        }
      }
      if hidesPictures != false { patches.append(hiding(tag)) }
    }
    for (number, tag) in sound.enumerated() {
      patches.append(
        number < tracks.count
          ? OverlaidInput.Patch(place: tag.body.lowerBound, bytes: [unusedFormats[number]])
          : hiding(tag))
    }
    return OverlaidInput(file, patches)
  }

  private static func isPossible(in file: InputFile) -> Bool {
    guard var tags = FLVTags(file) else { return false }
    for _ in 0..<mostBefore {
      guard let tag = tags.next() else { return false }
      if tag.isNamed { return true }
    }
    return false
  }

  /// One array shared by all patches.
  private static let noType: [UInt8] = [0]

  /// Hides a tag: FFmpeg skips type 0, which is not assigned.
  private static func hiding(_ tag: FLVTags.Tag) -> OverlaidInput.Patch {
    OverlaidInput.Patch(place: tag.body.lowerBound - FLVTags.headerByteCount, bytes: noType)
  }
}
