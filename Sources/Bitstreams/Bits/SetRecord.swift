/// Walks the parameter sets in a decoder configuration record (ISO 14496-15, 5.3.3.1 and 8.3.3.1); a truncated
/// record has the units before its end.
enum SetRecord {
  /// The arrays of HEVCDecoderConfigurationRecord, which follow 22 bytes: each with its header, whose low six
  /// bits are the type of its units.
  static func hevc(_ record: [UInt8]) -> [(header: UInt8, units: [ArraySlice<UInt8>])] {
    guard record.count > 23 else { return [] }
    var arrays: [(header: UInt8, units: [ArraySlice<UInt8>])] = []
    var rest = record[23...]
    for _ in 0..<record[22] {
      guard let header = rest.popFirst(), rest.count >= 2 else { break }
      let (units, isWhole) = units(Int(rest.prefix(2).number(.big)), of: &rest, after: 2)
      arrays.append((header, units))
      guard isWhole else { break }
    }
    return arrays
  }

  /// The sequence and picture parameter sets of AVCDecoderConfigurationRecord, which follow five bytes, and
  /// what is after them; empty where it is truncated.
  static func h264(
    _ record: [UInt8]
  ) -> (sequences: [ArraySlice<UInt8>], pictures: [ArraySlice<UInt8>], tail: ArraySlice<UInt8>) {
    guard record.count > 5 else { return ([], [], []) }
    var rest = record[5...]
    let (sequences, isWhole) = units(Int(rest.first ?? 0) & 0x1F, of: &rest, after: 1)
    guard isWhole, let count = rest.first else { return (sequences, [], []) }
    let (pictures, hasTail) = units(Int(count), of: &rest, after: 1)
    return (sequences, pictures, hasTail ? rest : [])
  }

  /// Units that each follow their length of two bytes.
  private static func units(
    _ count: Int, of rest: inout ArraySlice<UInt8>, after skipped: Int
  ) -> (units: [ArraySlice<UInt8>], isWhole: Bool) {
    rest = rest.dropFirst(skipped)
    var units: [ArraySlice<UInt8>] = []
    for _ in 0..<count {
      let length = Int(rest.prefix(2).number(.big))
      guard rest.count >= 2 + length else { return (units, false) }
      units.append(rest.dropFirst(2).prefix(length))
      rest = rest.dropFirst(2 + length)
    }
    return (units, true)
  }
}
