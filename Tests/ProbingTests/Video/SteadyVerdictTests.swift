import Foundation
import MediaFacts
import Probing
import Support
import Testing

@Suite(.timeLimit(.minutes(1))) struct `Given damaged H.264` {
  @Test(
    .enabled(if: Cases.folder != nil, "\(Cases.absence)"),
    arguments: ["random-verdict/pr_122.ts", "random-verdict/pr_312.mp4"])
  func `when it is decoded under load then the damage is found each time`(
    _ name: String
  ) async throws {
    let path = Array(Cases.path(name).utf8)
    let found: [[Damage]] = try await withThrowingTaskGroup(of: [Damage].self) { group in
      for _ in 0..<8 {
        group.addTask {
          try Prober().probe(.file(path: path), options: ProbeOptions(depth: .frames)).damage
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    let first = try #require(found.first)
    #expect(first.contains { $0.kind == .undecodable })
    #expect(found.allSatisfy { $0 == first })
  }

  @Test(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"))
  func `when it is decoded again then the verdict is the same`() async throws {
    let folder = try ScratchFolder()
    let path = folder.path(of: "clip.h264")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=128x128:rate=25:duration=2", "-c:v",
      "libx264", "-x264-params", "bframes=3:keyint=25:threads=1", path,
    ])
    var bytes = Array(try Data(contentsOf: URL(filePath: path)))
    for place in stride(from: 3000, to: bytes.count, by: 4001) { bytes[place] ^= 0x5A }
    let damaged = try folder.write(bytes, to: Array("damaged.h264".utf8))
    let found: [[Damage]] = try await withThrowingTaskGroup(of: [Damage].self) { group in
      for _ in 0..<8 {
        group.addTask {
          try Prober().probe(.file(path: damaged), options: ProbeOptions(depth: .frames)).damage
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    let first = try #require(found.first)
    #expect(first.contains { $0.kind == .undecodable })
    #expect(found.allSatisfy { $0 == first })
  }
}
