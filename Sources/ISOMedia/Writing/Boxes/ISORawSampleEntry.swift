/// A sample entry as bytes, whose child boxes can be changed individually.
package struct ISORawSampleEntry: Hashable, Sendable {
  /// Header, fields and boxes.
  package private(set) var bytes: [UInt8]

  /// The layout of the fields before the boxes.
  package let kind: Kind

  init(_ box: ISORawBox, kind: Kind) {
    bytes = box.bytes
    self.kind = kind
  }

  /// Creates it from a complete sample entry.
  ///
  /// - Throws: ``ISOWriteError`` unless the bytes are one box of at least 16 bytes.
  package init(bytes: [UInt8], kind: Kind) throws(ISOWriteError) {
    let view = ByteView(bytes, fileOffset: 0)
    guard bytes.count >= 16, Int(view.u32(0)) == bytes.count else {
      throw ISOWriteError(.malformedBox, "\(bytes.count) bytes are not a complete sample entry")
    }
    self.bytes = bytes
    self.kind = kind
  }

  /// The four characters: `avc1`, `mp4a` and so on.
  package var format: FourCC { view.fourCC(4) }

  private var view: ByteView { ByteView(bytes, fileOffset: 0) }

  /// The entry with another format: `avc3` for `avc1` where parameter sets are in the samples.
  package func named(_ format: FourCC) -> ISORawSampleEntry {
    var copy = self
    var name = BoxWriter()
    name.fourCC(format)
    copy.bytes.replaceSubrange(4..<8, with: name.bytes)
    return copy
  }

  /// The payload of the entry's box of a type; `nil` when it has none.
  package func payload(of type: FourCC) -> [UInt8]? {
    find(type, from: fieldBytes, to: bytes.count, inside: []).map {
      Array(bytes[$0.range.dropFirst(8)])
    }
  }

  /// The entry with the content of one box changed, such as `avcC`; also within QuickTime's `wave`.
  ///
  /// - Throws: ``ISOWriteError/Code/missingBox`` when the entry has no such box.
  package func replacing(
    box type: FourCC, with payload: some Collection<UInt8>
  ) throws(ISOWriteError) -> ISORawSampleEntry {
    try changing(type, to: ISORawBox(type, payload: payload).bytes)
  }

  /// The entry without its box of a type; unchanged if it has none.
  package func removing(box type: FourCC) -> ISORawSampleEntry {
    (try? changing(type, to: [])) ?? self
  }

  /// The entry with a box added after the others, or replacing one of that type.
  package func setting(
    box type: FourCC, to payload: some Collection<UInt8>
  ) -> ISORawSampleEntry {
    let box = ISORawBox(type, payload: payload)
    if let changed = try? changing(type, to: box.bytes) { return changed }
    var copy = self
    // QuickTime may end the list with a zero, which must stay last.
    let end = boxesEnd(from: fieldBytes, to: bytes.count)
    copy.bytes.replaceSubrange(end..<end, with: box.bytes)
    copy.resize([0], by: box.bytes.count)
    return copy
  }

  /// The layout of the fields before the boxes (ISO 14496-12, 12.1.3, 12.2.3).
  package enum Kind: Hashable, Sendable {
    case video
    /// Audio; QuickTime's versions 1 and 2 have more fields, but not where `stsd` is version 1.
    case audio(descriptionVersion: UInt8)
    /// Only the data reference index.
    case other

    package init(handler: FourCC, descriptionVersion: UInt8 = 0) {
      switch handler {
      case "vide", "pict", "auxv": self = .video
      case "soun": self = .audio(descriptionVersion: descriptionVersion)
      default: self = .other
      }
    }
  }
}

extension ISORawSampleEntry {
  private struct Place {
    var range: Range<Int>
    /// The offsets of its parent boxes, outermost first.
    var parents: [Int]
  }

  /// Bytes of header and fields.
  private var fieldBytes: Int {
    switch kind {
    case .other: return 16
    case .video: return 86
    case .audio(let descriptionVersion):
      switch view.u16(16) {
      case 1 where descriptionVersion == 0: return 52
      case 2: return 72
      default: return 36
      }
    }
  }

  private func find(
    _ type: FourCC, from start: Int, to end: Int, inside parents: [Int]
  ) -> Place? {
    var position = start
    while let size = boxSize(at: position, before: end) {
      let name = view.fourCC(position + 4)
      if name == type { return Place(range: position..<position + size, parents: parents) }
      if name == "wave", parents.isEmpty,
        let place = find(
          type, from: position + 8, to: position + size, inside: parents + [position])
      {
        return place
      }
      position += size
    }
    return nil
  }

  private func boxSize(at position: Int, before end: Int) -> Int? {
    guard position + 8 <= end else { return nil }
    let size = Int(view.u32(position))
    return size >= 8 && size <= end - position ? size : nil
  }

  private func boxesEnd(from start: Int, to end: Int) -> Int {
    var position = min(start, end)
    while let size = boxSize(at: position, before: end) { position += size }
    return position
  }

  private func changing(
    _ type: FourCC, to box: [UInt8]
  ) throws(ISOWriteError) -> ISORawSampleEntry {
    guard let place = find(type, from: fieldBytes, to: bytes.count, inside: []) else {
      throw ISOWriteError(.missingBox, "the sample entry “\(format)” has no “\(type)” box")
    }
    var copy = self
    copy.bytes.replaceSubrange(place.range, with: box)
    copy.resize([0] + place.parents, by: box.count - place.range.count)
    return copy
  }

  private mutating func resize(_ boxes: [Int], by change: Int) {
    for start in boxes {
      var size = BoxWriter()
      size.u32(UInt32(clamping: Int(view.u32(start)) + change))
      bytes.replaceSubrange(start..<start + 4, with: size.bytes)
    }
  }
}
