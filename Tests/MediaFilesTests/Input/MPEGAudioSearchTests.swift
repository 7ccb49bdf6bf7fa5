import Support
import Testing

@testable import MediaFiles

/// Silent frames of layer III, 417 bytes each: MPEG-1, 128 kb/s, 44.1 kHz (ISO 11172-3, 2.4.2.3).
private func frames(_ count: Int, rateByte: UInt8 = 0x90, byteCount: Int = 417) -> [UInt8] {
  let frame = [0xFF, 0xFB, rateByte, 0xC0] + [UInt8](repeating: 0, count: byteCount - 4)
  return Bombs.repeated(frame, count: count)
}

@Suite struct `Given a file in which MP3 may begin anywhere` {
  private func start(_ bytes: [UInt8]) throws -> Int64? {
    let folder = try ScratchFolder()
    let path = try folder.write(bytes, to: "clip")
    return MPEGAudioSearch.firstFrame(in: try InputFile(path: Array(path.utf8)))
  }

  @Test func `then six consecutive frames are accepted`() throws {
    #expect(try start(frames(6)) == 0)
    #expect(try start([1, 2, 3] + frames(6)) == 3)
  }

  @Test func `then five are not`() throws {
    #expect(try start(frames(5)) == nil)
    #expect(try start(frames(5) + [UInt8](repeating: 0, count: 4000)) == nil)
  }

  @Test func `then the last of them may be truncated after its header`() throws {
    #expect(try start(Array(frames(6).dropLast(413))) == 0)
    #expect(try start(Array(frames(6).dropLast(414))) == nil)
  }

  @Test func `then a header in the garbage before them leads nowhere`() throws {
    #expect(try start([0xFF, 0xFB, 0x90, 0xC0, 9, 9] + frames(6)) == 6)
  }

  @Test func `then frames of another rate do not continue a chain`() throws {
    // 48 kHz: 384 bytes.
    let other = frames(5, rateByte: 0x94, byteCount: 384)
    #expect(try start(frames(5) + other) == nil)
    #expect(try start(frames(5) + other + other) == Int64(5 * 417))
  }

  @Test func `then no MP3 is looked for beyond a mebibyte`() throws {
    let garbage = [UInt8](repeating: 7, count: 1 << 20)
    #expect(try start(Array(garbage.dropLast(6 * 417)) + frames(6)) == (1 << 20) - 6 * 417)
    #expect(try start(garbage + frames(6)) == nil)
  }

  @Test func `then free format, which states no frame size, begins no chain`() throws {
    #expect(try start(frames(6, rateByte: 0x00)) == nil)
  }

  @Test(arguments: [0, 1, 3, 4]) func `then a few bytes are not MP3`(_ count: Int) throws {
    #expect(try start([UInt8](repeating: 0xFF, count: count)) == nil)
  }
}
