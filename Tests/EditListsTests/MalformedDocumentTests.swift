import EditLists
import ExactTime
import Testing

@Suite(.timeLimit(.minutes(1))) struct `Given a malformed list` {
  /// One format's sample, and what is wrong in each of its variants.
  struct Format: Sendable, CustomTestStringConvertible {
    let id: String
    let sample: String
    /// What is replaced, and by what, in the first place where it is.
    let changes: [(String, String)]
    var damage: [@Sendable ([UInt8]) -> [UInt8]] = []
    var testDescription: String { id }

    var variants: [[UInt8]] {
      let bytes = Array(sample.utf8)
      return changes.map { change in
        guard let place = sample.firstRange(of: change.0) else {
          preconditionFailure("\(id) has no \(change.0)")
        }
        return Array((sample[..<place.lowerBound] + change.1 + sample[place.upperBound...]).utf8)
      } + damage.map { $0(bytes) }
    }
  }

  private static func inserting(
    _ new: [UInt8], at share: Double
  ) -> @Sendable ([UInt8]) -> [UInt8] {
    { bytes in
      let place = Int(Double(bytes.count) * share)
      return Array(bytes[..<place] + new + bytes[place...])
    }
  }

  private static let truncated: [@Sendable ([UInt8]) -> [UInt8]] = (1...9).map { tenth in
    { bytes in Array(bytes[..<(bytes.count * tenth / 10)]) }
  }

  /// What no document of these languages survives.
  private static let damaged =
    truncated + [
      inserting([0xFF], at: 0.5), inserting([0xC3], at: 0.3), inserting([0], at: 0.7),
      inserting([0xED, 0xA0, 0x80], at: 0.4), inserting(Array("x".utf8), at: 1),
    ]

  private static let damagedJSON =
    damaged + [
      inserting(Array("{}".utf8), at: 1), inserting(Array("]".utf8), at: 1),
      inserting(Array("[1,".utf8), at: 0),
      inserting(Array(String(repeating: "[", count: 99).utf8), at: 0),
      inserting(Array("/*".utf8), at: 1), inserting(Array("[".utf8), at: 0),
    ]

  private static let damagedXML =
    damaged + [
      inserting(Array("<a/>".utf8), at: 1), inserting(Array("</a>".utf8), at: 1),
      inserting(Array(String(repeating: "<a>", count: 99).utf8), at: 0),
      inserting(Array("<!DOCTYPE a [<!ENTITY b \"c\">]>".utf8), at: 0),
      inserting(Array("<!--".utf8), at: 1), inserting(Array("<a b='1' b='2'/>".utf8), at: 0),
      inserting(Array("<![CDATA[x]]>".utf8), at: 0), inserting(Array("<a b=c/>".utf8), at: 0),
      inserting(Array("<?xml version='1.0' encoding='UTF-16'?>".utf8), at: 0),
      inserting(Array("<!ELEMENT a>".utf8), at: 0),
    ]

  static let formats = [
    Format(
      id: "llc", sample: DocumentSamples.losslessCut,
      changes: [
        ("1.5", "-1.5"), ("1.5", "2.5"), ("1.5", "2.25"), ("1.5", "'1.5'"), ("1.5", "NaN"),
        ("1.5", "0x1F"), ("1.5", "01.5"), ("1.5", "1e99"), ("1.5", "0.1234567890123456789"),
        ("version: 2", "version: 4"), ("cutSegments", "cutsegments"), ("'First'", "7"),
        ("selected: true", "selected: 1"), ("start: 1.5", "start: 1.5, start: 1.5"),
        ("5.125", "null"), ("'mark'", "'\\ud800'"), ("'mark'", "'\\9'"), ("'mark'", "'ma\nrk'"),
      ], damage: damagedJSON),
    Format(
      id: "sponsorblock", sample: DocumentSamples.sponsorBlock,
      changes: [
        ("[0,10.5]", "[0]"), ("[0,10.5]", "[0,1,2]"), ("[0,10.5]", "[10.5,0]"),
        ("[0,10.5]", "[1,1]"), ("[0,10.5]", "[-1,1]"), ("[0,10.5]", "[\"0\",1]"),
        ("[0,10.5]", "{}"), ("[0,10.5]", "null"), ("\"skip\"", "\"jump\""),
        ("\"skip\"", "\"mute\""),
        ("\"skip\"", "1"), ("\"segment\":[0,10.5]", "\"part\":[0,10.5]"), ("[{", "[1,{"),
        ("\"UUID\":\"a\"", "\"UUID\":'a'"), ("\"UUID\":\"a\"", "\"UUID\":\"\u{1}\""),
        ("{\"category\"", "{category"), ("[40,40]", "[Infinity,40]"), ("\"Two\"", "2"),
      ], damage: damagedJSON),
    Format(
      id: "yt-dlp", sample: DocumentSamples.ytDlpSponsors,
      changes: [
        ("\"start_time\": 0", "\"start_time\": -1"), ("\"start_time\": 0", "\"start_time\": \"0\""),
        ("\"title\": \"Intro\"", "\"title\": []"), ("\"end_time\": 2.5", "\"end_time\": 0.5"),
        ("\"end_time\": 2.5", "\"end_time\": 1"), ("\"end_time\": 2.5", "\"end\": 2.5"),
        ("\"type\": \"skip\"", "\"type\": \"mute\""), ("\"type\": \"skip\"", "\"type\": \"?\""),
        ("\"chapters\": [", "\"chapters\": {}, \"x\": ["),
        ("\"start_time\": 1", "\"start_time\": true"),
        ("{\"start_time\": 0,", "1, {\"start_time\": 0,"), ("\"id\": \"x\"", "\"id\": \"x\\x41\""),
      ], damage: damagedJSON),
    Format(
      id: "whisper", sample: DocumentSamples.whisper,
      changes: [
        ("\"start\": 0.0", "\"start\": 3.0"), ("\"start\": 0.0", "\"start\": -0.5"),
        ("\"start\": 0.0", "\"start\": NaN"), ("\"start\": 0.0", "\"begin\": 0.0"),
        ("\"start\": 0.0", "\"start\": [0]"), ("\"end\": 2.5", "\"end\": null"),
        ("\" Hello\\n there.\"", "5"), ("\"segments\": [", "\"segments\": [[],"),
        ("\"segments\": [", "\"segments\": {}, \"x\": ["), ("\"id\": 0", "\"id\": 00"),
      ], damage: damagedJSON),
    Format(
      id: "otio", sample: DocumentSamples.timeline,
      changes: [
        ("Timeline.1", "SerializableCollection.1"), ("Stack.1", "Clip.2"), ("Track.1", "Stack.1"),
        ("Clip.2", "Transition.1"), ("Clip.2", "Stack.1"), ("Clip.2", "Future.1"),
        ("ExternalReference.1", "GeneratorReference.1"),
        ("ExternalReference.1", "ImageSequenceReference.1"),
        ("\"effects\": []", "\"effects\": [{\"OTIO_SCHEMA\": \"Blur.1\"}]"),
        (
          "\"effects\": []",
          "\"effects\": [{\"OTIO_SCHEMA\": \"LinearTimeWarp.1\", \"time_scalar\": 2}]"
        ), ("\"source_range\": null", "\"source_range\": \(DocumentSamples.range(0, 1))"),
        ("\"value\": 60.0", "\"value\": -60.0"), ("\"value\": 60.0", "\"value\": 0"),
        ("\"value\": 60.0", "\"value\": NaN"), ("\"value\": 60.0", "\"value\": \"60\""),
        ("\"value\": 130.0", "\"value\": 90"), ("\"rate\": 29.97002997002997", "\"rate\": 0"),
        ("\"rate\": 29.97002997002997", "\"rate\": -25"),
        ("TimeRange.1", "TimeRange.1\", \"x\": \""),
        ("RationalTime.1", "RationalTime.1\", \"value\": 1, \"x\": \""),
      ].filter { $0.0 != "TimeRange.1" }, damage: damagedJSON),
    Format(
      id: "trim", sample: DocumentSamples.trim,
      changes: [
        ("\"version\": 1", "\"version\": 2"), ("\"1/3\"", "\"1/0\""), ("\"1/3\"", "0.5"),
        ("\"1/3\"", "\"5\""), ("\"source\": 0", "\"source\": 2"),
        ("\"source\": 0", "\"source\": -1"),
        ("\"source\": 0", "\"source\": 0.5"), ("\"isKept\": true", "\"isKept\": 1"),
        ("\"isKept\": true,", ""), ("[1]", "[\"1\"]"), ("30000/1001", "-25"), ("30000/1001", "x"),
        ("\"size\": 12", "\"size\": 1e30"), ("\"head\": \"ab\",", ""),
      ], damage: damagedJSON),
    Format(
      id: "fcpxml", sample: DocumentSamples.finalCut,
      changes: [
        ("ref=\"r2\"", "ref=\"r9\""), ("ref=\"r2\"", "ref=\"r4\""), (" ref=\"r2\"", ""),
        ("<note>x</note>", "<timeMap/>"),
        ("<note>x</note>", "<filter-video ref=\"r4\" name=\"B\"/>"),
        ("<note>x</note>", "<adjust-volume amount=\"3dB\"/>"),
        ("<note>x</note>", "<title ref=\"r4\" lane=\"1\" offset=\"0s\" duration=\"1s\"/>"),
        ("<note>x</note>", "<spine lane=\"1\"/>"),
        ("<note>x</note>", "<conform-rate srcFrameRate=\"24\"/>"),
        ("<note>x</note>", "&nbsp;"), ("<note>x</note>", "&#0;"), ("<note>x</note>", "<note>x"),
        ("<gap", "<transition/><gap"), ("<gap", "<ref-clip ref=\"r2\"/><gap"),
        ("<gap", "<mc-clip/><gap"), ("<gap", "<sync-clip/><gap"), ("<gap", "<audition/><gap"),
        ("offset=\"2s\"", "offset=\"1s\""), ("offset=\"2s\"", "offset=\"5s\""),
        ("duration=\"2s\"", "duration=\"0s\""), ("duration=\"2s\"", "duration=\"-2s\""),
        ("duration=\"2s\"", "duration=\"2\""), ("duration=\"2s\"", "duration=\"1/0s\""),
        ("duration=\"2s\"", "duration=\"9223372036854775808s\""),
        ("start=\"108108000/30000s\"", "start=\"0s\""),
        ("offset=\"0s\" name", "offset=\"0s\" audioStart=\"9s\" name"), ("<sequence", "<x"),
        ("<spine>", "<spine/><!-- "), ("&amp;", "&"),
      ], damage: damagedXML),
    Format(
      id: "mkv-chapters", sample: DocumentSamples.matroska,
      changes: [
        ("00:00:00.000000000", "0:0"), ("00:00:00.000000000", "-00:00:01"),
        ("00:00:00.000000000", "00:60:00.0"), ("00:00:00.000000000", "x"),
        ("00:00:00.000000000", "1.5"), ("00:00:00.000000000", "00:00:02.000000000"),
        ("01:00:02.500000001", "00:00:01.001000000"), ("01:00:02.500000001", ""),
        ("<ChapterUID>2</ChapterUID>", "<ChapterSegmentUUID>ab</ChapterSegmentUUID>"),
        ("<EditionUID>1</EditionUID>", "<EditionFlagOrdered>1</EditionFlagOrdered>"),
        ("<EditionEntry>", "<Edition>"), ("</EditionEntry>", ""),
      ].filter { $0.0 != "00:00:00.000000000" || $0.1 != "0:0" }, damage: damagedXML),
    Format(
      id: "ass", sample: DocumentSamples.subStation,
      changes: [
        ("0:00:01.50", "0:00:03.50"), ("0:00:01.50", "0:00:01.5"), ("0:00:01.50", "0:00:01.500"),
        ("0:00:01.50", "0:00:01,50"), ("0:00:01.50", "00:01.50"), ("0:00:01.50", "0:00:61.50"),
        ("0:00:01.50", "0:61:01.50"), ("0:00:01.50", "-0:00:01.50"), ("0:00:01.50", "1.50"),
        ("0:00:01.50", ""), ("0:00:01.50", "0:00:0x.50"), ("0:00:01.50", "0:00:01.-5"),
        ("0:00:01.50", "99999999999999999999:00:01.50"), ("0:00:02.25", "0:00:01.49"),
        ("0:00:02.25", "end"), ("0:00:02.25", "NaN"), ("0:00:02.25", "0:00:02.+5"),
        ("Timer: 100.0000", "Timer: 50"), ("Timer: 100.0000", "Timer: x"),
        ("Timer: 100.0000", "Timer: -100"), ("Layer, Start", "Layer, Begin"),
        ("Start, End", "Start, Stop"), ("Effect, Text", "Effect, Words"),
        ("Format: Layer", "Layer"),
        ("Dialogue: 0,0:00:01.50,0:00:02.25,Default,,0,0,0,,", "Dialogue: 0,0:00:01.50"),
        ("Dialogue: 0,0:00:01.50", "Dialogue: 0:00:01.50"), ("Dialogue: 0,", "Dialogue: 0;"),
        ("Format: Layer, Start, End, Style", "Format: Style"), ("Dialogue: 0,", "Dialogue:"),
      ],
      damage: [
        inserting([0xFF], at: 0.5), inserting([0xC3], at: 0.3), inserting([0], at: 0.7),
        inserting([0xED, 0xA0, 0x80], at: 0.4),
      ]),
  ]

  @Test(arguments: formats)
  func `When it is read, Then a sentence names the line or the path`(format: Format) throws {
    let reader = try #require(EditListFormat.named(format.id))
    let variants = format.variants
    #expect(variants.count >= 30)
    for bytes in variants {
      do {
        let list = try reader.read(bytes)
        Issue.record("\(list) of \(String(decoding: bytes, as: UTF8.self))")
      } catch {
        let text = "\(error)"
        let isPlaced =
          text.hasPrefix("$")
          || (text.hasPrefix("line ") && text.dropFirst(5).first?.isNumber == true)
        #expect(isPlaced, "\(text)")
      }
    }
  }

  @Test func `When a document nests or repeats, Then the sentence says what and where`() throws {
    let cases: [(String, String)] = [
      (
        "{\"segments\": [{\"start\": 1, \"start\": 2}]}",
        "line 1: $.segments[0]: it has 'start' twice"
      ),
      (
        "{\"segments\": [\n{\"a\": \"\\ud83d\"}]}",
        "line 2: $.segments[0].a: an escape is half of a surrogate pair, which is no character"
      ),
      ("{\"segments\": []} x", "line 1: $: text follows the value"),
      (
        "{\"segments\": [\r\n{\"start\": 1 \"end\": 2}]}",
        "line 2: $.segments[0]: '\"' is where ',' or '}' should be"
      ),
      ("{'segments': []}", "line 1: $: single quotes JSON does not have"),
      (
        "{\"segments\": [{\"start\": 2, \"end\": 1, \"text\": \"\"}]}",
        "$.segments[0]: the end 1 is before the start 2"
      ),
      ("<Chapters>\n<EditionEntry></Chapters>", "line 2: </Chapters> ends no open element"),
      (
        "<!DOCTYPE x [\n]><Chapters/>",
        "line 1: its document type declares what this reader does not read"
      ),
    ]
    for (text, message) in cases { #expect(readFailure(text) == message) }
  }
}

@Suite struct `Given what a cut cannot follow in a timeline` {
  @Test(
    arguments: [
      (
        "Clip.2", "Transition.1",
        "$.tracks.children[0].children[0]: a transition is not something a cut can follow"
      ),
      (
        "Clip.2", "Stack.1",
        "$.tracks.children[0].children[0]: a Stack in a track, a nested sequence, is not something a cut can follow"
      ),
      (
        "\"effects\": [],\n     \"markers\"",
        "\"effects\": [{\"OTIO_SCHEMA\": \"FreezeFrame.1\", \"name\": \"f\"}],\n     \"markers\"",
        ""
      ),
    ].filter { !$0.2.isEmpty })
  func `When it is OpenTimelineIO's, Then it is named with its path`(
    old: String, new: String, message: String
  ) {
    let text = DocumentSamples.timeline.replacing(old, with: new, maxReplacements: 1)
    #expect(readFailure(text) == message)
  }

  @Test(arguments: [
    ("Transform", "true", "[]", true), ("Fairlight Volume", "true", "[]", true),
    ("Transform", "true", "[{\"Parameter ID\": \"zoom\"}]", false),
    ("Blur", "false", "[{\"Parameter ID\": \"size\"}]", true), ("Blur", "true", "[]", false),
  ])
  func `When DaVinci Resolve writes an effect that does nothing, Then only such a one is read`(
    name: String, isOn: String, parameters: String, isRead: Bool
  ) {
    let effect = """
      "effects": [{"OTIO_SCHEMA": "Effect.1", "name": "", "effect_name": "Resolve Effect",
      "metadata": {"Resolve_OTIO": {"Effect Name": "\(name)", "Enabled": \(isOn),
      "Parameters": \(parameters)}}}], "markers": [{
      """
    let text = DocumentSamples.timeline.replacing(
      "\"effects\": [],\n      \"markers\": [{", with: effect, maxReplacements: 1)
    #expect(text != DocumentSamples.timeline)
    let message =
      "$.tracks.children[0].children[0].effects[0]: Effect '\(name)' is an effect, which a cut does not do"
    let failure = readFailure(text)
    #expect(isRead ? !failure.hasPrefix("$") : failure == message)
  }

  @Test func `When a second track has pictures, Then it is a layer`() {
    let clip = """
      {"OTIO_SCHEMA": "Clip.1", "source_range": \(DocumentSamples.range(0, 5)), "effects": []}
      """
    func track(_ kind: String) -> String {
      "{\"OTIO_SCHEMA\": \"Track.1\", \"kind\": \"\(kind)\", \"children\": [\(clip)]}"
    }
    func timeline(_ tracks: String...) -> String {
      "{\"OTIO_SCHEMA\": \"Timeline.1\", \"tracks\": {\"OTIO_SCHEMA\": \"Stack.1\", \"children\": "
        + "[\(tracks.joined(separator: ","))]}}"
    }
    #expect(
      readFailure(timeline(track("Video"), track("Video")))
        == "$.tracks.children[1]: it is a layer above $.tracks.children[0], and a cut has one of pictures"
    )
    #expect(throws: Never.self) { try readList(timeline(track("Video"), track("Audio"))) }
    let late = track("Audio").replacing("\"value\": 0.0", with: "\"value\": 1.0")
    #expect(
      readFailure(timeline(track("Video"), late))
        == "$.tracks.children[1].children[0]: its sound is cut elsewhere than the pictures")
  }

  @Test(arguments: [
    (
      "<note>x</note>", "<timeMap/>",
      "line 15: <timeMap>: it changes the speed, which a cut does not do"
    ),
    (
      "<note>x</note>", "<asset-clip name=\"T\" ref=\"r3\" lane=\"1\"/>",
      "line 15: <asset-clip>: a connected clip 'T' is a layer, and a cut has one"
    ),
    (
      "<gap ", "<ref-clip ref=\"r2\" name=\"C\"/><gap ",
      "line 18: <ref-clip>: a compound clip 'C' is not something a cut can follow"
    ),
    (
      "<gap ", "<transition name=\"Dissolve\"/><gap ",
      "line 18: <transition>: a transition 'Dissolve' is not something a cut can follow"
    ),
  ])
  func `When it is Final Cut Pro's, Then it is named with its line`(
    old: String, new: String, message: String
  ) {
    #expect(
      readFailure(DocumentSamples.finalCut.replacing(old, with: new, maxReplacements: 1)) == message
    )
  }
}
