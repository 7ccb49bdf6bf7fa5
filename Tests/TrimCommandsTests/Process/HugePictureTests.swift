import Support
import Testing

@Suite(.enabled(if: BuiltTool.path != nil, BuiltTool.absence), .timeLimit(.minutes(5)))
struct `Given a header that claims pictures beyond the limits` {
  /// The claimed size, as reported.
  struct Claim: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var size: String
    var bytes: @Sendable () -> [UInt8]
  }

  private static let wide = 11_008
  private static func h264() -> [UInt8] {
    Bombs.h264(widthInMacroblocks: wide / 16, height: wide / 16, pictures: 30)
  }

  static let claims =
    [16_384, 65_528].map { side in
      Claim(testDescription: "HEVC of \(side)", size: "\(side)x\(side)") {
        HugePictures.hevc(width: side, height: side)
      }
    }
    + [16_384, 65_536].map { side in
      Claim(testDescription: "AV1 of \(side)", size: "\(side)x\(side)") {
        HugePictures.av1(width: side, height: side)
      }
    } + [
      Claim(testDescription: "H.264", size: "\(wide)x\(wide)") { h264() },
      Claim(testDescription: "H.264 in a program stream", size: "\(wide)x\(wide)") {
        HugePictures.programStream(h264())
      },
      Claim(testDescription: "H.264 in Flash video", size: "\(wide)x\(wide)") {
        HugePictures.flash(h264())
      },
      Claim(testDescription: "eight streams that claim the most that one may", size: "8192x4352") {
        HugePictures.programStream(
          Bombs.h264(widthInMacroblocks: 512, height: 272, pictures: 12), copies: 8)
      },
    ]

  @Test(arguments: claims)
  func `then the size is reported without taking memory or decoding`(_ claim: Claim) async throws {
    let folder = try ScratchFolder()
    let path = try folder.write(claim.bytes(), to: "clip.bin")
    for depth in ["auto", "frames"] {
      let run = try await BuiltTool.run(
        "probe", "--depth", depth, path, environment: ["COLUMNS": "200"])
      expectHarmless(run, statuses: [0], peakBytes: 256 << 20)
      #expect(run.outText.contains(claim.size))
      let refusal = "its frame size of \(claim.size) is larger than the limits allow"
      #expect(run.outText.contains(refusal) == (depth == "frames"))
    }
  }
}
