import Support
import Testing

@testable import ISOMedia

/// QuickTime's `cmov`: zlib, as it packs (RFC 1950, RFC 1951).
@Suite(.timeLimit(.minutes(1))) struct `Given a movie whose header is compressed` {
  /// A stream of blocks that are stored (RFC 1951, 3.2.4).
  private func stored(_ bytes: [UInt8]) -> [UInt8] {
    var packed: [UInt8] = [0x78, 0x01]
    for start in stride(from: 0, to: bytes.count, by: 1000) {
      let block = bytes[start..<min(bytes.count, start + 1000)]
      let count = UInt16(block.count)
      packed.append(start + 1000 >= bytes.count ? 1 : 0)
      packed += [count, ~count].flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
      packed += block
    }
    return packed
  }

  /// The film with its `moov` packed; places of samples stay what they are.
  private func packing(
    _ film: [UInt8], size change: Int = 0, _ pack: ([UInt8]) -> [UInt8]
  ) throws -> [UInt8] {
    let movie = try ISOMovie(reading: InMemoryBytes(film))
    let header = try #require(movie.topLevel.first { $0.type == "moov" })
    let place = Int(header.offset)..<Int(header.offset + header.size)
    // Behind the samples, or nothing moves: what was the header becomes free.
    let data = BoxBuilder(
      "cmvd", fields: [.u32(UInt32(place.count + change)), .bytes(pack(Array(film[place])))])
    let packed = BoxBuilder(
      "moov", [BoxBuilder("cmov", [BoxBuilder("dcom", fields: [.text("zlib")]), data])])
    var bytes = film
    bytes.replaceSubrange(place.lowerBound + 4..<place.lowerBound + 8, with: Array("free".utf8))
    return bytes + packed.bytes
  }

  @Test func `then it is what it is unpacked`() throws {
    let film = FilmBuilder().bytes
    let movie = try ISOMovie(reading: InMemoryBytes(film))
    let unpacked = try ISOMovie(reading: InMemoryBytes(packing(film, stored)))
    #expect(unpacked.tracks.count == movie.tracks.count)
    #expect(unpacked.timescale == movie.timescale)
    #expect(!unpacked.problemKinds.contains(.compressedHeader))
    let (one, other) = try (unpacked.tracks[0].samples(), movie.tracks[0].samples())
    #expect(one.allDecodeTimes == other.allDecodeTimes)
  }

  @Test(arguments: [-1, 1]) func `when it states another size then it is named and not unpacked`(
    _ change: Int
  ) throws {
    let movie = try ISOMovie(
      reading: InMemoryBytes(packing(FilmBuilder().bytes, size: change, stored)))
    #expect(movie.problemKinds.contains(.compressedHeader))
    #expect(movie.tracks.isEmpty)
  }

  @Test func `when it is broken then it is named and not unpacked`() throws {
    let movie = try ISOMovie(
      reading: InMemoryBytes(
        packing(FilmBuilder().bytes) { bytes in
          var packed = stored(bytes)
          packed[3] ^= 0xFF
          return packed
        }))
    #expect(movie.problemKinds.contains(.compressedHeader))
  }

  /// Of “abcabc…” 300 times and the digits, by zlib: words of the fixed code, and of one that is described.
  @Test(arguments: [
    "78014b4c4a4e1c45a368140d1c323034b134343332353633b13433b1303434303034323434313134b334"
      + "b43433323235323533b2b034363231363334313000ca985898981a599a9a9b01f599999b991b599a5b00"
      + "c50c2d0d0c2ccd80261899181a58581a1a9a9a1902f51b1a01058d81a69900b59a02cd36035a6106b4c9"
      + "dcccc4d00268bba5b19991811158c6c8c8c0d2c8d8c0c4c804e80a5303032333206d0ee45b00c581ee34"
      + "06aa33061a06748da531d0c9c6401703008ed07fc9",
    "78daed4edb0d4351085a491039c771daeebf434997e8cf4d488c288fd7fbf37af0e0c1ff50d0c29cb6d6"
      + "ba40150848f0624d0ec7bcdb541baaca4557c39de3e87c7cb8e786c356ade340a1ee0263440f86ecb829"
      + "d289b713e1241d0b37e9db66f177216bd9252a2da68ace3cd96ff8f4ecfc75ccd2663b953b8dbf8ed07f"
      + "c9",
  ])
  func `then words of every code are unpacked`(_ packed: String) throws {
    let digits = Array(packed.utf8).map { $0 > 0x39 ? $0 - 0x57 : $0 - 0x30 }
    let bytes = stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    let text = String(repeating: "abc", count: 300) + (0..<60).map { "\($0 * $0)" }.joined()
    #expect(
      Inflation.unpack(ByteView(bytes, fileOffset: 0), limit: 4096) == Array(text.utf8))
    #expect(Inflation.unpack(ByteView(bytes, fileOffset: 0), limit: text.utf8.count - 1) == nil)
  }
}
