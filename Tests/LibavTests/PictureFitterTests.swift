import ExactTime
import Testing

@testable import Libav

@Suite struct `Given pictures to fit into others` {
  /// Size, pixel width, and the wanted area.
  private static let cases: [(Int, Int, Rational, PictureFitter.Area)] = [
    (640, 360, .one, .init(width: 1280, height: 720)),
    (1440, 1080, .one, .init(left: 160, top: 0, width: 960, height: 720)),
    (720, 576, Rational(64, 45), .init(width: 1280, height: 720)),
    (1080, 1920, .one, .init(left: 438, top: 0, width: 404, height: 720)),
    (1920, 800, .one, .init(left: 0, top: 92, width: 1280, height: 534)),
    // A line less than a chroma sample is not a bar.
    (854, 480, .one, .init(width: 1280, height: 720)),
    (1, 20_000, .one, .init(left: 638, top: 0, width: 2, height: 720)),
  ]

  @Test func `when their shape differs then they are scaled as a whole and placed in the middle`() {
    let target = PictureFitter.Target(
      width: 1280, height: 720, sampleAspectRatio: .one, pixelFormat: "yuv420p")
    for (width, height, shape, area) in Self.cases {
      #expect(
        PictureFitter.area(of: (width, height), shape: shape, in: target, (2, 2)) == area,
        "\(width)x\(height)")
    }
  }
}
