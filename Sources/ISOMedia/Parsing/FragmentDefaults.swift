/// Defaults of `trex`, overridden by those of `tfhd` (ISO 14496-12, 8.8.3 and 8.8.7).
struct FragmentDefaults: Sendable {
  var description: UInt32 = 1
  var duration: UInt32 = 0
  var size: UInt32 = 0
  var flags: UInt32 = 0

  init() {}

  /// Reads the fields of `trex` after the track_ID.
  init(_ fields: inout FieldReader) {
    description = fields.u32()
    duration = fields.u32()
    size = fields.u32()
    flags = fields.u32()
  }
}

/// A `tfhd` box.
struct TrackFragmentHeader {
  let trackID: UInt32
  /// The base of data offsets, where the box states it.
  let baseOffset: Int64?
  let countsFromFragment: Bool
  let isDurationEmpty: Bool
  let defaults: FragmentDefaults

  init?(_ box: Box, defaults known: [UInt32: FragmentDefaults]) {
    var fields = box.fields
    let flags = fields.fullBoxHeader().flags
    trackID = fields.u32()
    var defaults = known[trackID] ?? FragmentDefaults()
    baseOffset = flags & 0x1 != 0 ? Int64(min(fields.u64(), 1 << 62)) : nil
    if flags & 0x2 != 0 { defaults.description = fields.u32() }
    if flags & 0x8 != 0 { defaults.duration = fields.u32() }
    if flags & 0x10 != 0 { defaults.size = fields.u32() }
    if flags & 0x20 != 0 { defaults.flags = fields.u32() }
    isDurationEmpty = flags & 0x1_0000 != 0
    countsFromFragment = flags & 0x2_0000 != 0
    self.defaults = defaults
    guard !fields.isShort else { return nil }
  }
}
