/// A small ISO file to be written, any field of which may be wrong.
///
/// The defaults are a valid file with one video track: 10 samples of 100 bytes, a tenth of a second
/// each, of which the first and the sixth are sync samples.
package struct ClipBuilder: Sendable {
  package var brand = "isom"
  package var timescale: UInt32 = 1000
  package var duration: UInt64 = 1000
  package var headerVersion: UInt8 = 0
  package var matrix: [Int32] = ClipBuilder.identity
  package var tracks: [Track] = [Track()]
  /// Boxes added to `moov` after the tracks.
  package var movieBoxes: [BoxBuilder] = []
  /// Boxes at the top level after `mdat`.
  package var trailingBoxes: [BoxBuilder] = []
  /// Bytes of media; `nil` for as many as the samples need.
  package var mediaBytes: Int?
  /// The media themselves; zeros where this is `nil`.
  package var mediaContent: [UInt8]?

  package init() {}

  package static let identity: [Int32] = [1 << 16, 0, 0, 0, 1 << 16, 0, 0, 0, 1 << 30]

  package struct Track: Sendable {
    package var id: UInt32 = 1
    package var handler = "vide"
    package var timescale: UInt32 = 1000
    package var mediaDuration: UInt64 = 1000
    package var trackDuration: UInt64 = 1000
    package var version: UInt8 = 0
    package var matrix: [Int32] = ClipBuilder.identity
    package var language: UInt16 = 0x55C4
    package var entry = ClipBuilder.videoEntry()
    /// Sample entries after the first.
    package var moreEntries: [BoxBuilder] = []
    /// Sample counts and durations, run by run.
    package var durations: [(count: UInt32, delta: UInt32)] = [(10, 100)]
    package var compositionOffsets: [(count: UInt32, offset: Int32)] = []
    package var compositionVersion: UInt8 = 0
    package var syncSamples: [UInt32]? = [1, 6]
    /// Entries: first chunk, samples a chunk, description.
    package var chunkRuns: [(first: UInt32, samples: UInt32, description: UInt32)] = [(1, 5, 1)]
    /// The offset of each chunk in the media.
    package var chunkOffsets: [UInt64] = [0, 500]
    /// One size for all, or 0 with ``sizes``.
    package var uniformSize: UInt32 = 100
    package var sampleCount: UInt32 = 10
    package var sizes: [UInt32] = []
    package var edits: [(duration: UInt64, time: Int64, rate: Int16)] = []
    package var editVersion: UInt8 = 1
    package var references: [(type: String, ids: [UInt32])] = []
    /// Boxes added to `trak` and to `stbl`.
    package var trackBoxes: [BoxBuilder] = []
    package var tableBoxes: [BoxBuilder] = []

    package init() {}
  }

  /// A visual sample entry.
  package static func videoEntry(
    _ format: String = "avc1", width: UInt16 = 320, height: UInt16 = 240,
    _ boxes: [BoxBuilder] = []
  ) -> BoxBuilder {
    BoxBuilder(
      format,
      fields: [
        .zeros(6), .u16(1), .zeros(16), .u16(width), .u16(height), .u32(0x48_0000),
        .u32(0x48_0000), .u32(0), .u16(1), .zeros(32), .u16(24), .i16(-1),
      ], boxes)
  }

  /// An audio sample entry of version 0.
  package static func audioEntry(
    _ format: String = "mp4a", channels: UInt16 = 2, rate: UInt32 = 48_000,
    _ boxes: [BoxBuilder] = []
  ) -> BoxBuilder {
    BoxBuilder(
      format,
      fields: [
        .zeros(6), .u16(1), .zeros(8), .u16(channels), .u16(16), .zeros(4), .u32(rate << 16),
      ], boxes)
  }

  /// The file: `ftyp`, `moov`, `mdat`, then the trailing boxes.
  package var bytes: [UInt8] { boxes.bytes }

  package var boxes: [BoxBuilder] {
    let brands = BoxBuilder(
      "ftyp", fields: [.text(brand), .u32(512), .text("isom"), .text("mp41")])
    // Chunk offsets are 64-bit fields, so the header's size does not depend on their values.
    let mediaStart = UInt64(brands.bytes.count + header(mediaStart: 0).bytes.count + 8)
    let count = mediaBytes ?? tracks.map(\.mediaBytes).max() ?? 0
    return [
      brands, header(mediaStart: mediaStart),
      BoxBuilder("mdat", fields: [mediaContent.map { .bytes($0) } ?? .zeros(count)]),
    ] + trailingBoxes
  }

  private func header(mediaStart: UInt64) -> BoxBuilder {
    let version = headerVersion
    let movie = BoxBuilder(
      "mvhd",
      fields: [
        .full(version), .u32or64(0, version: version), .u32or64(0, version: version),
        .u32(timescale), .u32or64(duration, version: version), .u32(0x1_0000), .u16(0x100),
        .zeros(10),
      ] + matrix.map { .i32($0) } + [.zeros(24), .u32(UInt32(tracks.count + 1))])
    return BoxBuilder("moov", [movie] + tracks.map { $0.box(mediaStart) } + movieBoxes)
  }
}

