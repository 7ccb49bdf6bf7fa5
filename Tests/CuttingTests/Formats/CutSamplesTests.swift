import ExactTime
import Foundation
import MediaEngine
import MediaFacts
import Support
import Testing
import Trimming

/// The sample files that can be cut into their own container.
private let clips = SampleClips.names.filter { $0 != "not-media.mp4" && $0 != "truncated.mp4" }

private func range(_ from: MediaTime, _ to: MediaTime) throws -> MediaTimeRange {
  try #require(MediaTimeRange(from: from, to: to))
}

private func open(_ name: String) throws -> OpenedFile {
  try FileCutter(isCancelled: { false }).open(.file(path: Array(SampleClips.path(name).utf8)))
}

private func container(_ name: String) throws -> OutputContainer {
  let ending = try #require(name.split(separator: ".").last)
  return try #require(OutputContainer(nameEnding: String(ending)))
}

private func facts(_ path: [UInt8]) throws -> MediaFacts {
  try Prober(isCancelled: { false }).probe(.file(path: path))
}

@Suite(.timeLimit(.minutes(5))) struct `Given a file of any kind` {
  /// Every cut is proven before it appears, so one that appears has the right packets, times and
  /// decodable edges; here its length is checked independently.
  @Test(arguments: clips)
  func `then a part of it is written with the length that the plan states`(_ name: String) throws {
    let folder = try CutFolder()
    let clip = try open(name)
    for (from, to) in [(MediaTime(0), MediaTime(1, 2)), (MediaTime(1, 3), MediaTime(9, 10))] {
      let output = folder.bytes("\(from.seconds.numerator)-" + name)
      let report = try clip.cut(
        CutRequest(range: range(from, to), verification: .full), to: output,
        as: container(name))
      let written = try #require(try facts(output).durations.presented?.length)
      let difference = try written.subtracting(report.plan.length).checkedMagnitude()
      // Containers with coarse ticks round to them.
      #expect(difference <= MediaDuration(2, 1000), "\(written) \(report.plan.length)")
    }
  }

  @Test(arguments: ["b-frames.mp4", "open-gop.mp4", "hevc.mp4", "vfr.mp4", "fragmented.mp4"])
  func `then its parts together contain all its frames`(_ name: String) throws {
    let folder = try CutFolder()
    let clip = try open(name)
    let length = try #require(clip.facts.durations.presented?.length)
    var generator = SeededGenerator(seed: 7)
    var cuts = (0..<2).map { _ in
      MediaTime(Int64.random(in: 1..<1000, using: &generator), 1000)
    }.map { MediaTime(seconds: $0.seconds * length.seconds) }.sorted()
    cuts = [.zero] + cuts + [MediaTime(seconds: length.seconds)]
    var frames = 0
    // A frame that is on the screen where two parts meet is in both.
    let starts = try #require(clip.frameStarts)
    let parted = try cuts.dropFirst().dropLast().count { cut in
      let next = try starts.frame(atOrAfter: cut)
      return try next > 0 && starts.start(ofFrame: next) > cut
    }
    for (number, (from, to)) in zip(cuts, cuts.dropFirst()).enumerated() where from < to {
      let output = folder.bytes("\(number)-" + name)
      let report = try clip.cut(
        CutRequest(range: range(from, to)), to: output, as: container(name))
      let written = try facts(output).tracks.first { $0.kind == .video }
      #expect((written?.frameCount ?? 0) == report.plan.frames, "\(generator)")
      frames += report.plan.frames
    }
    let all = clip.facts.tracks.first { $0.kind == .video }?.frameCount
    #expect(frames - parted == all, "\(generator)")
  }

  @Test(arguments: ["ntsc.mp4", "vfr.mp4"])
  func `then OUT after its end means its end, for every track`(_ name: String) throws {
    let folder = try CutFolder()
    let clip = try open(name)
    let length = try #require(clip.facts.durations.presented?.length)
    let end = try MediaTime(seconds: length.seconds).advanced(by: MediaDuration(2))
    let output = folder.bytes(name)
    let report = try clip.cut(
      CutRequest(range: range(MediaTime(1), end)), to: output, as: container(name))
    let left = try length.subtracting(MediaDuration(1))
    #expect(report.plan.length == left)
    let declared = try #require(try facts(output).durations.declared?.length)
    let difference = try declared.subtracting(left).checkedMagnitude()
    #expect(difference <= MediaDuration(2, 1000), "\(declared) \(left)")
  }

  @Test func `then its bytes are unchanged afterward`() throws {
    let folder = try CutFolder()
    let before = try SampleClips.bytes("b-frames.mp4")
    _ = try open("b-frames.mp4").cut(
      CutRequest(range: range(.zero, MediaTime(1))), to: folder.bytes("o.mp4"), as: .mp4)
    #expect(try SampleClips.bytes("b-frames.mp4") == before)
  }
}

@Suite(.timeLimit(.minutes(5))) struct `Given a part of a file that begins and ends at keyframes` {
  @Test func `then nothing is re-encoded and the header comes first`() throws {
    let folder = try CutFolder()
    let clip = try open("b-frames.mp4")
    let report = try clip.cut(
      CutRequest(range: range(.zero, MediaTime(2)), mode: .copy), to: folder.bytes("o.mp4"),
      as: .mp4)
    #expect(report.plan.encodedFrames == 0)
    let bytes = try Data(contentsOf: URL(filePath: folder.path + "/o.mp4"))
    let moov = try #require(bytes.firstRange(of: Data("moov".utf8)))
    let mdat = try #require(bytes.firstRange(of: Data("mdat".utf8)))
    #expect(moov.lowerBound < mdat.lowerBound)
  }
}

@Suite struct `Given something that cannot be cut` {
  @Test func `then a codec that does not fit is refused before anything is written`() throws {
    let folder = try CutFolder()
    let clip = try open("b-frames.mp4")
    let error = #expect(throws: MediaError.self) {
      try clip.cut(
        CutRequest(range: range(.zero, MediaTime(1))), to: folder.bytes("o.webm"), as: .webm)
    }
    #expect(error?.code == .codecDoesNotFit)
    #expect(error?.hint?.contains(".mkv") == true)
    #expect(folder.entries.isEmpty)
  }

  @Test func `then a part after the end is refused`() throws {
    let clip = try open("b-frames.mp4")
    let error = #expect(throws: MediaError.self) {
      try clip.plan(CutRequest(range: range(MediaTime(100), MediaTime(101))), for: .mp4)
    }
    #expect(error?.code == .emptyRange)
  }

  @Test func `then text with a video's file name is not media`() throws {
    let error = #expect(throws: MediaError.self) { try open("not-media.mp4") }
    #expect(error?.code.rawValue == "notMedia")
  }
}

@Suite struct `Given a limit on the written length` {
  @Test func `then audio that outlasts the video counts, as it does for a player`() throws {
    let clip = try open("sound-over-limit.mp4")
    let whole = try #require(clip.facts.durations.presented?.length)
    let plan = try clip.plan(
      CutRequest(range: range(.zero, MediaTime(seconds: whole.seconds))), for: .mp4)
    #expect(plan.length == MediaDuration(6051, 100))
    #expect(!LengthLimit.standard.isValid(plan.length))
    let shorter = try clip.plan(
      CutRequest(range: range(.zero, MediaTime(604, 10))), for: .mp4)
    #expect(LengthLimit.standard.isValid(shorter.length))
  }
}
