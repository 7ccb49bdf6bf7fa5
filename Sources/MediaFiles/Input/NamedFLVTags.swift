package import Libav

/// FLV with tags whose codec has a name of four characters (Enhanced RTMP), which older versions of FFmpeg
/// take for Flash's own.
///
/// They read the type of such a packet as the number of a codec. Where that changes in a stream they give up
/// inside of the tag, and lose what stands behind it, the sound of Flash's own formats too; and of any
/// packet with named sound, though it describes a track that they read, they make another track.
package enum NamedFLVTags {
  /// How many tags are looked at in a file that may have no such: headers stand at the beginning.
  private static let mostBefore = 1000
  /// Nine hours at 60 pictures a second: 80 MB of patches.
  private static let most = 2_000_000
  /// Numbers of no codec, and so streams of their own, in the first byte of a tag with sound.
  private static let unusedFormats: [UInt8] = [0x90, 0xC0, 0xD0, 0xF0]

  /// How many tracks of named sound FFmpeg is shown.
  package static let mostTracks = unusedFormats.count

  /// The file without these tags, but for one of each track, which keeps a place for what is read
  /// natively; `nil` for one that has none.
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
        for part in NamedFLVSound.parts(of: tag, in: file) where part.content == .codedFrames {
          tracks.insert(part.track)
        }
        if sound.count < mostTracks { sound.append(tag) } else { patches.append(hiding(tag)) }
        continue
      }
      if hidesPictures == nil, let pictures = FLVTags.pictures(in: tag) {
        // What has no name that is known here is left to FFmpeg.
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

  /// One array for all of them.
  private static let noType: [UInt8] = [0]

  /// A tag of type 0, which is none, is passed over.
  private static func hiding(_ tag: FLVTags.Tag) -> OverlaidInput.Patch {
    OverlaidInput.Patch(place: tag.body.lowerBound - FLVTags.headerByteCount, bytes: noType)
  }
}
