import ExactTime
import Glibc
import Support
import Testing
import Trimming

@testable import Bitstreams
@testable import Cutting

@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(5)))
struct `Given a file made by an encoder` {
  /// Frames, half-open.
  static let ranges = [
    12..<36, 13..<50, 11..<49, 17..<31, 14..<20, 30..<100, 0..<25, 24..<25, 40..<41, 5..<95,
  ]

  static func range(_ frames: Range<Int>) throws -> MediaTimeRange {
    try #require(
      MediaTimeRange(
        from: MediaTime(Int64(frames.lowerBound), 25), to: MediaTime(Int64(frames.upperBound), 25)))
  }

  static func cut(
    _ path: String, _ frames: Range<Int>, to output: String, as ending: String
  ) throws -> CutReport {
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let container = try #require(OutputContainer(nameEnding: ending))
    return try clip.cut(
      CutRequest(range: range(frames)), to: Array(output.utf8), as: container, replaces: true)
  }

  /// The mean squared difference of two pictures of the same size.
  static func error(_ first: ArraySlice<UInt8>, _ second: ArraySlice<UInt8>) -> Double {
    let count = first.count
    guard count == second.count, count > 0 else { return .infinity }
    return first.withUnsafeBytes { first in
      second.withUnsafeBytes { second in
        if let one = first.baseAddress, let other = second.baseAddress,
          memcmp(one, other, count) == 0
        {
          return 0
        }
        var (sum, place) = (0, 0)
        while place < count {
          let difference = Int(first[place]) - Int(second[place])
          sum += difference * difference
          place += 1
        }
        return Double(sum) / Double(count)
      }
    }
  }

  /// 36 dB: fine patterns on a small picture are harder to encode than real files.
  static let tolerated = 255.0 * 255 / 3981

  @Test(arguments: Sample.of(Array(zip(EncodedClip.all, 0..<EncodedClip.all.count)), 6))
  func `when a part is cut then another decoder shows its frames, the copied ones bit-exact`(
    _ encoded: EncodedClip, _ number: Int
  ) async throws {
    let folder = try ScratchFolder()
    let path = try await encoded.make(in: folder)
    let (source, _) = try await EncodedClip.pictures(path)
    try #require(source.count == EncodedClip.frameCount)
    // Half of them for each clip: neighbors in the list of files are similar.
    for frames in Self.ranges.enumerated().filter({ ($0.offset + number) % 2 == 0 }).map(\.element)
    {
      let output = folder.path(of: "cut." + encoded.ending)
      let report = try Self.cut(path, frames, to: output, as: encoded.ending)
      let track = try #require(report.plan.tracks.first)
      let (pictures, log) = try await EncodedClip.pictures(output)
      #expect(log.isEmpty, "\(frames): \(log)")
      #expect(pictures.count == frames.count, "\(frames)")
      #expect(track.packets == frames.count, "\(frames)")
      for (place, picture) in pictures.prefix(frames.count).enumerated() {
        let truth = source[frames.lowerBound + place]
        if place >= track.encodedHead, place < track.packets - track.encodedTail {
          #expect(Self.error(picture, truth) == 0, "copied frame \(place) of \(frames)")
        } else {
          let error = Self.error(picture, truth)
          #expect(error < Self.tolerated, "encoded frame \(place) of \(frames)")
        }
      }
    }
  }

  // The others are split anywhere and joined again: see JoinedPartsTests.
  @Test(
    arguments: Sample.of(
      stride(from: 0, to: EncodedClip.all.count, by: 2).map {
        (EncodedClip.all[$0], UInt64($0 + 1))
      }, 5))
  func `when it is split anywhere then its parts in order show the whole file`(
    _ encoded: EncodedClip, _ seed: UInt64
  ) async throws {
    var generator = SeededGenerator(seed: seed)
    let folder = try ScratchFolder()
    let path = try await encoded.make(in: folder)
    let (source, _) = try await EncodedClip.pictures(path)
    var ends = Set((0..<3).map { _ in Int.random(in: 1..<100, using: &generator) })
    ends.formUnion([0, EncodedClip.frameCount])
    var shown: [ArraySlice<UInt8>] = []
    var length = MediaDuration.zero
    let sorted = ends.sorted()
    for (start, end) in zip(sorted, sorted.dropFirst()) {
      let output = folder.path(of: "part." + encoded.ending)
      let report = try Self.cut(path, start..<end, to: output, as: encoded.ending)
      length = try length.adding(report.plan.length)
      shown += try await EncodedClip.pictures(output).pictures
    }
    #expect(length == MediaDuration(4), "\(generator): \(sorted)")
    #expect(shown.count == source.count, "\(generator): \(sorted)")
    for (place, (picture, truth)) in zip(shown, source).enumerated() {
      let error = Self.error(picture, truth)
      #expect(error < Self.tolerated, "\(generator): frame \(place) of \(sorted)")
    }
  }

  @Test(arguments: EncodedClip.h264.filter { $0.ending == "mp4" })
  func `when H.264 is cut into MP4 then its one SPS is the source's, and none is in-band`(
    _ encoded: EncodedClip
  ) async throws {
    let folder = try ScratchFolder()
    let path = try await encoded.make(in: folder)
    let output = folder.path(of: "cut.mp4")
    let report = try Self.cut(path, 17..<50, to: output, as: "mp4")
    guard report.plan.encodedFrames < report.plan.frames else { return }
    let (before, after) = try (Self.open(path), Self.open(output))
    let (old, new) = (before.tracks[0], after.tracks[0])
    let sets = H264Sets(configuration: new.configuration)
    #expect(sets.sequenceUnits == H264Sets(configuration: old.configuration).sequenceUnits)
    #expect(sets.pictures.count == sets.pictureUnits.count, "no two sets with one number")
    let places = new.coded.packets.indices
    try after.prepare([0: [places]])
    for place in places {
      let bytes = try after.bytes(ofTrack: 0, place)
      let types = NALUnits(bytes: bytes[...], framing: new.framing).map {
        $0.first.map { $0 & 0x1F }
      }
      #expect(!types.contains(7) && !types.contains(8), "packet \(place)")
    }
  }

  @Test(arguments: EncodedClip.hevc.filter { $0.ending == "mp4" })
  func `when HEVC is cut into MP4 then it stays hvc1, with all parameter sets in its header`(
    _ encoded: EncodedClip
  ) async throws {
    let folder = try ScratchFolder()
    let path = try await encoded.make(in: folder)
    let output = folder.path(of: "cut.mp4")
    _ = try Self.cut(path, 17..<50, to: output, as: "mp4")
    let (before, after) = try (Self.open(path), Self.open(output))
    let new = after.tracks[0]
    let (old, own) = (
      HEVCSets(configuration: before.tracks[0].configuration),
      HEVCSets(configuration: new.configuration)
    )
    #expect(own.all.filter { old.all.contains($0) } == old.all)
    for type in [HEVCSets.video, HEVCSets.sequence, HEVCSets.picture] {
      #expect(own.numbers(of: type).count == own.units[type]?.count, "each with its own number")
    }
    #expect(try fileBytes(output).contains(Array("hvc1".utf8)))
    let places = new.coded.packets.indices
    try after.prepare([0: [places]])
    for place in places {
      let bytes = try after.bytes(ofTrack: 0, place)
      let types = NALUnits(bytes: bytes[...], framing: new.framing).map { HEVCSets.type(of: $0) }
      #expect(!types.contains { (32...34).contains($0) }, "packet \(place)")
    }
  }

  static func open(_ path: String) throws -> any CutSource {
    try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8))).source
  }
}
