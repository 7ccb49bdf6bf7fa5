import Bitstreams
import MediaFiles
import Probing

/// What a Matroska file holds besides media and structure: its elements by name and place (RFC 9559,
/// 5.1).
struct MatroskaParts {
  struct Part: Hashable {
    /// The element's name; for a tag, with the tag's name.
    var type: String
    /// The element that it is in.
    var place: String
    /// The number of its TrackEntry, from 0; `nil` for elements of the file.
    var track: Int?
  }

  /// How many there are of each, and their size.
  private(set) var parts: [(part: Part, count: Int, byteCount: Int64)] = []

  private var places: [Part: Int] = [:]
  /// Tags whose values are not text.
  private var binary: Set<Part> = []
  private var reader: CensusReader
  private var steps = 0
  private var tracks = 0
  /// The values of the track that is being read, by which others are judged.
  private var values: [UInt32: Int64] = [:]

  private static let mostSteps = 100_000
  private static let deepest = 6

  /// - Returns: `nil` where a file is not Matroska.
  /// - Parameter voids: what is read as padding.
  init?(_ file: InputFile, skipping voids: [Range<Int64>]) {
    guard file.head.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) else { return nil }
    reader = CensusReader(VoidedInput(file, voids))
    walk(0..<reader.byteCount, in: "file", track: nil, depth: 0)
  }

  private struct Element {
    var id: UInt32
    var content: Range<Int64>
    var isUnknown: Bool
  }

  private mutating func element(at place: Int64, before end: Int64) -> Element? {
    let rest = Int(min(12, end - place))
    guard rest >= 2, let head = reader.bytes(at: place, count: rest).flatMap(EBML.head)
    else { return nil }
    let start = place + Int64(head.length)
    let size = head.size.flatMap { $0 <= end - start ? $0 : nil }
    return Element(
      id: head.id, content: start..<(size.map { start + $0 } ?? max(start, end)),
      isUnknown: head.size == nil)
  }

  private mutating func walk(
    _ range: Range<Int64>, in place: String, track: Int?, depth: Int
  ) {
    var next = range.lowerBound
    while next < range.upperBound, steps < Self.mostSteps,
      let found = element(at: next, before: range.upperBound)
    {
      steps += 1
      next = found.content.upperBound
      let name = Self.names[found.id] ?? "element 0x" + String(found.id, radix: 16)
      if Self.structure.contains(found.id) {
        // What follows a cluster of unknown size cannot be found.
        if found.isUnknown, found.id != 0x1853_8067 { return }
        continue
      }
      guard depth < Self.deepest else { continue }
      if found.id == 0x67C8 {
        let tag = tag(found.content)
        let part = Part(type: "SimpleTag " + tag.name, place: place, track: nil)
        if tag.isBinary { binary.insert(part) }
        add(part.type, place, nil, found.content)
      } else if found.id == 0xAE {
        let number = tracks
        tracks += 1
        values = [:]
        walk(found.content, in: name, track: number, depth: depth + 1)
        note(values, ofTrack: number)
      } else if Self.masters.contains(found.id) {
        walk(found.content, in: name, track: track, depth: depth + 1)
      } else if says(found, place) {
        add(name, place, track, found.content)
      }
    }
  }

  private mutating func add(
    _ type: String, _ place: String, _ track: Int?, _ content: Range<Int64>
  ) {
    let part = Part(type: type, place: place, track: track)
    let byteCount = content.upperBound - content.lowerBound
    if let index = places[part] {
      parts[index].count += 1
      parts[index].byteCount += byteCount
    } else {
      places[part] = parts.count
      parts.append((part, 1, byteCount))
    }
  }

  /// Names of tags are in uppercase (RFC 9559, 5.1.8.1.2.1).
  private mutating func tag(_ content: Range<Int64>) -> (name: String, isBinary: Bool) {
    var next = content.lowerBound
    var (name, isBinary) = ("", false)
    while next < content.upperBound, steps < Self.mostSteps,
      let found = element(at: next, before: content.upperBound)
    {
      steps += 1
      next = found.content.upperBound
      if found.id == 0x45A3 { name = text(found.content).uppercased() }
      if found.id == 0x4485 { isBinary = true }
    }
    return (name, isBinary)
  }

  private mutating func text(_ content: Range<Int64>) -> String {
    let count = Int(min(256, content.upperBound - content.lowerBound))
    let bytes = reader.bytes(at: content.lowerBound, count: count) ?? []
    return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
  }

  /// Whether an element says more than its absence would.
  private mutating func says(_ element: Element, _ place: String) -> Bool {
    let count = element.content.upperBound - element.content.lowerBound
    guard count > 0 else { return false }
    guard count <= 8, let bytes = reader.bytes(at: element.content.lowerBound, count: Int(count))
    else { return true }
    let value = bytes.number(.big)
    if Self.compared.contains(element.id) {
      values[element.id] = value
      return false
    }
    // A language without a region is also stated as the older element.
    if element.id == 0x22_B59D { return bytes.contains(UInt8(ascii: "-")) }
    return value != Self.defaults[element.id] ?? 0
  }

  /// The display size is the picture size unless it is stated (5.1.4.1.28.12).
  private mutating func note(_ values: [UInt32: Int64], ofTrack track: Int) {
    for (id, pixels) in [(UInt32(0x54B0), UInt32(0xB0)), (0x54BA, 0xBA)] {
      guard let shown = values[id], shown != values[pixels] else { continue }
      add(Self.names[id] ?? "", "Video", track, 0..<8)
    }
  }
}

