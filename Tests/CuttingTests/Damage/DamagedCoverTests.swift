import ExactTime
import Foundation
import MediaEngine
import Support
import Testing
import Trimming

/// Covers are pictures in the tags of MP4, which are copied byte for byte.
@Suite(.timeLimit(.minutes(1))) struct `Given audio with a damaged cover` {
  private static func cut(
    _ path: String, _ folder: ScratchFolder, rejectsDamage: Bool = false
  ) throws -> CutExamination {
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let range = try #require(MediaTimeRange(from: MediaTime(1), to: MediaTime(2)))
    var request = CutRequest(range: range)
    request.rejectsDamage = rejectsDamage
    let output = folder.path(of: "cut.m4a")
    let report = try clip.cut(CutOrder(request, to: Array(output.utf8), replaces: true))
    return try #require(report.examination)
  }

  /// The sample's cover is a JPEG; some bytes of its scan are inverted.
  private static func damaged(_ folder: ScratchFolder) throws -> String {
    var bytes = try fileBytes(SampleClips.path("sound.m4a"))
    let box = try #require(bytes.firstRange(of: Array("covr".utf8))).upperBound
    let start = try #require(bytes[box...].firstRange(of: [0xFF, 0xDA])).upperBound
    for place in start + 50..<start + 90 { bytes[place] ^= 0x55 }
    try folder.write(bytes, to: "damaged.m4a")
    return folder.path(of: "damaged.m4a")
  }

  @Test func `when it is cut then the cover is listed as damage of the whole cut`() throws {
    let folder = try ScratchFolder()
    let found = try Self.cut(try Self.damaged(folder), folder)
    let damage = try #require(found.damage.first)
    #expect(found.damage.count == 1 && damage.isCover && damage.codec == "mjpeg")
    #expect(damage.kind == .decoding && damage.track == 1)
    #expect(damage.source == MediaTimeRange(from: MediaTime(1), to: MediaTime(2)))
    #expect(damage.output == MediaTimeRange(from: MediaTime(0), to: MediaTime(1)))
  }

  /// Reports saved before they included covers.
  @Test func `when its JSON lacks the key for covers then it can still be read`() throws {
    let folder = try ScratchFolder()
    let damage = try #require(try Self.cut(try Self.damaged(folder), folder).damage.first)
    let text = String(decoding: try JSONEncoder().encode(damage), as: UTF8.self)
    for word in [#""isCover":true,"#, #","isCover":true"#] where text.contains(word) {
      let older = Data(text.replacing(word, with: "").utf8)
      var read = try JSONDecoder().decode(CutDamage.self, from: older)
      #expect(!read.isCover)
      read.isCover = true
      #expect(read == damage)
      return
    }
    Issue.record("no word for covers in \(text)")
  }

  @Test func `when damage is rejected then it is refused`() throws {
    let folder = try ScratchFolder()
    let path = try Self.damaged(folder)
    let error = #expect(throws: MediaError.self) {
      try Self.cut(path, folder, rejectsDamage: true)
    }
    #expect(error?.code == .damaged)
  }

  @Test func `when it is intact then it was decoded, and nothing is listed`() throws {
    let found = try Self.cut(SampleClips.path("sound.m4a"), try ScratchFolder())
    #expect(found.damage.isEmpty)
    let cover = try #require(found.tracks.last)
    #expect(cover.track == 1 && cover.packets == 1 && cover.decoded == 1)
  }

  /// PNG is never decoded; its chunks have checksums.
  @Test(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), arguments: [false, true])
  func `when it is a PNG then its checksums reveal it`(_ isDamaged: Bool) async throws {
    let folder = try ScratchFolder()
    let path = folder.path(of: "sound.m4a")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "sine=d=3", "-f", "lavfi", "-i",
      "testsrc2=s=64x64:d=0.04:r=25", "-map", "0", "-map", "1", "-c:a", "aac", "-c:v", "png",
      "-disposition:v", "attached_pic", path,
    ])
    if isDamaged {
      var bytes = try fileBytes(path)
      let place = try #require(bytes.firstRange(of: Array("IDAT".utf8))).upperBound + 20
      bytes[place] ^= 1
      try folder.write(bytes, to: "sound.m4a")
    }
    let found = try Self.cut(path, folder)
    #expect(found.damage.map(\.kind) == (isDamaged ? [.checksum] : []))
    let cover = try #require(found.tracks.last)
    #expect(cover.decoded == 0 && cover.isInspected && cover.notDecoded.count == 1)
  }
}
