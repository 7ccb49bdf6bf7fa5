/// Collects tags and cover art from `udta` and `meta` boxes, within limits.
struct MetadataReader {
  let limits: ISOLimits
  private(set) var tags: [ISOTag] = []
  private(set) var coverArt: [ISOCoverArt] = []
  private(set) var chapters: [ISOChapter] = []
  private(set) var isFull = false
  private var seen = 0

  init(_ limits: ISOLimits) { self.limits = limits }

  mutating func read(_ box: Box) {
    if box.type == "meta" { return readMeta(box) }
    for child in box.children() where !isFull {
      if child.type == "meta" {
        readMeta(child)
      } else if child.type == "chpl" {
        chapters = ISOChapter.nero(child, limit: limits.chapters)
      } else {
        readUserData(child)
      }
    }
  }

  // MARK: iTunes and QuickTime metadata

  /// A `meta` box: a full box in ISO files, a plain one in QuickTime's.
  private mutating func readMeta(_ box: Box) {
    let isPlain = box.payload.fourCC(4) == "hdlr"
    let children = box.children(after: isPlain ? 0 : 4)
    guard let list = children.first(where: { $0.type == "ilst" }) else { return }
    let keys = children.first { $0.type == "keys" }.map { Self.keys($0, limit: limits.tags) } ?? []
    for item in list.children() where !isFull { readItem(item, keys: keys) }
  }

  /// The key names of QuickTime metadata, which items refer to by number.
  private static func keys(_ box: Box, limit: Int) -> [String] {
    box.children(after: 8).prefix(limit).map {
      String(decoding: $0.payload.slice(from: 0, count: 256).bytes, as: UTF8.self)
    }
  }

  private mutating func readItem(_ item: Box, keys: [String]) {
    var key = TagNames.name(item.type)
    let number = Int(item.type.rawValue)
    if number >= 1, number <= keys.count { key = keys[number - 1] }
    for child in item.children().prefix(8) {
      switch child.type {
      case "name" where item.type == "----":
        key = Text.nonEmpty(child.payload.slice(from: 4)) ?? key
      case "data" where item.type == "covr": readPicture(child, of: item)
      case "data": if let value = value(child, of: item.type) { append(key, value) }
      default: break
      }
    }
  }

  /// The value of a `data` box: its type, a locale, then the bytes.
  private func value(_ data: Box, of item: FourCC) -> String? {
    let view = data.payload.slice(from: 8, count: limits.tagBytes)
    if item == "trkn" || item == "disk" { return Self.position(view) }
    switch data.payload.u32(0) & 0xFF_FFFF {
    case 1, 4: return Text.nonEmpty(view)
    case 2, 5: return Text.utf16(view)
    case 21, 22, 0: return Self.integer(view)
    case 23 where view.count == 4: return Self.decimal(Double(Float(bitPattern: view.u32(0))))
    case 24 where view.count == 8: return Self.decimal(Double(bitPattern: view.u64(0)))
    default: return nil
    }
  }

  /// A position in a list: `3/12`, or `3` where the total is not stated.
  private static func position(_ view: ByteView) -> String? {
    guard view.count >= 4 else { return nil }
    let total = view.u16(4)
    return total > 0 ? "\(view.u16(2))/\(total)" : "\(view.u16(2))"
  }

  private static func integer(_ view: ByteView) -> String? {
    switch view.count {
    case 1: "\(Int8(bitPattern: view.u8(0)))"
    case 2: "\(Int16(bitPattern: view.u16(0)))"
    case 4: "\(view.i32(0))"
    case 8: "\(Int64(bitPattern: view.u64(0)))"
    default: nil
    }
  }

