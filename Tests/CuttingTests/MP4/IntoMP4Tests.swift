import ExactTime
import ISOMedia
import MediaFacts
import Support
import Testing
import Trimming

@testable import Cutting

@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(5)))
struct `Given a file in another container that is cut into MP4` {
  static let clips = [
    "H.264, closed groups with a pyramid", "H.264, open groups", "H.264, interlaced",
    "H.264, frames in an interlaced sequence", "HEVC, open groups", "VP9", "AV1",
  ].map { EncodedClip.named($0, ending: "mkv") }
  static let streams = [
    "H.264, closed groups with a pyramid", "H.264, open groups", "H.264, interlaced",
    "HEVC, open groups", "HEVC, open groups, ten bits", "MPEG-2",
  ].map { EncodedClip.named($0, ending: "ts") }

  @Test(arguments: Sample.of(clips + streams, 4))
  func `then its frames are shown, evenly spaced, the copied ones bit-exact`(
    _ encoded: EncodedClip
  ) async throws {
    typealias Cuts = `Given a file made by an encoder`
    let folder = try ScratchFolder()
    let path = try await encoded.make(in: folder)
    let (source, _) = try await EncodedClip.pictures(path)
    let output = folder.path(of: "cut.mp4")
    for frames in [12..<50, 17..<31, 30..<100] {
      let report = try Cuts.cut(path, frames, to: output, as: "mp4")
      let track = try #require(report.plan.tracks.first)
      #expect(report.plan.length == MediaDuration(Int64(frames.count), 25))
      let (pictures, log) = try await EncodedClip.pictures(output)
      #expect(log.isEmpty, "\(frames): \(log)")
      #expect(pictures.count == frames.count)
      for (place, picture) in pictures.enumerated() {
        let truth = source[frames.lowerBound + place]
        if place >= track.encodedHead, place < track.packets - track.encodedTail {
          #expect(Cuts.error(picture, truth) == 0, "copied frame \(place) of \(frames)")
        } else {
          #expect(Cuts.error(picture, truth) < Cuts.tolerated, "frame \(place) of \(frames)")
        }
      }
      // One run of equal durations: Matroska's rounding to milliseconds is gone.
      let written = try #require(try Cuts.open(output).native)
      #expect(Set(written.tracks[0].coded.packets.map(\.duration)).count == 1)
      let grid = written.tracks[0].coded.grid
      let frame = try Rational(written.tracks[0].coded.packets[0].duration)
        .multiplied(by: grid.secondsPerTick)
      #expect(frame == Rational(1, 25))
    }
  }

  @Test(arguments: ["h264", "hevc"])
  func `then NAL units have length prefixes, and parameter sets are only in the header`(
    _ codec: Codec
  ) async throws {
    let folder = try ScratchFolder()
    let name = codec == "h264" ? "H.264, open groups" : "HEVC, open groups"
    let path = try await EncodedClip.named(name, ending: "ts").make(in: folder)
    let output = folder.path(of: "cut.mp4")
    _ = try `Given a file made by an encoder`.cut(path, 17..<50, to: output, as: "mp4")
    let written = try #require(
      try `Given a file made by an encoder`.open(output).native)
    let track = try #require(written.tracks.first)
    #expect(track.framing == .lengthPrefixed(4))
    #expect(track.facts.codecTag == (codec == "h264" ? "avc1" : "hvc1"))
    for place in track.coded.packets.indices {
      let bytes = try written.bytes(ofTrack: 0, place)
      var position = 0
      while position + 4 < bytes.count {
        let length = bytes[position..<position + 4].reduce(0) { $0 << 8 | Int($1) }
        let type =
          codec == "h264" ? bytes[position + 4] & 0x1F : bytes[position + 4] >> 1 & 0x3F
        let kept: [UInt8] = codec == "h264" ? [1, 5, 6] : Array(0...21) + [39, 40]
        #expect(kept.contains(type), "a unit of type \(type) in packet \(place)")
        position += 4 + length
      }
      #expect(position == bytes.count, "packet \(place)")
    }
  }

  @Test func `when one file is cut into several containers then each has its own framing`()
    async throws
  {
    typealias Cuts = `Given a file made by an encoder`
    let folder = try ScratchFolder()
    let path = try await EncodedClip.named("H.264, open groups", ending: "ts").make(in: folder)
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let request = CutRequest(range: try Cuts.range(17..<50), verification: .full)
    for name in ["a.mp4", "a.ts", "b.mp4", "a.mkv"] {
      let output = folder.path(of: name)
      let ending = try #require(name.split(separator: ".").last)
      let container = try #require(OutputContainer(nameEnding: String(ending)))
      _ = try clip.cut(request, to: Array(output.utf8), as: container)
      let (pictures, log) = try await EncodedClip.pictures(output)
      #expect(pictures.count == 33, "\(name)")
      #expect(log.isEmpty, "\(name): \(log)")
    }
  }

  @Test func `when IN and OUT are typed as Matroska rounds them then they select the same frames`()
    async throws
  {
    let folder = try ScratchFolder()
    let path = folder.path(of: "clip.mkv")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=160x96:rate=30:duration=4", "-c:v",
      "libx264", "-preset", "ultrafast", "-g", "12", path,
    ])
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    // Frames 29 (0.96667 s) up to 61 (2.03333 s).
    for (from, to) in [(967, 2033), (966, 2034), (966, 2033)] as [(Int64, Int64)] {
      let range = try #require(
        MediaTimeRange(from: MediaTime(from, 1000), to: MediaTime(to, 1000)))
      #expect(try clip.plan(CutRequest(range: range), for: .mp4).frames == 32, "\(range)")
    }
  }

  @Test func `then audio has the duration of its samples, exactly that of the part`() async throws {
    let folder = try ScratchFolder()
    let path = folder.path(of: "clip.mkv")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=160x96:rate=30000/1001:duration=6", "-f",
      "lavfi", "-i", "sine=r=44100:d=6", "-c:v", "libx264", "-preset", "ultrafast", "-g", "30",
      "-c:a", "aac", "-metadata", "title=A title", path,
    ])
    let output = folder.path(of: "cut.mp4")
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    // IN is on a frame: a shortened frame would not last as long as the others. FFmpeg's AAC begins
    // 23 ms before the pictures: 1,024 samples in some versions, whole milliseconds in others.
    let range = try #require(
      MediaTimeRange(from: MediaTime(1024, 1000), to: MediaTime(4024, 1000)))
    let report = try clip.cut(
      CutRequest(range: range, verification: .full), to: Array(output.utf8), as: .mp4)
    #expect(try (report.plan.length - MediaDuration(3)).checkedMagnitude() < MediaDuration(1, 1000))
    let written = try FileCutter(isCancelled: { false }).open(.file(path: Array(output.utf8)))
    let sound = try #require(written.facts.tracks.first { $0.kind == .audio })
    #expect(sound.durations.presented?.length == report.plan.length)
    let packets = try #require(written.source.tracks.last).coded.packets
    #expect(Set(packets.map(\.duration)) == [1024])
    #expect(written.facts.tags.contains { $0.key == "title" && $0.value == "A title" })
    let video = try #require(written.facts.tracks.first { $0.kind == .video }?.video)
    #expect(video.nominalFrameRate == Rational(30000, 1001))
    #expect(video.isConstantFrameRate == true)
  }
}

