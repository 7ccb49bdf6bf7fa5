import Bitstreams
import Libav
import MediaFacts
import SafeText

/// A cover picture that is carried over, in the form that containers require.
struct FileCover {
  let facts: TrackFacts
  let picture: [UInt8]

  private var isPNG: Bool { facts.codec == .png }
  private var mimeType: String { isPNG ? "image/png" : "image/jpeg" }

  /// As a block before the audio.
  func block(number: Int) -> Muxer.Cover {
    var tags = [(key: "comment", value: Self.kinds[kind(number: number)])]
    if let title = title(number: number) { tags.append(("title", title)) }
    return Muxer.Cover(
      codec: facts.codec, picture: picture, isAttachment: false, size: size, tags: tags)
  }

  /// As a Matroska attachment, which is recognized as a cover by its name (RFC 9559, 22).
  func attached(number: Int) -> Muxer.Cover {
    let name = number == 0 ? "cover" : "cover \(number + 1)"
    var tags = [(key: "mimetype", value: mimeType)]
    tags.append(("filename", stated("filename") ?? name + (isPNG ? ".png" : ".jpg")))
    if let title = title(number: 0) { tags.append(("title", title)) }
    return Muxer.Cover(
      codec: facts.codec, picture: picture, isAttachment: true, size: size, tags: tags)
  }

  private func stated(_ name: String) -> String? {
    facts.tags.first { $0.key.lowercased() == name }?.value
  }

  /// ID3 does not allow two pictures with the same description (ID3v2.4, 4.14): those without one
  /// get a number.
  private func title(number: Int) -> String? {
    if let title = facts.title, !title.isEmpty { return String(title.prefix(Self.longestTitle)) }
    return number == 0 ? nil : "\(number + 1)"
  }

  private static let longestTitle = 500

  /// The first picture without a stated kind becomes the front cover, which players look for.
  private func kind(number: Int) -> Int {
    let stated = stated("comment").flatMap { stated in
      Self.kinds.firstIndex { $0.lowercased() == stated.lowercased() }
    }
    return stated ?? (number == 0 ? 3 : 0)
  }

  /// Zero where the picture does not state it.
  private var size: (width: Int, height: Int) {
    let header = isPNG ? VideoHeader(png: picture[...]) : VideoHeader(jpeg: picture[...])
    return (header?.width ?? 0, header?.height ?? 0)
  }
}

extension FileCover {
  /// The Ogg comment that holds a picture.
  static let commentName = "METADATA_BLOCK_PICTURE"

  /// The picture as a FLAC block (RFC 9639, 8.8) in Base64 (RFC 4648, 4).
  func comment() -> String {
    var bytes: [UInt8] = []
    func add(_ number: Int) {
      withUnsafeBytes(of: UInt32(clamping: number).bigEndian) { bytes += Array($0) }
    }
    func add(_ text: String) {
      add(text.utf8.count)
      bytes += Array(text.utf8)
    }
    add(kind(number: 0))
    add(mimeType)
    add(title(number: 0) ?? "")
    add(size.width)
    add(size.height)
    // Bits per pixel and number of palette colors, which are not known here.
    add(0)
    add(0)
    add(picture.count)
    return Base64.encode(bytes + picture)
  }

  /// What a picture shows (RFC 9639, table 13), in FFmpeg's words.
  fileprivate static let kinds = [
    "Other", "32x32 pixels 'file icon'", "Other file icon", "Cover (front)", "Cover (back)",
    "Leaflet page", "Media (e.g. label side of CD)", "Lead artist/lead performer/soloist",
    "Artist/performer", "Conductor", "Band/Orchestra", "Composer", "Lyricist/text writer",
    "Recording Location", "During recording", "During performance", "Movie/video screen capture",
    "A bright coloured fish", "Illustration", "Band/artist logotype", "Publisher/Studio logotype",
  ]
}
