/// What an access unit of HEVC says of its own picture besides the picture, and an encoder does not
/// know: a re-encoded picture keeps it.
///
/// - Dolby Vision: one unit of type 62 (RPU) behind the slices, for every picture (Dolby Vision
///   bitstreams within the ISO base media file format, 2.1). Without it a player that was promised
///   Dolby Vision shows wrong colours.
/// - Messages that users registered (SEI payload type 4, ITU-T H.265, D.2.6): HDR10+ and captions.
package struct HEVCPictureMetadata {
  /// Units that stand before the slices, and behind them.
  private var before: [[UInt8]] = []
  private var behind: [[UInt8]] = []
  /// Whether a second layer completes the picture, which an encoder does not make.
  package private(set) var hasEnhancement = false

  package static let dolbyMetadata: UInt8 = 62
  package static let dolbyEnhancement: UInt8 = 63

  package init(of packet: [UInt8], framing: Framing) {
    for unit in NALUnits(bytes: packet[...], framing: framing) where unit.count > 2 {
      switch HEVCSets.type(of: unit) {
      case Self.dolbyMetadata: behind.append(Array(unit))
      case Self.dolbyEnhancement: hasEnhancement = true
      case 39 where unit[unit.startIndex + 2] == 4: before.append(Array(unit))
      case 40 where unit[unit.startIndex + 2] == 4: behind.append(Array(unit))
      default: continue
      }
    }
  }

  /// Units of another picture of the same time, with these in their places.
  package func added(to picture: [UInt8], framing: Framing) -> [UInt8] {
    guard !before.isEmpty || !behind.isEmpty else { return picture }
    var units = NALUnits(bytes: picture[...], framing: framing).map { Array($0) }
    let slice = units.firstIndex { HEVCSets.type(of: $0) < 32 } ?? units.endIndex
    units.insert(contentsOf: before, at: slice)
    return framing.pack(units + behind)
  }
}