@Suite struct `Given timestamps that a container has rounded` {
  private static func track(_ times: [Int64]) -> CodedTrack {
    CodedTrack(
      index: 0, kind: .video, codec: "h264", grid: TickGrid(ticksPerSecond: 1000), origin: .zero,
      visible: 0..<1_000_000,
      packets: ContiguousArray(
        times.map { CodedPacket(pts: $0, dts: $0, duration: 33, byteCount: 1, isKey: true) }))
  }

  @Test func `when frames have a constant rate then times are counted in frames`() throws {
    let rounded = (0..<300).map { Int64((Double($0) * 1001 / 30).rounded()) }
    let counted = try #require(
      Self.track(rounded).counted(framesPerSecond: Rational(30000, 1001)))
    for place in 0..<300 {
      #expect(
        try counted.time(atTick: counted.packets[place].pts)
          == MediaTime(Int64(place) * 1001, 30000))
    }
  }

  @Test func `when a frame is missing then the others keep their places`() throws {
    let counted = try #require(
      Self.track([0, 40, 120, 160]).counted(framesPerSecond: Rational(25)))
    let frame = counted.packets[0].duration
    #expect(counted.packets.map { $0.pts / frame } == [0, 1, 3, 4])
    #expect(counted.packets.map { $0.duration / frame } == [1, 2, 1, 1])
  }

  @Test(arguments: [[0, 40, 83, 120], [0, 40, 40, 80], [0, 33, 67, 100]] as [[Int64]])
  func `when a frame is off the grid then times are not counted in frames`(_ times: [Int64]) {
    #expect(Self.track(times).counted(framesPerSecond: Rational(25)) == nil)
  }

  @Test func `when audio packets are contiguous then times are counted in samples`() throws {
    let rounded = (0..<500).map { Int64((Double($0) * 1024 / 44.1).rounded()) }
    for lengths in [Array(repeating: Int32(1024), count: 500), Array(repeating: 512, count: 500)] {
      var track = Self.track(rounded)
      for place in track.packets.indices { track.packets[place].duration = 23 }
      let counted = try #require(track.counted(samplesPerSecond: 44100, lengths: lengths))
      #expect(counted.packets.indices.allSatisfy { counted.packets[$0].pts == Int64($0) * 1024 })
      #expect(Set(counted.packets.map(\.duration)) == [1024])
    }
  }

  @Test func `when there is a gap in the audio then counting restarts after it`() throws {
    let times = (0..<100).map { place -> Int64 in place * 20 + (place > 50 ? 505 : 0) }
    var track = Self.track(times)
    for place in track.packets.indices { track.packets[place].duration = 20 }
    let counted = try #require(
      track.counted(samplesPerSecond: 48000, lengths: Array(repeating: 960, count: 100)))
    for place in 0..<100 { #expect(counted.packets[place].pts == times[place] * 48) }
    #expect(counted.packets[49].duration == 960)
    // Up to the first one after the gap.
    #expect(counted.packets[50].duration == (20 + 505) * 48)
  }

  @Test func `when an audio packet is stamped too early then it moves no other`()
    throws
  {
    var track = Self.track([0, 20, 40, 20, 60])
    for place in track.packets.indices { track.packets[place].duration = 20 }
    let lengths = [Int32](repeating: 960, count: 5)
    let counted = try #require(track.counted(samplesPerSecond: 48000, lengths: lengths))
    #expect(counted.packets.map(\.pts) == [0, 960, 1920, 1921, 2881])
  }
}
