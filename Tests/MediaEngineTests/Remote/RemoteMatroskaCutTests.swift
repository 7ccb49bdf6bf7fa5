import ExactTime
import MediaFacts
import MediaFiles
import Support
import Testing
import Trimming

@testable import Cutting
@testable import Probing

@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given Matroska at an address of which a part is cut` {
  private static let clip = Task {
    let folder = try ScratchFolder()
    let encoded = EncodedClip(
      testDescription: "H.264 and AAC in Matroska", ending: "mkv",
      words: [
        "-c:v", "libx264", "-preset", "fast", "-g", "12", "-x264-params",
        "min-keyint=12:scenecut=0:threads=1:bframes=3:open-gop=0:b-adapt=0", "-c:a", "aac",
      ], inputs: ["-f", "lavfi", "-i", "sine=f=440:r=48000:d=4"])
    return try fileBytes(await encoded.make(in: folder))
  }

  private static func spread() async throws -> SpreadMatroska {
    try SpreadMatroska(await clip.value)
  }

  private static func request(_ range: ClosedRange<Int>) throws -> CutRequest {
    CutRequest(
      range: try #require(
        MediaTimeRange(
          from: MediaTime(Int64(range.lowerBound), 10), to: MediaTime(Int64(range.upperBound), 10)))
    )
  }

  /// Cuts a part of a file here and at an address.
  ///
  /// - Parameter range: in tenths of a second.
  private static func cut(
    _ file: SpreadMatroska, _ range: ClosedRange<Int>, to ending: String, at address: String
  ) throws -> (isSame: Bool, cost: RemoteCost, byteCount: Int) {
    let folder = try ScratchFolder()
    let bytes = file.bytes
    try folder.write(bytes, to: "local.mkv")
    let double = RemoteDouble(bytes)
    let inputs: [MediaInput] = [
      .file(path: Array(folder.path(of: "local.mkv").utf8)),
      RemoteDoubles.input(double, at: "https://cut.example/\(address)"),
    ]
    var made: [[UInt8]] = []
    for (number, input) in inputs.enumerated() {
      let path = folder.path(of: "\(number).\(ending)")
      var order = CutOrder(try request(range), to: Array(path.utf8))
      order.isExecuted = true
      _ = try FileCutter(isCancelled: { false }).open(input).cut(order)
      made.append(try fileBytes(path))
    }
    return (made[0] == made[1], double.cost, bytes.count)
  }

  @Test(arguments: [("mp4", 15...21), ("mkv", 15...21), ("mp4", 33...40)])
  func `then its range is read, and the result is that of the local file`(
    _ ending: String, _ range: ClosedRange<Int>
  ) async throws {
    let (isSame, cost, byteCount) = try Self.cut(
      await Self.spread(), range, to: ending, at: "part-\(range.lowerBound).\(ending)")
    #expect(isSame)
    #expect(cost.requests <= 4)
    #expect(cost.bytes < Int64(byteCount * 3 / 4))
  }

  enum Irregularity: CaseIterable {
    /// Packets are missing behind the range, in what is read.
    case droppedFrame, soundGap
    /// They are missing in front of it, in what is not read.
    case unseenFrame, unseenSound
    case noIndex, wrongTimes, indexOfSound
  }

  @Test(arguments: Irregularity.allCases)
  func `when the rest does not follow from it then the result is that of the local file`(
    _ irregularity: Irregularity
  ) async throws {
    var file = try await Self.spread()
    let video = try #require(file.cues.first).track
    func drop(_ isWanted: (UInt64) -> Bool, inCluster number: Int) throws {
      let place = try #require(
        file.clusters[number].lastIndex {
          $0.id == 0xA3 && $0.content.first.map { isWanted(UInt64($0 & 0x7F)) } == true
        })
      file.clusters[number].remove(at: place)
    }
    switch irregularity {
    case .unseenFrame: try drop({ $0 == video }, inCluster: 1)
    case .unseenSound: for _ in 0..<2 { try drop({ $0 != video }, inCluster: 1) }
    case .droppedFrame: try drop({ $0 == video }, inCluster: 5)
    case .soundGap:
      for _ in 0..<2 { try drop({ $0 != video }, inCluster: 5) }
    case .noIndex: file.cues = []
    case .wrongTimes:
      for place in file.cues.indices { file.cues[place].time += 40 }
    case .indexOfSound:
      for place in file.cues.indices { file.cues[place].track = video == 1 ? 2 : 1 }
    }
    let (isSame, _, _) = try Self.cut(file, 15...21, to: "mp4", at: "\(irregularity).mkv")
    #expect(isSame)
  }
}
