#if FFmpeg
  import Bitstreams
  import Libav
  import MediaFacts

  /// A picture of the cover that goes along, in the words of containers.
  struct FileCover {
    let facts: TrackFacts
    let picture: [UInt8]

    private var isPNG: Bool { facts.codec == "png" }
    private var mimeType: String { isPNG ? "image/png" : "image/jpeg" }

    /// A block in front of the sound.
    var block: Muxer.Cover {
      Muxer.Cover(
        codec: facts.codec, picture: picture, isAttachment: false, size: size,
        tags: tags(of: ["title", "comment"]))
    }

    /// A file among the attachments of Matroska, which is known for a cover by its name (RFC 9559, 22).
    func attached(number: Int) -> Muxer.Cover {
      var tags = tags(of: ["title", "filename"])
      let name = number == 0 ? "cover" : "cover \(number + 1)"
      if !tags.contains(where: { $0.key == "filename" }) {
        tags.append(("filename", name + (isPNG ? ".png" : ".jpg")))
      }
      tags.append(("mimetype", mimeType))
      return Muxer.Cover(
        codec: facts.codec, picture: picture, isAttachment: true, size: size, tags: tags)
    }

    private func tags(of names: [String]) -> [(key: String, value: String)] {
      facts.tags.map { (key: $0.key.lowercased(), value: $0.value) }
        .filter { names.contains($0.key) }
    }

    /// Zero where the picture does not tell.
    private var size: (width: Int, height: Int) {
      let header = isPNG ? VideoHeader(png: picture[...]) : VideoHeader(jpeg: picture[...])
      return (header?.width ?? 0, header?.height ?? 0)
    }
  }

  extension FileCover {
    /// The comment of Ogg that holds a picture.
    static let commentName = "METADATA_BLOCK_PICTURE"

    /// The picture as a block of FLAC (RFC 9639, 8.8) in Base64 (RFC 4648, 4).
    func comment() throws(LibavError) -> String {
      let kind = Self.kinds.firstIndex(of: tags(of: ["comment"]).first?.value.lowercased() ?? "")
      let title = tags(of: ["title"]).first?.value ?? ""
      var bytes: [UInt8] = []
      func add(_ number: Int) {
        withUnsafeBytes(of: UInt32(clamping: number).bigEndian) { bytes += Array($0) }
      }
      func add(_ text: String) {
        add(text.utf8.count)
        bytes += Array(text.utf8)
      }
      add(kind ?? 0)
      add(mimeType)
      add(title)
      add(size.width)
      add(size.height)
      // Bits of a pixel and colours of a palette, which are not known here.
      add(0)
      add(0)
      add(picture.count)
      return try Base64Text.of(bytes + picture)
    }

    /// What a picture shows (RFC 9639, table 13), in FFmpeg's words.
    private static let kinds = [
      "other", "32x32 pixels 'file icon'", "other file icon", "cover (front)", "cover (back)",
      "leaflet page", "media (e.g. label side of cd)", "lead artist/lead performer/soloist",
      "artist/performer", "conductor", "band/orchestra", "composer", "lyricist/text writer",
      "recording location", "during recording", "during performance", "movie/video screen capture",
      "a bright coloured fish", "illustration", "band/artist logotype", "publisher/studio logotype",
    ]
  }
#endif
