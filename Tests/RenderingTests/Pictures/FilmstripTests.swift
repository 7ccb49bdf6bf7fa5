import ExactTime
import MediaFiles
import Rendering
import Support
import Testing

@Suite(.timeLimit(.minutes(5))) struct `Given a filmstrip` {
  struct Parts: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var instants: FilmstripInstants
    var from: MediaTime
    var to: MediaTime
    var times: [MediaTime]?

    static let cases = [
      Parts(
        testDescription: "three equal parts of one second", instants: .count(3),
        from: .zero, to: MediaTime(1),
        times: [MediaTime(1, 6), MediaTime(1, 2), MediaTime(5, 6)]),
      Parts(
        testDescription: "one part from a start that is not a whole number", instants: .count(1),
        from: MediaTime(1001, 30000), to: MediaTime(3003, 30000),
        times: [MediaTime(2002, 30000)]),
      Parts(
        testDescription: "a step that does not divide the length",
        instants: .every(MediaDuration(2, 5)), from: MediaTime(1), to: MediaTime(2),
        times: [MediaTime(1), MediaTime(7, 5), MediaTime(9, 5)]),
      Parts(
        testDescription: "a step that does: the end is no longer shown",
        instants: .every(MediaDuration(1, 2)), from: .zero, to: MediaTime(1),
        times: [.zero, MediaTime(1, 2)]),
      Parts(
        testDescription: "more than are made", instants: .every(MediaDuration(1, 1000)),
        from: .zero, to: MediaTime(10), times: nil),
      Parts(
        testDescription: "none", instants: .count(0), from: .zero, to: MediaTime(1), times: nil),
      Parts(
        testDescription: "an empty part", instants: .count(3), from: .zero, to: .zero, times: nil),
    ]
  }

  @Test(arguments: Parts.cases)
  func `when it is laid out then its instants are exact`(_ parts: Parts) throws {
    let range = try #require(MediaTimeRange(from: parts.from, to: parts.to))
    #expect(parts.instants.times(in: range, atMost: 1000) == parts.times)
  }

  @Test(arguments: [
    ("b-frames.mp4", 12), ("open-gop.mp4", 12), ("hevc.mp4", 7), ("vfr.mp4", 9),
    ("late-start.mp4", 3), ("broadcast.ts", 5), ("live.webm", 5),
  ])
  func `when it is drawn then every tile is the frame on screen at its instant`(
    _ name: String, _ count: Int
  ) throws {
    let track = try PictureTrack(Array(SampleClips.path(name).utf8))
    let times = try #require(
      FilmstripInstants.count(count).times(in: track.presented, atMost: 100))
    let strip = try Filmstrip(of: track, at: times, tileWidth: 160, columns: 5)
    #expect(strip.frames == times.map { track.frame(at: $0) })
    #expect(strip.tileHeight == 90)
    #expect(strip.picture.width == 160 * min(5, count))
    #expect(strip.picture.height == 90 * ((count + 4) / 5))
    for (position, frame) in strip.frames.enumerated() {
      #expect(FrameCode.number(in: strip.tile(position, columns: 5)) == frame.number)
    }
  }

  /// One picture of Motion JPEG has no beginning.
  @Test(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"))
  func `when a frame cannot be decoded then another replaces it, which is reported`()
    async throws
  {
    let folder = try ScratchFolder()
    let path = folder.path(of: "clip.avi")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=160x96:rate=25:duration=1", "-c:v",
      "mjpeg", path,
    ])
    var bytes = try fileBytes(path)
    let beginnings = bytes.ranges(of: [0xFF, 0xD8, 0xFF] as [UInt8])
    try #require(beginnings.count == 25)
    for place in beginnings[5].lowerBound..<beginnings[6].lowerBound - 8 { bytes[place] = 0 }
    let track = try PictureTrack(folder.write(bytes, to: Array("damaged.avi".utf8)))
    let times = [4, 5, 6].map { track.frame(number: $0).start }
    let strip = try Filmstrip(of: track, at: times, tileWidth: 160)
    #expect(strip.substituteCount == 1)
    #expect(strip.frames[0].number == 4 && strip.frames[2].number == 6)
    #expect([4, 6].contains(strip.frames[1].number))
    #expect(try Filmstrip(of: track, at: [times[0]], tileWidth: 160).substituteCount == 0)
  }

  @Test func `when it takes the nearest keyframes then every tile is one, and none is nearer`()
    throws
  {
    let track = try PictureTrack(Array(SampleClips.path("b-frames.mp4").utf8))
    let times = [0, 3, 13, 24, 26, 60, 99].map { track.frame(number: $0).start }
    let strip = try Filmstrip(
      of: track, at: times, tileWidth: 160, choice: .keyframe, columns: 10)
    // Frame 13 is nearer to 25 than to 0.
    #expect(strip.frames.map(\.number) == [0, 0, 25, 25, 25, 50, 75])
    for (position, frame) in strip.frames.enumerated() {
      #expect(FrameCode.number(in: strip.tile(position, columns: 10)) == frame.number)
    }
  }

  @Test func `when the file is rotated or anamorphic then it is upright and in shape`() throws {
    let turned = try Filmstrip.one(of: "rotated.mp4", width: 90)
    #expect((turned.tileWidth, turned.tileHeight) == (90, 160))
    #expect(FrameCode.number(in: turned.picture, turnedBy: 3) == turned.frames[0].number)
    // 160×90 stored, each pixel 4:3: 2.37 to 1.
    let wide = try Filmstrip.one(of: "anamorphic.mp4", width: 640)
    #expect((wide.tileWidth, wide.tileHeight) == (640, 270))
    #expect(FrameCode.number(in: wide.picture) == wide.frames[0].number)
  }

  @Test func `when it would be too large then that is reported`() throws {
    let track = try PictureTrack(Array(SampleClips.path("silent.mp4").utf8))
    let times = [MediaTime](repeating: .zero, count: 20)
    let error = #expect(throws: MediaError.self) {
      try Filmstrip(of: track, at: times, tileWidth: 8000, columns: 20)
    }
    #expect(error?.code == .limitExceeded)
  }

  @Test func `when the file has no video then that is reported`() throws {
    let error = #expect(throws: MediaError.self) {
      try PictureTrack(Array(SampleClips.path("sound.m4a").utf8))
    }
    #expect(error?.code == .noPicture)
  }

  @Test func `when it is cancelled then it ends`() throws {
    let track = try PictureTrack(
      Array(SampleClips.path("b-frames.mp4").utf8), isCancelled: { true })
    let error = #expect(throws: MediaError.self) {
      try FrameGrabber(track).picture(at: MediaTime(2), size: .full)
    }
    #expect(error?.code == .cancelled)
  }
}

extension Filmstrip {
  fileprivate static func one(of name: String, width: Int) throws -> Filmstrip {
    let track = try PictureTrack(Array(SampleClips.path(name).utf8))
    return try Filmstrip(of: track, at: [MediaTime(1, 2)], tileWidth: width)
  }

  fileprivate func tile(_ position: Int, columns: Int) -> Picture {
    let left = position % columns * tileWidth
    let top = position / columns * tileHeight
    var pixels: [UInt8] = []
    for row in top..<top + tileHeight {
      let start = (row * picture.width + left) * 3
      pixels += picture.pixels[start..<start + tileWidth * 3]
    }
    return Picture(width: tileWidth, height: tileHeight, pixels: pixels)
  }
}
