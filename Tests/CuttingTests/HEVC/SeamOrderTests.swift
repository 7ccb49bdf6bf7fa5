import Bitstreams
import ExactTime
import Support
import Testing
import Trimming

@testable import Cutting

@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given HEVC whose copied pictures begin with a CRA picture` {
  /// POC LSBs have four bits here, so that POCs of a head and of the picture after it collide.
  private static let clip = EncodedClip(
    testDescription: "HEVC, open groups with short counts",
    words: [
      "-c:v", "libx265", "-preset", "veryfast", "-tag:v", "hvc1", "-x265-params",
      "log-level=none:keyint=20:min-keyint=20:scenecut=0:open-gop=1:bframes=3:"
        + "log2-max-poc-lsb=4",
    ])

  @Test(arguments: [21, 25, 28, 30, 31, 33, 38])
  func `then no encoded picture that a decoder may hold has its POC`(
    _ first: Int64
  ) async throws {
    let folder = try ScratchFolder()
    let path = try await Self.clip.make(in: folder)
    let output = folder.path(of: "cut.mp4")
    let source = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let range = try #require(MediaTimeRange(from: MediaTime(first, 25), to: MediaTime(70, 25)))
    _ = try source.cut(
      CutRequest(range: range, verification: .full), to: Array(output.utf8), as: .mp4)
    #expect(try Self.seamsApart(output) == 1)
    #expect(try await EncodedClip.pictures(output).pictures.count == Int(70 - first))
  }

  @Test(arguments: [
    [20..<21, 20..<25, 40..<41, 20..<21], [20..<26, 23..<29, 40..<41, 40..<50], [18..<22, 20..<22],
  ])
  func `then no held picture of the part before has its POC, and order is kept`(
    _ parts: [Range<Int>]
  ) async throws {
    let folder = try ScratchFolder()
    let path = try await Self.clip.make(in: folder)
    let output = folder.path(of: "joined.mp4")
    var request = CutRequest(
      range: try Joined.range(parts[0]), verification: .full)
    for part in parts.dropFirst() { request.join(try Joined.range(part)) }
    _ = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
      .cut(request, to: Array(output.utf8), as: .mp4)
    #expect(try Self.seamsApart(output) > 0)
    let (source, _) = try await EncodedClip.pictures(path)
    let (pictures, log) = try await EncodedClip.pictures(output)
    #expect(log.isEmpty)
    let places = parts.flatMap { Array($0) }
    #expect(pictures.count == places.count)
    for (picture, place) in zip(pictures, places) {
      #expect(Joined.error(picture, source[place]) < Joined.tolerated)
    }
  }

  private typealias Joined = `Given a file made by an encoder`

  /// The number of BLA pictures in a file; checks that no picture held before one has its POC.
  private static func seamsApart(_ output: String) throws -> Int {
    let cut = try FileCutter(isCancelled: { false }).open(.file(path: Array(output.utf8))).source
    let packets = cut.tracks[0].coded.packets
    try cut.prepare([0: [packets.indices]])
    var order = HEVCPictureOrder(configuration: cut.tracks[0].configuration)
    var held: [PictureOrder.Place] = []
    var seams = 0
    for place in packets.indices {
      guard case .picture(let picture) = order.add(try cut.bytes(ofTrack: 0, place)[...]) else {
        continue
      }
      if cut.access(ofTrack: 0, place) == .bla {
        seams += 1
        let last = held.last?.sequence
        #expect(!held.suffix(16).contains { $0.sequence == last && $0.order == picture.order })
      }
      held.append(picture)
    }
    return seams
  }

  /// The length of the last GOP, for a number of pictures in GOPs of 60 that a POC follows.
  @Test(
    arguments: [
      (89, 28, 1), (89, 13, 1), (89, 12, nil), (89, 29, nil), (41, 28, 1), (41, 20, nil),
      (60, 59, 1), (61, 0, 17), (17, 0, nil), (16, 0, nil), (61, 1, nil), (1, 0, nil),
    ] as [(Int, Int64, Int?)])
  func `then a GOP is shortened only where POCs would collide`(
    _ count: Int, _ order: Int64, _ length: Int?
  ) {
    #expect(VideoAssembly.lastGroup(of: count, 60, avoiding: order) == length)
  }
}
