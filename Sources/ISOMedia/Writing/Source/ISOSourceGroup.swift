import ExactTime

/// A sample group of the source: its descriptions, and the samples each applies to.
///
/// The descriptions stay bytes, so every type is carried over: `roll`, `prol`, `rap `, `sync`, …
package struct ISOSourceGroup: Sendable {
  package let type: FourCC
  /// The grouping_type_parameter of version 1.
  package let parameter: UInt32?
  /// The whole `sgpd` box.
  let descriptions: ISORawBox
  /// The description of samples that no run covers (version 2 of `sgpd`).
  private let defaultDescription: UInt32
  /// The end (exclusive) of each run of samples, and its description.
  private var runs: ContiguousArray<(end: Int, description: UInt32)> = []

  /// The number of a source sample's description, from 1; 0 when it is in no group.
  ///
  /// - Parameter index: the sample in decoding order, counted from 0.
  package func description(ofSample index: Int) -> UInt32 {
    guard index >= 0 else { return 0 }
    let run = runs.indices.partitionPoint { runs[$0].end > index }
    return run < runs.count ? runs[run].description : defaultDescription
  }

  /// The map `sbgp` and the `sgpd` with its descriptions; `nil` when their types do not match.
  init?(map: Box, descriptions: Box?) {
    var fields = map.fields
    let version = fields.fullBoxHeader().version
    let type = fields.fourCC()
    guard let descriptions, descriptions.payload.fourCC(4) == type else { return nil }
    self.type = type
    parameter = version == 1 ? fields.u32() : nil
    self.descriptions = ISORawBox(descriptions)
    defaultDescription = Self.defaultDescription(descriptions)
    let count = min(Int(fields.u32()), fields.remaining / 8)
    runs.reserveCapacity(count)
    var end = 0
    for _ in 0..<count {
      end += Int(fields.u32())
      runs.append((end, fields.u32()))
    }
  }

  /// A group without a map, to which all samples belong by default; `nil` when none do.
  init?(byDefault descriptions: Box) {
    defaultDescription = Self.defaultDescription(descriptions)
    guard defaultDescription > 0 else { return nil }
    type = descriptions.payload.fourCC(4)
    parameter = nil
    self.descriptions = ISORawBox(descriptions)
  }

  /// The default of version 2, which some editions of the standard put after the length of the
  /// entries (2015, 8.9.3.2) and some in its place (2012): the box size shows which.
  private static func defaultDescription(_ box: Box) -> UInt32 {
    let view = box.payload
    guard view.u8(0) >= 2 else { return 0 }
    return ISOSampleGroup.hasEntryLength(view) ? view.u32(12) : view.u32(8)
  }
}
