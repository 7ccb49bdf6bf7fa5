/// A sample group of the source: its descriptions, and which samples have which.
///
/// The descriptions stay bytes, so every type is carried over: `roll`, `prol`, `rap `, `sync`, …
public struct ISOSourceGroup: Sendable {
  public let type: FourCC
  /// The grouping_type_parameter of version 1.
  public let parameter: UInt32?
  /// The whole `sgpd` box.
  let descriptions: ISORawBox
  /// The description of samples that no run reaches (version 2 of `sgpd`).
  private let defaultDescription: UInt32
  /// For each run of samples where it ends (exclusive) and which description holds.
  private var runs: ContiguousArray<(end: Int, description: UInt32)> = []

  /// The number of a source sample's description, from 1; 0 when it is in no group.
  ///
  /// - Parameter index: the sample in decoding order, counted from 0.
  public func description(ofSample index: Int) -> UInt32 {
    guard index >= 0 else { return 0 }
    var low = 0
    var high = runs.count
    while low < high {
      let middle = low + (high - low) / 2
      if runs[middle].end <= index { low = middle + 1 } else { high = middle }
    }
    return low < runs.count ? runs[low].description : defaultDescription
  }

  /// The map `sbgp` and the `sgpd` with its descriptions; `nil` when they belong to no one type.
  init?(map: Box, descriptions: Box?) {
    var fields = map.fields
    let version = fields.fullBoxHeader().version
    let type = fields.fourCC()
    guard let descriptions, descriptions.payload.fourCC(4) == type else { return nil }
    self.type = type
    parameter = version == 1 ? fields.u32() : nil
    self.descriptions = ISORawBox(descriptions)
    let view = descriptions.payload
    // Version 0 and 1 have a count, or a length, where version 2 has the default.
    defaultDescription = view.u8(0) >= 2 ? view.u32(8) : 0
    let count = min(Int(fields.u32()), fields.remaining / 8)
    runs.reserveCapacity(count)
    var end = 0
    for _ in 0..<count {
      end += Int(fields.u32())
      runs.append((end, fields.u32()))
    }
  }
}
