import Glibc
import ISOMedia
import Support
import Testing

@testable import Bitstreams

/// Replaces the contents of the samples of a single-track file: its media data is rewritten, and
/// the tables of sample sizes and offsets are changed in place.
enum SampleRewriting {
  static func rewrite(
    _ path: String, to output: String, patching: (inout [UInt8]) throws -> Void = { _ in },
    sample: (Int, [UInt8]) -> [UInt8]
  ) throws {
    let bytes = try fileBytes(path)
    let movie = try ISOMovie(reading: InMemoryBytes(bytes))
    let table = try #require(movie.tracks.first).samples(.timesAndPlaces)
    let media = try #require(find("mdat", in: bytes))
    let header = try #require(find("moov", in: bytes))
    try #require(media < header)
    var result = Array(bytes[..<(media + 8)])
    var places: [Int64: Int] = [:]
    var sizes: [Int] = []
    for number in 0..<table.count {
      let offset = try #require(table.offset(number))
      places[offset] = result.count
      let old = Array(bytes[Int(offset)..<Int(offset) + Int(table.sizes[number])])
      let new = sample(number, old)
      sizes.append(new.count)
      result += new
    }
    put(result.count - media, in: &result, at: media)
    let moov = result.count
    result += bytes[header...]
    let sizeTable = try #require(find("stsz", in: result, from: moov))
    for (number, size) in sizes.enumerated() {
      put(size, in: &result, at: sizeTable + 20 + 4 * number)
    }
    let chunkTable = try #require(find("stco", in: result, from: moov))
    for chunk in 0..<get(result, at: chunkTable + 12) {
      let old = get(result, at: chunkTable + 16 + 4 * chunk)
      put(try #require(places[Int64(old)]), in: &result, at: chunkTable + 16 + 4 * chunk)
    }
    try patching(&result)
    try write(result, to: output)
  }

  /// Uses NAL unit lengths of this many bytes; `false` if a unit does not fit.
  static func shortenLengths(
    _ path: String, to output: String, size: Int
  ) throws -> Bool {
    var fits = true
    try rewrite(
      path, to: output,
      patching: { bytes in
        let avcC = find("avcC", in: bytes).map { $0 + 8 + 4 }
        let hvcC = find("hvcC", in: bytes).map { $0 + 8 + 21 }
        let place = try #require(avcC ?? hvcC)
        bytes[place] = bytes[place] & 0xFC | UInt8(size - 1)
      },
      sample: { _, bytes in
        let units = NALUnits(bytes: bytes[...], framing: .lengthPrefixed(4)).map { Array($0) }
        fits = fits && units.allSatisfy { $0.count < 1 << (8 * size) }
        return Framing.lengthPrefixed(size).pack(units)
      })
    return fits
  }

  /// The start of a box, by the first occurrence of its type.
  static func find(_ type: String, in bytes: [UInt8], from start: Int = 0) -> Int? {
    let name = Array(type.utf8)
    return (start + 4..<bytes.count - 4).first { bytes[$0..<$0 + 4].elementsEqual(name) }
      .map { $0 - 4 }
  }

  static func get(_ bytes: [UInt8], at place: Int) -> Int {
    bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
  }

  static func put(_ value: Int, in bytes: inout [UInt8], at place: Int) {
    for shift in 0..<4 {
      bytes[place + shift] = UInt8(truncatingIfNeeded: value >> (24 - 8 * shift))
    }
  }

  static func write(_ bytes: [UInt8], to path: String) throws {
    let file = try #require(fopen(path, "wb"))
    defer { fclose(file) }
    try #require(fwrite(bytes, 1, bytes.count, file) == bytes.count)
  }
}
