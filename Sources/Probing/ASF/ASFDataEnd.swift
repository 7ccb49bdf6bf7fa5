import MediaFiles

/// The stated end of the data in an ASF file (Advanced Systems Format, 2.1, 3.2 and 5.1).
enum ASFDataEnd {
  /// The stated end of the data object, which follows the header object; `nil` for other files, and
  /// for recorded broadcasts, whose size was not known.
  static func stated(in file: InputFile, head: [UInt8]) -> Int64? {
    guard head.starts(with: header), let size = size(of: head[...]),
      let count = file.byteCount, size >= 30, size < count, head.count >= 30,
      !isBroadcast(head[30...])
    else { return nil }
    let data = file.bytes(in: size..<size + 24, atMost: 24)
    guard data.starts(with: Self.data), let length = Self.size(of: data[...]), length > leastData
    else { return nil }
    let (end, overflow) = size.addingReportingOverflow(length)
    return overflow ? nil : end
  }

  /// The lowest of the flags in the file properties.
  private static func isBroadcast(_ objects: ArraySlice<UInt8>) -> Bool {
    var objects = objects
    while objects.count >= 92, let size = size(of: objects), size >= 24 {
      if objects.starts(with: properties) { return objects[objects.startIndex + 88] & 1 == 1 }
      objects = objects.dropFirst(Int(clamping: size))
    }
    return false
  }

  /// The size of an object, which follows its identifier.
  private static func size(of object: ArraySlice<UInt8>) -> Int64? {
    guard object.count >= 24 else { return nil }
    let bytes = object.dropFirst(16).prefix(8)
    return Int64(exactly: bytes.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
  }

  /// The size of the data object's header.
  private static let leastData: Int64 = 50
  private static let header: [UInt8] = [
    0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11, 0xA6, 0xD9, 0x00, 0xAA, 0x00, 0x62, 0xCE, 0x6C,
  ]
  private static let data = [0x36] + header.dropFirst()
  private static let properties: [UInt8] = [
    0xA1, 0xDC, 0xAB, 0x8C, 0x47, 0xA9, 0xCF, 0x11, 0x8E, 0xE4, 0x00, 0xC0, 0x0C, 0x20, 0x53, 0x65,
  ]
}
