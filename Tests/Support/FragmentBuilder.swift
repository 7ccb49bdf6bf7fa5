/// A movie fragment of one track, `moof` and its `mdat`, to be written.
package struct FragmentBuilder: Sendable {
  package var trackID: UInt32 = 1
  /// The start in track ticks; `nil` leaves `tfdt` out.
  package var start: UInt64? = 0
  package var startVersion: UInt8 = 1
  package var samples: [Sample] = []
  package var runVersion: UInt8 = 1
  /// A sample count to claim in place of the true one.
  package var claimedCount: UInt32?
  /// Flags of `tfhd`, of which 0x020000 is default-base-is-moof, and its fields.
  package var headerFlags: UInt32 = 0x02_0000
  package var headerFields: [BoxBuilder.Field] = []
  /// Whether all fields of samples are left to the defaults.
  package var usesDefaults = false

  package init(_ samples: [Sample] = [], start: UInt64? = 0) {
    self.samples = samples
    self.start = start
  }

  package struct Sample: Sendable {
    package var duration: UInt32
    package var size: UInt32
    package var isSync: Bool
    package var compositionOffset: Int32
    /// The sample flags in place of those that ``isSync`` gives.
    package var flags: UInt32?

    package init(
      duration: UInt32 = 100, size: UInt32 = 10, isSync: Bool = true, compositionOffset: Int32 = 0
    ) {
      self.duration = duration
      self.size = size
      self.isSync = isSync
      self.compositionOffset = compositionOffset
    }
  }

  /// The boxes that announce fragments in `moov`, with the defaults of one track.
  package static func extends(
    duration: UInt32 = 0, size: UInt32 = 0, flags: UInt32 = 0, total: UInt32? = nil
  ) -> BoxBuilder {
    let header = total.map { [BoxBuilder("mehd", fields: [.full(), .u32($0)])] } ?? []
    let defaults = BoxBuilder(
      "trex",
      fields: [.full(), .u32(1), .u32(1), .u32(duration), .u32(size), .u32(flags)])
    return BoxBuilder("mvex", header + [defaults])
  }

  package var boxes: [BoxBuilder] {
    let media = samples.reduce(0) { $0 + Int($1.size) }
    // The offset is from the start of `moof` to the end of the `mdat` header.
    let size = header(dataOffset: 0).bytes.count
    return [header(dataOffset: Int32(size + 8)), BoxBuilder("mdat", fields: [.zeros(media)])]
  }

  private func header(dataOffset: Int32) -> BoxBuilder {
    let head = BoxBuilder(
      "tfhd", fields: [.full(flags: headerFlags), .u32(trackID)] + headerFields)
    let time = start.map {
      [BoxBuilder("tfdt", fields: [.full(startVersion), .u32or64($0, version: startVersion)])]
    }
    let count = claimedCount ?? UInt32(samples.count)
    let entries: [BoxBuilder.Field] =
      usesDefaults
      ? []
      : samples.flatMap { sample -> [BoxBuilder.Field] in
        [
          .u32(sample.duration), .u32(sample.size),
          .u32(sample.flags ?? (sample.isSync ? 0 : 0x1_0000)),
          .i32(sample.compositionOffset),
        ]
      }
    let run = BoxBuilder(
      "trun",
      fields: [
        .full(runVersion, flags: usesDefaults ? 0x1 : 0xF01), .u32(count), .i32(dataOffset),
      ] + entries)
    return BoxBuilder(
      "moof",
      [
        BoxBuilder("mfhd", fields: [.full(), .u32(1)]),
        BoxBuilder("traf", [head] + (time ?? []) + [run]),
      ])
  }
}

extension ClipBuilder {
  /// A fragmented file without samples in `moov`.
  package static func fragmented(
    _ fragments: [FragmentBuilder], extends: BoxBuilder = FragmentBuilder.extends()
  ) -> ClipBuilder {
    var clip = ClipBuilder()
    clip.duration = 0
    clip.tracks[0].mediaDuration = 0
    clip.tracks[0].trackDuration = 0
    clip.tracks[0].durations = []
    clip.tracks[0].syncSamples = nil
    clip.tracks[0].chunkRuns = []
    clip.tracks[0].chunkOffsets = []
    clip.tracks[0].uniformSize = 0
    clip.movieBoxes = [extends]
    clip.mediaBytes = 0
    clip.trailingBoxes = fragments.flatMap(\.boxes)
    return clip
  }
}
