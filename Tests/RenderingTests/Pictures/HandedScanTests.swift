import ExactTime
import Probing
import Rendering
import Support
import Testing

@Suite(.timeLimit(.minutes(1))) struct `Given a file that another process has scanned` {
  static let names = ["broadcast.ts", "wrapped.ts", "live.webm", "chapters.mkv"]

  private static func opened(_ name: String, index: [UInt8]) throws -> PictureTrack {
    let path = Array(SampleClips.path(name).utf8)
    let facts = try Prober().probe(.file(path: path))
    return try PictureTrack(path, facts: facts, index: index, origin: .zero) { false }
  }

  @Test(arguments: names)
  func `when its scan is passed on then the same frames are found, and shown`(
    _ name: String
  ) throws {
    let scanned = try Self.opened(name, index: [])
    let track = try Self.opened(name, index: scanned.index)
    #expect(!track.index.isEmpty && track.index == scanned.index)
    #expect(track.presented == scanned.presented)
    #expect(track.frameCount == scanned.frameCount)
    let (one, other) = (try FrameGrabber(scanned), try FrameGrabber(track))
    for number in stride(from: track.frameCount - 1, through: 0, by: -13) {
      let shown = try other.picture(ofFrame: number, size: .width(64))
      let known = try one.picture(ofFrame: number, size: .width(64))
      #expect(shown.frame == scanned.frame(number: number))
      #expect(shown.picture.pixels == known.picture.pixels)
    }
  }

  @Test func `then an MP4 file needs no scan, so nothing is passed on`() throws {
    #expect(try Self.opened("b-frames.mp4", index: []).index.isEmpty)
  }

  @Test(arguments: names)
  func `when what is passed on is truncated or changed then it is never trusted`(
    _ name: String
  ) throws {
    let track = try Self.opened(name, index: [])
    let bytes = track.table.bytes
    #expect(FrameTable(bytes[...])?.bytes == bytes)
    for length in stride(from: 0, to: bytes.count, by: 5) {
      #expect(FrameTable(bytes[..<length]) == nil, "\(length) bytes")
    }
    var random = SeededGenerator(seed: 11)
    for _ in 0..<400 {
      var changed = bytes
      changed[Int.random(in: 0..<bytes.count, using: &random)] ^= UInt8.random(
        in: 1...255, using: &random)
      // If it is still read, it refers to nothing outside of itself.
      guard let table = FrameTable(changed[...]) else { continue }
      for frame in 0..<min(table.frameCount, 50) { _ = table.frame(frame) }
    }
  }
}