  /// A number with six decimals, as FFmpeg writes it.
  private static func decimal(_ value: Double) -> String {
    guard let millionths = Int64(exactly: (value * 1_000_000).rounded()) else { return "\(value)" }
    let (whole, rest) = millionths.magnitude.quotientAndRemainder(dividingBy: 1_000_000)
    let digits = String(rest)
    let zeros = String(repeating: "0", count: 6 - digits.count)
    return (millionths < 0 ? "-" : "") + "\(whole)." + zeros + digits
  }

  private mutating func readPicture(_ data: Box, of item: Box) {
    let picture = data.payload.slice(from: 8)
    guard coverArt.count < 16, picture.count > 0 else { return }
    coverArt.append(
      ISOCoverArt(
        format: ISOCoverArt.Format(picture), boxOffset: item.offset,
        byteOffset: picture.fileOffset, byteCount: picture.count))
  }

  // MARK: Plain user data

  /// Reads a text of QuickTime (`©nam`: length, language, text) or of 3GPP (`titl`: a full box with
  /// a language, TS 26.244, 8).
  private mutating func readUserData(_ box: Box) {
    let key = TagNames.name(box.type)
    if box.type.rawValue >> 24 == 0xA9 {
      let language = box.payload.u16(2)
      let view = box.payload.slice(from: 4, count: Int(box.payload.u16(0)))
      append(key, language < 0x400 ? Text.macRoman(view) : Text.nonEmpty(view) ?? "")
    } else if Self.titles3GPP.contains(box.type) {
      append(key, Text.marked(box.payload.slice(from: 6, count: limits.tagBytes)))
    } else if box.type == "name" {
      append(key, Text.nonEmpty(box.payload.slice(from: 0, count: limits.tagBytes)) ?? "")
    }
  }

  private static let titles3GPP: Set<FourCC> = [
    "titl", "auth", "cprt", "dscp", "gnre", "perf", "albm",
  ]

  /// Keeps an entry unless it is empty or a duplicate; each counts toward the limit.
  private mutating func append(_ key: String, _ value: String) {
    guard seen < limits.tags else {
      isFull = true
      return
    }
    seen += 1
    let tag = ISOTag(key: key, value: value)
    if !value.isEmpty, !tags.contains(tag) { tags.append(tag) }
  }
}

extension ISOCoverArt.Format {
  init(_ view: ByteView) {
    switch (view.u32(0), view.u16(0)) {
    case (0x8950_4E47, _): self = .png
    case (0x4749_4638, _): self = .gif
    case (_, 0xFFD8): self = .jpeg
    case (_, 0x424D): self = .bmp
    default: self = .unknown
    }
  }
}

extension ISOMovie {
  mutating func readMetadata(_ box: Box, _ limits: ISOLimits, _ log: inout ProblemLog) {
    var reader = MetadataReader(limits)
    reader.read(box)
    tags.append(contentsOf: reader.tags.prefix(max(0, limits.tags - tags.count)))
    coverArt.append(contentsOf: reader.coverArt)
    if chapters.isEmpty { chapters = reader.chapters }
    if reader.isFull {
      log.note(
        .limitReached, at: box.offset, "only the first \(limits.tags) metadata entries are read")
    }
  }

  /// A `pssh` box: which system protects the file (ISO 23001-7, 8.1).
  mutating func readProtectionSystem(_ box: Box) {
    guard box.payload.count >= 20, protectionSystems.count < 64 else { return }
    let digits = box.payload.slice(from: 4, count: 16).bytes.map { byte in
      (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
    protectionSystems.append(digits.joined())
  }
}

extension ISOTrack {
  mutating func readMetadata(_ box: Box, _ limits: ISOLimits, _ log: inout ProblemLog) {
    var reader = MetadataReader(limits)
    reader.read(box)
    tags.append(contentsOf: reader.tags.prefix(max(0, limits.tags - tags.count)))
    title = title ?? tags.first { $0.key == "title" }?.value
    if reader.isFull {
      log.note(
        .limitReached, at: box.offset,
        "only the first \(limits.tags) metadata entries of track \(id) are read")
    }
  }
}
