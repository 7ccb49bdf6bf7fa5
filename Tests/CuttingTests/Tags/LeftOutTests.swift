import ExactTime
import Foundation
import Support
import Testing
import Trimming

@testable import Cutting

private func cut(
  _ path: String, to output: String, from: MediaTime, until: MediaTime
) throws -> CutReport {
  let range = try #require(MediaTimeRange(from: from, to: until))
  return try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8))).cut(
    CutOrder(CutRequest(range: range, verification: .full), to: Array(output.utf8)))
}

/// A chunk's content in a RIFF file.
private func chunk(_ type: String, in bytes: [UInt8]) -> [UInt8]? {
  var place = 12
  while place + 8 <= bytes.count {
    let size = bytes[(place + 4)..<(place + 8)].reversed().reduce(0) { $0 << 8 | Int($1) }
    guard place + 8 + size <= bytes.count else { return nil }
    if bytes[place..<place + 4].elementsEqual(type.utf8) {
      return Array(bytes[(place + 8)..<(place + 8 + size)])
    }
    place += 8 + size + size % 2
  }
  return nil
}

@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given a file with data that describe all of it` {
  private static let camera = """
    <?xml version="1.0"?><NonRealTimeMeta><Duration value="50"/><LtcChangeTable tcFps="25" \
    halfStep="false"><LtcChange frameCount="0" value="00000010" status="increment"/>\
    <LtcChange frameCount="49" value="24010010" status="end"/></LtcChangeTable>\
    <KlvPacket frameCount="10" status="spot"/><KlvPacket frameCount="30" status="spot"/>\
    </NonRealTimeMeta>
    """

  /// Two seconds with boxes after them, and bytes that are no box.
  private static func clip(in folder: ScratchFolder) async throws -> String {
    let plain = folder.path(of: "plain.mp4")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=64x64:rate=25:duration=2", "-c:v",
      "libx264", "-g", "25", "-bf", "0", plain,
    ])
    let handler = BoxBuilder("hdlr", fields: [.zeros(8), .text("nrtm"), .zeros(13)])
    let meta = BoxBuilder(
      "meta", fields: [.full()], [handler, BoxBuilder("xml ", fields: [.full(), .text(camera)])])
    let words: [UInt32] = [2, 100, 20, 120, 30]
    var fields: [BoxBuilder.Field] = [.bytes([UInt8](repeating: 7, count: 16))]
    fields += words.map { .u32($0) }
    let offsets = BoxBuilder("uuid", fields: fields)
    var bytes = try fileBytes(plain)
    bytes += [meta, offsets].bytes
    bytes += [0, 0, 0, 2, 0, 0, 0, 0]
    bytes += Array("TAIL".utf8)
    bytes += [0, 0, 0, 0]
    bytes += Array("8db42d694ccc418790edff439fe026bf".utf8)
    try folder.write(bytes, to: "clip.mp4")
    return folder.path(of: "clip.mp4")
  }

  @Test func `then lists that contain each other without end are no reason to crash`() async throws
  {
    let folder = try ScratchFolder()
    let plain = folder.path(of: "plain.wav")
    _ = try await EncodedClip.ffmpeg(["-v", "error", "-f", "lavfi", "-i", "sine=d=1", plain])
    let list = Array("LIST".utf8) + [0xFF, 0xFF, 0xFF, 0xFF] + Array("INFO".utf8)
    let lists = [[UInt8]](repeating: list, count: 20_000).flatMap { $0 }
    let stream =
      Array("LIST".utf8) + [16, 0, 0, 0] + Array("strlvprp".utf8) + [4, 0, 0, 0, 1, 2, 3, 4]
    let streams = stream + stream + stream
    for tail in [lists, streams] {
      let path = try folder.write(try fileBytes(plain) + tail, to: "clip.wav")
      let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
      let range = try #require(MediaTimeRange(from: .zero, to: MediaTime(1, 2)))
      #expect(try clip.plan(CutRequest(range: range), for: .wav).leftOut?.isEmpty == false)
    }
  }

  @Test func `then what can be moved is moved, and the rest is reported`() async throws {
    let folder = try ScratchFolder()
    let output = folder.path(of: "cut.mp4")
    let report = try cut(
      try await Self.clip(in: folder), to: output, from: MediaTime(1), until: MediaTime(2))
    let bytes = try fileBytes(output)
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(text.contains("<Duration value=\"25\"/>"))
    #expect(text.contains("<LtcChange frameCount=\"0\" value=\"00010010\" status=\"increment\"/>"))
    #expect(text.contains("<LtcChange frameCount=\"24\" value=\"24010010\" status=\"end\"/>"))
    #expect(text.contains("<KlvPacket frameCount=\"5\" status=\"spot\"/></NonRealTimeMeta>"))
    #expect(bytes.firstRange(of: Array("uuid".utf8)) == nil)
    #expect(report.leftOut.map(\.type) == ["uuid", "Insta360 data"])
    #expect(report.leftOut.last?.byteCount == 48)
  }

  @Test func `when the output is of another format then every box is reported`() async throws {
    let folder = try ScratchFolder()
    let report = try cut(
      try await Self.clip(in: folder), to: folder.path(of: "cut.mkv"), from: MediaTime(1),
      until: MediaTime(2))
    #expect(report.leftOut.map(\.type) == ["meta", "uuid", "Insta360 data"])
  }
}

@Suite(.timeLimit(.minutes(1))) struct `Given a WAV with markers` {
  private static let rate = 8000

  private static func point(_ id: Int, at sample: Int) -> [UInt8] {
    var point = RIFFBuilder.little(id)
    point += RIFFBuilder.little(sample)
    point += Array("data".utf8)
    point += [UInt8](repeating: 0, count: 8)
    point += RIFFBuilder.little(sample)
    return point
  }

  private static func clip(in folder: ScratchFolder) throws -> String {
    let little = RIFFBuilder.little
    var format: [UInt8] = [1, 0, 1, 0]
    format += little(rate)
    format += little(2 * rate)
    format += [2, 0, 16, 0]
    var points = little(3)
    var labels: [UInt8] = []
    for (id, sample) in [(1, 4000), (2, 12_000), (3, 20_000)] {
      points += point(id, at: sample)
      var label = little(id)
      label += Array("M\(id)".utf8)
      label.append(0)
      labels += RIFFBuilder.chunk("labl", label)
    }
    let text =
      "<BWFXML><SPEED><TIMESTAMP_SAMPLES_SINCE_MIDNIGHT_LO>1000</TIMESTAMP_SAMPLES_SINCE_MIDNIGHT_LO>"
      + "</SPEED></BWFXML>"
    let sound: [UInt8] = (0..<6 * rate).map { UInt8(truncatingIfNeeded: $0 / 7) }
    var body = Array("WAVE".utf8)
    body += RIFFBuilder.chunk("fmt ", format)
    body += RIFFBuilder.chunk("data", sound)
    body += RIFFBuilder.chunk("cue ", points)
    body += RIFFBuilder.list("adtl", labels)
    body += RIFFBuilder.chunk("iXML", Array(text.utf8))
    body += RIFFBuilder.chunk("smpl", [1, 2, 3, 4])
    try folder.write(RIFFBuilder.chunk("RIFF", body), to: "clip.wav")
    return folder.path(of: "clip.wav")
  }

  @Test func `then markers and time stamps move with the sound, and the rest is reported`() throws {
    let folder = try ScratchFolder()
    let output = folder.path(of: "cut.wav")
    let report = try cut(
      try Self.clip(in: folder), to: output, from: MediaTime(1), until: MediaTime(2))
    let bytes = try fileBytes(output)
    let little = RIFFBuilder.little
    var markers = little(1)
    markers += Self.point(2, at: 4000)
    #expect(chunk("cue ", in: bytes) == markers)
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(text.contains("M2") && !text.contains("M1") && !text.contains("M3"))
    #expect(text.contains("<TIMESTAMP_SAMPLES_SINCE_MIDNIGHT_LO>9000<"))
    #expect(bytes[4..<8].elementsEqual(little(bytes.count - 8)))
    #expect(report.leftOut.map(\.type) == ["smpl"])
  }
}

/// A Matroska file of one second of uncompressed sound, made here.
@Suite(.timeLimit(.minutes(1))) struct `Given a Matroska file with elements that muxers drop` {
  private static func text(_ id: UInt32, _ text: String) -> [UInt8] {
    EBMLBuilder.element(id, Array(text.utf8))
  }

  private static func clip() -> [UInt8] {
    let rate = BoxBuilder.Field.u64(Double(8000).bitPattern).bytes
    let sound =
      EBMLBuilder.element(0xB5, rate) + EBMLBuilder.number(0x9F, 1)
      + EBMLBuilder.number(0x6264, 16)
    let track =
      EBMLBuilder.number(0xD7, 1) + EBMLBuilder.number(0x73C5, 1) + EBMLBuilder.number(0x83, 2)
      + text(0x86, "A_PCM/INT/LIT") + EBMLBuilder.element(0xE1, sound)
      + text(0x536E, "Voice") + EBMLBuilder.number(0xB9, 1) + EBMLBuilder.number(0x537F, 7)
    let binary = EBMLBuilder.element(
      0x67C8, text(0x45A3, "COVER") + EBMLBuilder.element(0x4485, [1, 2]))
    let plain = EBMLBuilder.element(0x67C8, text(0x45A3, "ARTIST") + text(0x4487, "Me"))
    let tags = EBMLBuilder.element(0x7373, EBMLBuilder.element(0x63C0, []) + binary + plain)
    let blocks = (0..<10).flatMap { number -> [UInt8] in
      let time = number * 100
      let head: [UInt8] = [0x81, UInt8(time >> 8), UInt8(time & 255), 0x80]
      let samples = (0..<1600).map { UInt8(truncatingIfNeeded: $0 / 3) }
      return EBMLBuilder.element(0xA3, head + samples)
    }
    let information =
      EBMLBuilder.number(0x2A_D7B1, 1_000_000) + text(0x7BA9, "Title")
      + text(0x3E_83BB, "next.mkv")
    let body =
      EBMLBuilder.element(0x1549_A966, information)
      + EBMLBuilder.element(0x1654_AE6B, EBMLBuilder.element(0xAE, track))
      + EBMLBuilder.element(0x1254_C367, tags) + EBMLBuilder.element(0x4FFF, [1, 2, 3])
      + EBMLBuilder.element(0xEC, [UInt8](repeating: 0, count: 9))
      + EBMLBuilder.element(0x1F43_B675, EBMLBuilder.number(0xE7, 0) + blocks)
    return EBMLBuilder.element(0x1A45_DFA3, text(0x4282, "matroska"))
      + EBMLBuilder.element(0x1853_8067, body)
  }

  @Test(
    arguments: [
      (
        "mka",
        [
          "NextFilename in Info", "TrackOffset in track 1, TrackEntry", "SimpleTag COVER in Tag",
          "element 0x4fff in Segment",
        ]
      ),
      ("wav", ["NextFilename in Info", "element 0x4fff in Segment"]),
    ] as [(String, [String])])
  func `then each is reported, in the plan too`(_ ending: String, _ types: [String]) throws {
    let folder = try ScratchFolder()
    try folder.write(Self.clip(), to: "clip.mka")
    let report = try cut(
      folder.path(of: "clip.mka"), to: folder.path(of: "cut." + ending), from: MediaTime(1, 4),
      until: MediaTime(3, 4))
    let found = report.leftOut.map { "\($0.type) in \($0.place)" }
    #expect(found.filter { ending == "mka" || !$0.hasPrefix("SimpleTag") } == types)
    #expect(report.plan.leftOut == report.leftOut)
  }
}

@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given an AVI with data of its camera` {
  @Test func `then what its muxer does not write is reported`() async throws {
    let folder = try ScratchFolder()
    let plain = folder.path(of: "plain.avi")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=64x64:rate=25:duration=1", "-c:v", "mjpeg",
      "-metadata", "title=Name", plain,
    ])
    var bytes = try fileBytes(plain)
    bytes += RIFFBuilder.chunk("_PMX", Array("<x/>".utf8))
    bytes += RIFFBuilder.list("INFO", RIFFBuilder.chunk("IXYZ", Array("text".utf8)))
    bytes += RIFFBuilder.chunk("JUNK", [0, 0])
    bytes.replaceSubrange(4..<8, with: RIFFBuilder.little(bytes.count - 8))
    bytes += [0, 0, 0, 0]
    try folder.write(bytes, to: "clip.avi")
    let report = try cut(
      folder.path(of: "clip.avi"), to: folder.path(of: "cut.avi"), from: MediaTime(1, 5),
      until: MediaTime(4, 5))
    #expect(
      report.leftOut.map { "\($0.type) in \($0.place)" } == ["_PMX in file", "IXYZ in LIST INFO"])
    #expect(report.plan.leftOut == report.leftOut)
    // There, texts are tags.
    let other = try cut(
      folder.path(of: "clip.avi"), to: folder.path(of: "cut.mkv"), from: MediaTime(1, 5),
      until: MediaTime(4, 5))
    #expect(other.leftOut.map(\.type) == ["_PMX"])
  }
}

