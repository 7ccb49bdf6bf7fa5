import ExactTime
import Rendering
import Support
import Testing
import Trimming

@Suite(.timeLimit(.minutes(5))) struct `Given cached pictures` {
  static func picture(_ number: Int, side: Int = 10) -> GrabbedPicture {
    GrabbedPicture(
      frame: PresentedFrame(number: number, start: .zero, end: MediaTime(1)),
      picture: Picture(
        width: side, height: side, pixels: [UInt8](repeating: UInt8(number), count: side * side * 3)
      ))
  }

  static func key(_ number: Int) -> PictureCache.Key {
    PictureCache.Key(frame: number, size: .full)
  }

  @Test func `when there are more than fit then the least recently used are dropped`() {
    let cache = PictureCache(byteLimit: 900)
    for number in 0..<3 { cache.keep(Self.picture(number), for: Self.key(number)) }
    #expect(cache.byteCount == 900)
    #expect(cache[Self.key(0)] == Self.picture(0))
    cache.keep(Self.picture(3), for: Self.key(3))
    #expect(cache.byteCount == 900)
    #expect(cache[Self.key(1)] == nil)
    #expect((0..<4).filter { cache[Self.key($0)] != nil } == [0, 2, 3])
  }

  @Test func `when one is larger than the limit then it is not cached, and the others stay`() {
    let cache = PictureCache(byteLimit: 900)
    cache.keep(Self.picture(1), for: Self.key(1))
    cache.keep(Self.picture(2, side: 20), for: Self.key(2))
    #expect(cache[Self.key(1)] != nil)
    #expect(cache[Self.key(2)] == nil)
    #expect(cache.byteCount == 300)
  }

  @Test func `when one is cached again then it takes its space once`() {
    let cache = PictureCache(byteLimit: 900)
    for _ in 0..<5 { cache.keep(Self.picture(1), for: Self.key(1)) }
    #expect(cache.byteCount == 300)
  }

  @Test func `when any pictures come in any order then the limit holds`() {
    var random = SeededGenerator(seed: 11)
    let cache = PictureCache(byteLimit: 5000)
    for _ in 0..<2000 {
      let number = Int.random(in: 0..<40, using: &random)
      if Bool.random(using: &random) {
        cache.keep(
          Self.picture(number, side: Int.random(in: 1...25, using: &random)),
          for: Self.key(number))
      } else if let found = cache[Self.key(number)] {
        #expect(found.frame.number == number)
      }
      #expect(cache.byteCount <= 5000)
    }
  }
}

@Suite(.timeLimit(.minutes(5))) struct `Given the stills of a trimming screen` {
  @Test func `when a handle rests then the picture is the frame on screen there`() async throws {
    let track = try PictureTrack(Array(SampleClips.path("b-frames.mp4").utf8))
    let cache = PictureCache()
    let port = try PicturePort.file(track, size: .full, cache: cache)
    for (id, position) in [MediaTime(1, 2), MediaTime(33, 10), MediaTime(1, 2)].enumerated() {
      let shown = try await port.picture(
        PictureRequest(id: id, handle: .inPoint, position: position))
      let number = position == MediaTime(1, 2) ? 12 : 82
      #expect(shown?.frame == number)
      #expect(shown?.position == MediaTime(Int64(number), 25))
      let picture = try #require(shown?.image as? Picture)
      #expect(FrameCode.number(in: picture) == number)
    }
    // The third is the same as the first.
    #expect(cache.byteCount == 2 * 160 * 90 * 3)
  }

  @Test func `when the request was cancelled before its turn then nothing is made`() async throws {
    let track = try PictureTrack(Array(SampleClips.path("b-frames.mp4").utf8))
    let cache = PictureCache()
    let port = try PicturePort.file(track, size: .full, cache: cache)
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await port.picture(
        PictureRequest(id: 1, handle: .inPoint, position: MediaTime(1)))
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(cache.byteCount == 0)
  }
}