extension MatroskaParts {
  /// What FFmpeg's muxer writes of this.
  ///
  /// - Parameters:
  ///   - attached: how many attachments and covers are kept.
  ///   - number: the number of a track in the output.
  func written(
    attached: Int, hasChapters: Bool, _ number: (Int) -> Int?
  ) -> MatroskaParts {
    var copy = self
    copy.parts = parts.compactMap { entry in
      var entry = entry
      if let track = entry.part.track {
        entry.part.track = number(track)
        if entry.part.track == nil { return nil }
      }
      switch entry.part.type {
      case "AttachedFile":
        entry.count = min(entry.count, attached)
        return entry.count > 0 ? entry : nil
      case "EditionEntry": return hasChapters ? entry : nil
      case _ where binary.contains(entry.part): return nil
      case let type where Self.unwritten.contains(type) || type.hasPrefix("element "): return nil
      default: return entry
      }
    }
    return copy
  }

  private static let unwritten: Set = [
    "SegmentFilename", "PrevUUID", "NextUUID", "PrevFilename", "NextFilename", "SegmentFamily",
    "ChapterTranslate", "TrackOffset", "AttachmentLink", "TrackOverlay", "TrackOperation",
    "BlockAdditionMapping", "LanguageBCP47", "TrackTranslate", "FlagEnabled", "BitsPerChannel",
    "CbSubsamplingHorz", "CbSubsamplingVert", "ChromaSubsamplingHorz", "ChromaSubsamplingVert",
    "PixelCropBottom", "PixelCropTop", "PixelCropLeft", "PixelCropRight", "AspectRatioType",
    "Emphasis",
  ]

  private static let compared: Set<UInt32> = [0xB0, 0xBA, 0x54B0, 0x54BA]

  private static let masters: Set<UInt32> = [
    0x1853_8067, 0x1549_A966, 0x1654_AE6B, 0x1254_C367, 0x7373, 0x1043_A770, 0x1941_A469, 0xE0,
    0xE1, 0x55B0,
  ]

  /// Indexes, padding and clusters; how tracks are numbered, coded and laced; what a muxer states
  /// about itself and about lengths.
  private static let structure: Set<UInt32> = [
    0x1A45_DFA3, 0x114D_9B74, 0x1C53_BB6B, 0xEC, 0xBF, 0x1F43_B675, 0x2AD7_B1, 0x4489, 0x4D80,
    0x5741, 0x73A4, 0xD7, 0x73C5, 0x83, 0x86, 0x63A2, 0x56AA, 0x56BB, 0x23_E383, 0x9C, 0x6DE7,
    0x6DF8, 0x23_314F, 0x55EE, 0xAA, 0x6D80, 0x25_8688, 0x63C0, 0xB5, 0x78B5, 0x9F, 0x6264,
    0x23_4E7A, 0x23_83E3, 0x2E_B524,
  ]

  /// Values that an element has where it is absent, if that is not 0.
  private static let defaults: [UInt32: Int64] = [
    0xB9: 1, 0x88: 1, 0x9D: 2, 0x55B1: 2, 0x55BA: 2, 0x55BB: 2,
    // “und” says as little as no language, and “eng” is what its absence means.
    0x22_B59C: 0x756E64,
  ]

  private static let names: [UInt32: String] = [
    0x1853_8067: "Segment", 0x1549_A966: "Info", 0x1654_AE6B: "Tracks", 0x1254_C367: "Tags",
    0x1043_A770: "Chapters", 0x1941_A469: "Attachments", 0xAE: "TrackEntry", 0x7373: "Tag",
    0x67C8: "SimpleTag", 0x61A7: "AttachedFile", 0x45B9: "EditionEntry", 0xE0: "Video",
    0xE1: "Audio", 0x55B0: "Colour", 0x55D0: "MasteringMetadata", 0x7670: "Projection",
    0x7384: "SegmentFilename", 0x3C_B923: "PrevUUID", 0x3E_B923: "NextUUID",
    0x3C_83AB: "PrevFilename", 0x3E_83BB: "NextFilename", 0x4444: "SegmentFamily",
    0x6924: "ChapterTranslate", 0x4461: "DateUTC", 0x7BA9: "Title", 0xB9: "FlagEnabled",
    0x88: "FlagDefault", 0x55AA: "FlagForced", 0x22_B59C: "Language", 0x22_B59D: "LanguageBCP47",
    0x536E: "Name", 0x537F: "TrackOffset", 0x7446: "AttachmentLink", 0x6FAB: "TrackOverlay",
    0xE2: "TrackOperation", 0x41E4: "BlockAdditionMapping", 0x55AB: "FlagHearingImpaired",
    0x55AC: "FlagVisualImpaired", 0x55AD: "FlagTextDescriptions", 0x55AE: "FlagOriginal",
    0x55AF: "FlagCommentary", 0x6624: "TrackTranslate", 0x54B0: "DisplayWidth",
    0x54BA: "DisplayHeight", 0x54B2: "DisplayUnit", 0x9A: "FlagInterlaced", 0x9D: "FieldOrder",
    0x53B8: "StereoMode", 0x53C0: "AlphaMode", 0x54AA: "PixelCropBottom", 0x54BB: "PixelCropTop",
    0x54CC: "PixelCropLeft", 0x54DD: "PixelCropRight", 0x54B3: "AspectRatioType",
    0x52F1: "Emphasis", 0x55B1: "MatrixCoefficients", 0x55B2: "BitsPerChannel",
    0x55B3: "ChromaSubsamplingHorz", 0x55B4: "ChromaSubsamplingVert",
    0x55B5: "CbSubsamplingHorz", 0x55B6: "CbSubsamplingVert", 0x55B7: "ChromaSitingHorz",
    0x55B8: "ChromaSitingVert", 0x55B9: "Range", 0x55BA: "TransferCharacteristics",
    0x55BB: "Primaries", 0x55BC: "MaxCLL", 0x55BD: "MaxFALL",
  ]
}
