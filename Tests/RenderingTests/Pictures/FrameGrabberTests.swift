import ExactTime
import Rendering
import Support
import Testing

@Suite(.timeLimit(.minutes(5))) struct `Given a file with numbered frames` {
  static func track(_ name: String) throws -> PictureTrack {
    try PictureTrack(Array(SampleClips.path(name).utf8))
  }

  /// A sample file, how many pictures it has and when the first is shown.
  struct Clip: Sendable, CustomTestStringConvertible {
    var name: String
    var frames: Int
    var start = MediaTime.zero
    var quarters = 0
    var testDescription: String { name }

    static let all = [
      Clip(name: "b-frames.mp4", frames: 100), Clip(name: "open-gop.mp4", frames: 100),
      Clip(name: "hevc.mp4", frames: 75), Clip(name: "vfr.mp4", frames: 60),
      Clip(name: "ntsc.mp4", frames: 120), Clip(name: "rotated.mp4", frames: 25, quarters: 3),
      Clip(name: "anamorphic.mp4", frames: 25), Clip(name: "silent.mp4", frames: 50),
      Clip(name: "late-start.mp4", frames: 50, start: MediaTime(2)),
      Clip(name: "fragmented.mp4", frames: 75, start: MediaTime(2, 25)),
      Clip(name: "live.webm", frames: 75, start: MediaTime(7, 1000)),
      Clip(name: "broadcast.ts", frames: 75, start: MediaTime(37, 25)),
      Clip(name: "wrapped.ts", frames: 75, start: MediaTime(-7412, 5625)),
      Clip(name: "chapters.mkv", frames: 150, start: MediaTime(7, 1000)),
      Clip(name: "under-limit.mp4", frames: 604),
    ]
  }

  @Test(arguments: Clip.all)
  func `when all frames are read in a row then each comes once, in order, at its time`(
    _ clip: Clip
  ) throws {
    let track = try Self.track(clip.name)
    #expect(track.frameCount == clip.frames)
    #expect(track.presented.start == clip.start)
    let reader = try FrameReader(track, size: .full)
    var numbers: [Int?] = []
    while let shown = try reader.next() {
      #expect(shown.frame == track.frame(number: numbers.count))
      numbers.append(FrameCode.number(in: shown.picture, turnedBy: clip.quarters))
    }
    #expect(numbers == Array(0..<clip.frames))
  }

  @Test(arguments: Clip.all, [1, 2])
  func `when frames are fetched in any order then each is the one on screen`(
    _ clip: Clip, threads: Int
  ) throws {
    let track = try Self.track(clip.name)
    let grabber = try FrameGrabber(track, threads: threads)
    var random = SeededGenerator(seed: 5)
    for _ in 0..<40 {
      let number = Int.random(in: 0..<clip.frames, using: &random)
      let frame = track.frame(number: number)
      // Any instant of the frame, the last one just before its end.
      let share = Rational(Int64.random(in: 0...999, using: &random), 1000)
      let time = frame.start + MediaDuration(seconds: (frame.end - frame.start).seconds * share)
      let shown = try grabber.picture(at: time, size: .full)
      #expect(shown.frame == frame, "at \(time)")
      #expect(
        FrameCode.number(in: shown.picture, turnedBy: clip.quarters) == number, "at \(time)")
    }
  }

  @Test(arguments: Clip.all)
  func `when several are fetched at once then they are the same`(_ clip: Clip) throws {
    let track = try Self.track(clip.name)
    let numbers = stride(from: 0, to: clip.frames, by: 7).map { $0 }
    let times = numbers.map { track.frame(number: $0).start }
    var found: [Int?] = []
    try FrameGrabber(track).pictures(at: times, size: .full) { (position, shown) in
      #expect(position == found.count)
      found.append(FrameCode.number(in: shown.picture, turnedBy: clip.quarters))
      return true
    }
    #expect(found == numbers)
  }

  @Test func `when the clock is reset in the middle then frame times still increase`() throws {
    let folder = try ScratchFolder()
    let once = try SampleClips.bytes("broadcast.ts")
    let path = try folder.write(once + once, to: Array("twice.ts".utf8))
    let track = try PictureTrack(path)
    #expect(track.frameCount == 150)
    let reader = try FrameReader(track, size: .full)
    var numbers: [Int?] = []
    var last: MediaTime?
    while let shown = try reader.next() {
      #expect(last.map { $0 < shown.frame.start } ?? true)
      last = shown.frame.start
      numbers.append(FrameCode.number(in: shown.picture))
    }
    #expect(numbers == Array(0..<75) + Array(0..<75))
    let grabber = try FrameGrabber(track)
    for number in [149, 3, 80, 74, 75] {
      let shown = try grabber.picture(ofFrame: number, size: .full)
      #expect(shown.frame.number == number)
      #expect(FrameCode.number(in: shown.picture) == number % 75)
    }
  }

  @Test func `when frames are skipped then only those still on screen are returned`() throws {
    let track = try Self.track("b-frames.mp4")
    let reader = try FrameReader(track, size: .full)
    var numbers: [Int] = []
    var time = MediaTime.zero
    while let shown = try reader.next(shownAfter: time) {
      #expect(FrameCode.number(in: shown.picture) == shown.frame.number)
      numbers.append(shown.frame.number)
      // Each picture takes as long as five and a half frames.
      time = time + MediaDuration(11, 50)
      if numbers.count > 100 { break }
    }
    #expect(numbers.prefix(4) == [0, 5, 11, 16])
    #expect(numbers.last == 99)
    reader.move(to: MediaTime(1))
    #expect(try reader.next()?.frame.number == 25)
    #expect(try reader.next()?.frame.number == 26)
  }

  @Test func `when the file is damaged then what is left is shown without a trap`() throws {
    let folder = try ScratchFolder()
    let clip = try SampleClips.bytes("b-frames.mp4")
    var random = SeededGenerator(seed: 3)
    for round in 0..<40 {
      var bytes = clip
      for _ in 0..<30 {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] ^= UInt8.random(
          in: 1...255, using: &random)
      }
      let path = try folder.write(bytes, to: Array("damaged-\(round).mp4".utf8))
      guard let track = try? PictureTrack(path), let grabber = try? FrameGrabber(track) else {
        continue
      }
      for number in [0, 40, 99] {
        if let shown = try? grabber.picture(ofFrame: number, size: .width(80)) {
          #expect(shown.picture.width == 80)
        }
      }
    }
  }

  @Test func `when the table shows frames before their decoding time then each is still found`()
    async throws
  {
    // Composition offsets below zero (ISO 14496-12, 8.6.1.3, version 1).
    let folder = try ScratchFolder()
    let target = folder.path(of: "negative.mp4")
    let words = [
      "ffmpeg", "-v", "error", "-i", SampleClips.path("b-frames.mp4"), "-map", "0:v", "-c", "copy",
      "-movflags", "negative_cts_offsets", target,
    ]
    let made = try await ProgramRun(words.map { Array($0.utf8) })
    try #require(made.status == 0)
    let track = try PictureTrack(Array(target.utf8))
    #expect(track.frameCount == 100)
    let grabber = try FrameGrabber(track)
    for number in [0, 1, 30, 2, 99, 50, 49, 51] {
      let shown = try grabber.picture(ofFrame: number, size: .full)
      #expect(shown.frame.number == number)
      #expect(FrameCode.number(in: shown.picture) == number)
    }
  }
}