extension ClipBuilder.Track {
  /// The media size up to the end of the last chunk.
  fileprivate var mediaBytes: Int {
    let total =
      uniformSize > 0 ? Int(uniformSize) * Int(sampleCount) : sizes.reduce(0) { $0 + Int($1) }
    return min(total, 1 << 20)
  }

  fileprivate func box(_ mediaStart: UInt64) -> BoxBuilder {
    let header = BoxBuilder(
      "tkhd",
      fields: [
        .full(version, flags: 3), .u32or64(0, version: version), .u32or64(0, version: version),
        .u32(id), .u32(0), .u32or64(trackDuration, version: version), .zeros(16),
      ] + matrix.map { .i32($0) } + [.u32(320 << 16), .u32(240 << 16)])
    let media = BoxBuilder(
      "mdhd",
      fields: [
        .full(version), .u32or64(0, version: version), .u32or64(0, version: version),
        .u32(timescale), .u32or64(mediaDuration, version: version), .u16(language), .u16(0),
      ])
    let name = BoxBuilder(
      "hdlr", fields: [.full(), .u32(0), .text(handler), .zeros(12), .text("Handler"), .u8(0)])
    let reference = BoxBuilder("url ", fields: [.full(flags: 1)])
    let data = BoxBuilder("dinf", [BoxBuilder("dref", fields: [.full(), .u32(1)], [reference])])
    let information = BoxBuilder("minf", [data, table(mediaStart)])
    return BoxBuilder(
      "trak",
      [header] + editBoxes + referenceBoxes
        + [BoxBuilder("mdia", [media, name, information])] + trackBoxes)
  }

  private var editBoxes: [BoxBuilder] {
    guard !edits.isEmpty else { return [] }
    let entries = edits.flatMap { edit -> [BoxBuilder.Field] in
      [
        .u32or64(edit.duration, version: editVersion),
        .u32or64(UInt64(bitPattern: edit.time), version: editVersion), .i16(edit.rate), .u16(0),
      ]
    }
    let list = BoxBuilder(
      "elst", fields: [.full(editVersion), .u32(UInt32(edits.count))] + entries)
    return [BoxBuilder("edts", [list])]
  }

  private var referenceBoxes: [BoxBuilder] {
    guard !references.isEmpty else { return [] }
    return [
      BoxBuilder(
        "tref", references.map { BoxBuilder($0.type, fields: $0.ids.map { .u32($0) }) })
    ]
  }

  private func table(_ mediaStart: UInt64) -> BoxBuilder {
    func counted(_ type: String, version: UInt8 = 0, _ entries: [[BoxBuilder.Field]]) -> BoxBuilder
    {
      BoxBuilder(
        type, fields: [.full(version), .u32(UInt32(entries.count))] + entries.flatMap { $0 })
    }
    var boxes = [
      BoxBuilder(
        "stsd", fields: [.full(), .u32(UInt32(1 + moreEntries.count))], [entry] + moreEntries),
      counted("stts", durations.map { [.u32($0.count), .u32($0.delta)] }),
      counted("stsc", chunkRuns.map { [.u32($0.first), .u32($0.samples), .u32($0.description)] }),
      BoxBuilder(
        "stsz",
        fields: [
          .full(), .u32(uniformSize), .u32(uniformSize > 0 ? sampleCount : UInt32(sizes.count)),
        ]
          + sizes.map { .u32($0) }),
      counted("co64", chunkOffsets.map { [.u64($0 &+ mediaStart)] }),
    ]
    if !compositionOffsets.isEmpty {
      boxes.append(
        counted(
          "ctts", version: compositionVersion,
          compositionOffsets.map { [.u32($0.count), .i32($0.offset)] }))
    }
    if let syncSamples { boxes.append(counted("stss", syncSamples.map { [.u32($0)] })) }
    return BoxBuilder("stbl", boxes + tableBoxes)
  }
}
