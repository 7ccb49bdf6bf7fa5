/// The general part of profile_tier_level of HEVC (7.3.3).
struct HEVCProfileTierLevel: Hashable, Sendable {
  var profile = 0
  /// general_profile_compatibility_flag[0] is the highest bit.
  var compatibility: UInt32 = 0
  var isProgressive = false
  var isInterlaced = false
  /// Thirty times the level.
  var level = 0

  init(_ bits: inout BitReader, subLayers: Int) throws(MalformedBits) {
    try bits.skip(3)
    profile = try bits.int(5)
    compatibility = try bits.bits(32)
    isProgressive = try bits.flag()
    isInterlaced = try bits.flag()
    try bits.skip(46)
    level = try bits.int(8)
    guard subLayers > 0 else { return }
    var lengths = 0
    for _ in 0..<subLayers {
      if try bits.flag() { lengths += 88 }
      if try bits.flag() { lengths += 8 }
    }
    try bits.skip(2 * (8 - subLayers) + lengths)
  }

  /// Annex A.3; a stream that names no profile is of the first one that it is compatible with.
  var profileName: String? {
    var profile = profile
    if profile == 0 { profile = (1...9).first { compatibility & (1 << (31 - $0)) != 0 } ?? 0 }
    switch profile {
    case 1: return "Main"
    case 2: return "Main 10"
    case 3: return "Main Still Picture"
    case 4: return "Rext"
    default: return nil
    }
  }

  var levelName: String? { level > 0 ? "\(level / 30).\(level % 30 / 3)" : nil }
}
