import Libav
import Testing

@testable import Rendering

@Suite struct `Given a picture brighter than the screen` {
  /// The 8-bit output for a gray of a stored value.
  static func mapped(_ value: Double, _ transfer: DecodedPicture.Transfer) -> [UInt8] {
    let stored = UInt16((value * 65535).rounded())
    let sample = [UInt8(stored & 0xFF), UInt8(stored >> 8)]
    return ToneMap(transfer).applied(to: sample + sample + sample)
  }

  static let transfers: [DecodedPicture.Transfer] = [.perceptualQuantizer, .hybridLogGamma]

  @Test(arguments: transfers)
  func
    `when it gets brighter then so does what is shown, from black to white, and gray stays gray`(
      _ transfer: DecodedPicture.Transfer
    )
  {
    var last = 0
    for step in 0...50 {
      let pixel = Self.mapped(Double(step) / 50, transfer)
      let (least, most) = (Int(pixel.min() ?? 0), Int(pixel.max() ?? 255))
      #expect(most - least <= 1, "step \(step): \(pixel)")
      #expect(least >= last - 1, "step \(step)")
      last = max(last, least)
    }
    #expect(Self.mapped(0, transfer) == [0, 0, 0])
    #expect(last >= 240)
  }

  @Test(arguments: [
    // 203 cd/m² are the value 0.5807 (ITU-R BT.2408, table 1), and 0.75 of HLG.
    (0.5807, DecodedPicture.Transfer.perceptualQuantizer),
    (0.75, DecodedPicture.Transfer.hybridLogGamma),
  ])
  func `when it is reference white then there is headroom above it`(
    _ value: Double, _ transfer: DecodedPicture.Transfer
  ) {
    let white = Self.mapped(value, transfer)[1]
    #expect((216...228).contains(white), "\(white)")
  }
}