@Suite(.enabled(if: Cases.folder != nil, "\(Cases.absence)"), .timeLimit(.minutes(1)))
struct `Given reported files with data that a cut leaves out` {
  @Test func `when payloads span IN then they keep their duration, and an edit hides the rest`()
    throws
  {
    let folder = try ScratchFolder()
    let output = folder.path(of: "cut.mp4")
    _ = try cut(
      Cases.path("gpmf-payload-times/gpmf.mp4"), to: output, from: MediaTime(13, 10),
      until: MediaTime(9))
    let track = try FileCutter(isCancelled: { false }).open(.file(path: Array(output.utf8)))
      .source.tracks[1].coded
    #expect(Set(track.packets.map(\.duration)) == [1001])
    #expect(track.origin == MediaTime(-299, 1000))
  }

  @Test func `when nothing has a second layer any more then no box declares one`() throws {
    let folder = try ScratchFolder()
    let output = folder.path(of: "cut.mov")
    let report = try cut(
      Cases.path("real/androidx+media/water_180_mvhevc_5frames.mov"), to: output,
      from: MediaTime(1, 72), until: MediaTime(3, 80))
    #expect(report.leftOut.map(\.type) == ["lhvC", "vexu"])
    let bytes = try fileBytes(output)
    #expect(bytes.firstRange(of: Array("lhvC".utf8)) == nil)
    #expect(bytes.firstRange(of: Array("vexu".utf8)) == nil)
  }

  @Test func `when a dashcam lists its records by position then the list is left out`() throws {
    let folder = try ScratchFolder()
    let report = try cut(
      Cases.path("novatek-gps-offsets/novatek.mp4"), to: folder.path(of: "cut.mp4"),
      from: MediaTime(3), until: MediaTime(6))
    #expect(report.leftOut.map(\.type) == ["gps "])
  }
}
