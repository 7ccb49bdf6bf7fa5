import ExactTime
import ISOMedia
import MediaFiles
import Support
import Testing
import Trimming

@testable import Bitstreams
@testable import Cutting

@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(5)))
struct `Given HEVC with metadata in each picture` {
  private typealias Cuts = `Given a file made by an encoder`

  /// Dolby Vision, profile 8.1: every sample ends with an RPU unit.
  ///
  /// - Parameter layer: a unit of another layer, added to each picture.
  private static func clip(
    in folder: ScratchFolder, layer: [UInt8]? = nil
  ) async throws -> String {
    let made = try await EncodedClip.named("HEVC, open groups").make(in: folder)
    let path = folder.path(of: "dolby.mp4")
    try SampleRewriting.rewrite(
      made, to: path,
      patching: { bytes in
        let record: [UInt8] =
          [1, 0, 8 << 1, 5 << 3 | 0b101, 1 << 4] + [UInt8](repeating: 0, count: 19)
        try insert("dvvC", record, behind: "hvcC", in: &bytes)
      },
      sample: { number, bytes in
        let metadata: [UInt8] = [62 << 1, 1, 0x19, UInt8(number), 0x80]
        let second = layer.map { [$0 + [UInt8(number), 0x80]] } ?? []
        let caption: [UInt8] = [39 << 1, 1, 4, 3, 0xB5, 0, UInt8(number) | 0x80, 0x80]
        let units = NALUnits(bytes: bytes[...], framing: .lengthPrefixed(4)).map { Array($0) }
        return Framing.lengthPrefixed(4).pack([caption] + units + second + [metadata])
      })
    return path
  }

  private static func insert(
    _ type: String, _ payload: [UInt8], behind sibling: String, in bytes: inout [UInt8]
  ) throws {
    let place = try #require(SampleRewriting.find(sibling, in: bytes))
    let end = place + SampleRewriting.get(bytes, at: place)
    var box = [UInt8](repeating: 0, count: 4) + Array(type.utf8) + payload
    SampleRewriting.put(box.count, in: &box, at: 0)
    bytes.insert(contentsOf: box, at: end)
    let moov = try #require(SampleRewriting.find("moov", in: bytes))
    for parent in ["moov", "trak", "mdia", "minf", "stbl", "stsd", "hvc1"] {
      let start = try #require(SampleRewriting.find(parent, in: bytes, from: moov))
      SampleRewriting.put(SampleRewriting.get(bytes, at: start) + box.count, in: &bytes, at: start)
    }
  }

  @Test(arguments: ["mp4", "mkv", "ts"], [CutMode.smart, .reencode])
  func `when a part is cut then re-encoded pictures keep theirs`(
    _ ending: String, _ mode: CutMode
  ) async throws {
    let folder = try ScratchFolder()
    let path = try await Self.clip(in: folder)
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let output = folder.path(of: "cut." + ending)
    let container = try #require(OutputContainer(nameEnding: ending))
    let request = CutRequest(range: try Cuts.range(17..<50), mode: mode)
    let report = try clip.cut(request, to: Array(output.utf8), as: container)
    try #require(report.plan.encodedFrames > 0)
    let written = try FileCutter(isCancelled: { false }).open(.file(path: Array(output.utf8)))
    let (old, new) = (clip.source.tracks[0], written.source.tracks[0])
    // The source's pictures in display order.
    let shown = old.coded.packets.indices.sorted {
      old.coded.packets[$0].pts < old.coded.packets[$1].pts
    }
    let places = new.coded.packets.indices.sorted {
      new.coded.packets[$0].pts < new.coded.packets[$1].pts
    }
    try written.source.prepare([0: [new.coded.packets.indices]])
    #expect(places.count == 33)
    for (place, origin) in zip(places, shown[17..<50]) {
      let bytes = try written.source.bytes(ofTrack: 0, place)
      let units = NALUnits(bytes: bytes[...], framing: new.framing).map { Array($0) }
      let metadata = units.filter { HEVCSets.type(of: $0) == 62 }
      #expect(metadata == [[62 << 1, 1, 0x19, UInt8(origin), 0x80]])
      #expect(units.last == metadata.first)
      let caption: [UInt8] = [39 << 1, 1, 4, 3, 0xB5, 0, UInt8(origin) | 0x80]
      #expect(units.count { $0.starts(with: caption) } == 1)
    }
    if let native = written.source.native {
      let entry = native.movie.tracks[0].sampleEntries.first
      #expect(entry?.configuration("dvvC")?.count == 24)
    }
  }

  @Test func `when two layers make a picture then it is not re-encoded, which is reported`()
    async throws
  {
    let folder = try ScratchFolder()
    let path = try await Self.clip(in: folder, layer: [63 << 1, 1])
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let error = #expect(throws: MediaError.self) {
      try clip.cut(
        CutRequest(range: Cuts.range(17..<50)), to: Array(folder.path(of: "o.mp4").utf8), as: .mp4)
    }
    #expect(error?.code == .notCuttable)
    #expect(error?.message.contains("dual-layer") == true)
    // Nothing is re-encoded between keyframes.
    _ = try clip.cut(
      CutRequest(range: Cuts.range(17..<50), mode: .copy),
      to: Array(folder.path(of: "o.mp4").utf8), as: .mp4)
  }
}
