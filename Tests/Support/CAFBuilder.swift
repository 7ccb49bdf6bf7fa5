/// Core Audio files to be written (Apple, Core Audio Format Specification 1.0).
package enum CAFBuilder {
  package static func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
    Array(type.utf8) + BoxBuilder.Field.u64(UInt64(content.count)).bytes + content
  }

  /// A second of silence in 16 bits, with entries in its `info` chunk: each a name and a value.
  package static func sound(entries: [(name: String, value: String)]) -> [UInt8] {
    let rate = 8000
    let description =
      BoxBuilder.Field.u64(Double(rate).bitPattern).bytes + Array("lpcm".utf8)
      + [0, 2, 1, 1, 16].flatMap { BoxBuilder.Field.u32($0).bytes }
    var information = BoxBuilder.Field.u32(UInt32(entries.count)).bytes
    for entry in entries {
      information += Array(entry.name.utf8) + [0] + Array(entry.value.utf8) + [0]
    }
    return Array("caff".utf8) + [0, 1, 0, 0] + chunk("desc", description)
      + chunk("info", information)
      + chunk("data", [UInt8](repeating: 0, count: 4 + 2 * rate))
  }
}
