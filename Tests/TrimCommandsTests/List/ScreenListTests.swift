import CommandLineKit
import EditLists
import ExactTime
import MediaFacts
import Testing
import TrimStudio
import Trimming

@testable import TrimCommands

@Suite struct `Given a list for the file of a screen` {
  private static let whole =
    TrimmingSession(video: TrimmingVideo(duration: MediaDuration(300), location: "")).list

  private static func screen() throws -> ScreenList {
    ScreenList(try PlayStage.clip(), path: Array("/videos/walk.mp4".utf8))
  }

  private func imported(
    _ text: String, onto present: PartList = whole, adds: Bool = false
  ) throws -> StudioLists.Imported {
    try Self.screen().imported(Array(text.utf8), onto: present, adds: adds)
  }

  private func spelled(_ list: PartList) -> [String] {
    list.parts.map {
      "\($0.range.start.seconds)..\($0.range.end.seconds)" + ($0.name.isEmpty ? "" : " \($0.name)")
    }
  }

  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var text: String
    var parts: [String]
    var notes: [String] = []
    var markers: [String] = []
  }

  @Test(arguments: [
    Case(
      testDescription: "what is kept, in its order", text: "20,30,b\n10,12.5,a\n",
      parts: ["20..30 b", "10..25/2 a"]),
    Case(
      testDescription: "what is removed, with marks, a mute and what is behind the end",
      text: "0 10 0\n20 290 3\n5 6 1\n100 2\n400 410 0\n", parts: ["10..20", "290..300"],
      notes: [
        "left out: line 3: it mutes sound, which a cut does not do",
        "does not fit: parts[2]: it begins at 400 s, and walk.mp4 ends at 300 s",
      ], markers: ["100"]),
    Case(
      testDescription: "an end behind the file's is clipped and said", text: "290,310,x\n",
      parts: ["290..300 x"],
      notes: ["does not fit: parts[0]: it ends at 310 s, and walk.mp4 ends at 300 s"]),
    Case(
      testDescription: "a remainder in which no frame begins", text: "0 10 0\n10.01 290 0\n",
      parts: ["290..300"],
      notes: ["left out: 0:00:10 – 0:00:10.010, in which no frame begins"]),
    Case(
      testDescription: "parts of another file",
      text: "# mpv EDL v0\nother.mp4,1,2\n/elsewhere/walk.mp4,3,4\nother.mp4,5,6\n",
      parts: ["3..7"], notes: ["left out: 2 parts of another file, other.mp4"]),
    Case(
      testDescription: "marks alone leave the parts",
      text: "10.000000\t10.000000\t\n20.000000\t20.000000\tb\n",
      parts: ["0..300"],
      markers: ["10", "20"]),
  ])
  func `when it is imported then its parts take the place of the present ones`(_ one: Case) throws {
    let imported = try imported(one.text)
    #expect(spelled(imported.list) == one.parts)
    #expect(imported.notes.map { $0.replacing(".000", with: "") } == one.notes)
    #expect(imported.list.markers.map { "\($0.position.seconds)" } == one.markers)
    #expect(imported.list.joins == (one.parts.count > 1) || !imported.list.isSeveral)
    #expect(imported.sentence.hasPrefix("Imported: "))
  }

  @Test(arguments: [
    ("1,2,a\n3,x,b\n", "line 2"), ("nothing\n", "none of the lists"),
    ("400,410,late\n", "begin after the end"), ("0 300 0\n", "nothing of the file would be left"),
    ("# mpv EDL v0\na.mp4,1,2\nb.mp4,3,4\n", "it names no file 'walk.mp4'"),
    ("", "it is empty"),
    (
      "{\"version\": 1, \"sources\": [{\"identity\": {\"size\": 7, \"head\": \"a\", \"packets\": \"b\"}}],"
        + " \"parts\": [{\"source\": 0, \"range\": {\"start\": \"1\", \"end\": \"2\"}, \"isKept\": true}]}",
      "another file, of 7 bytes"
    ),
    (String(repeating: "1,2,a\n", count: 1000), "1000 parts, and a screen holds 999"),
  ])
  func `when it cannot be imported then a sentence says where`(_ text: String, _ words: String) {
    do {
      _ = try Self.screen().imported(Array(text.utf8), onto: Self.whole, adds: false)
      Issue.record("it was imported")
    } catch let failure as VideoFailure {
      #expect(failure.message.contains(words), "\(failure.message)")
    } catch {
      Issue.record(error)
    }
  }

  @Test func `when parts are added then they follow the present ones, unless nothing was cut yet`()
    throws
  {
    #expect(spelled(try imported("1,2,a\n", adds: true).list) == ["1..2 a"])
    let first = try imported("1,2,a\n10,20,\n").list
    let more = try imported("5,6,b\n", onto: first, adds: true).list
    #expect(spelled(more) == ["1..2 a", "10..20", "5..6 b"])
    #expect(Set(more.parts.map(\.id)).count == 3 && more.selected.name == "b")
  }

  @Test func `when markers of other files leave no room for a marker then it is left out and said`()
    throws
  {
    let markers = (1...PartList.markerCapacity).map {
      TrimmingMarker(id: $0, position: MediaTime(Int64($0)), source: 1)
    }
    let present = try #require(PartList(Self.whole.parts, joins: true, markers: markers))
    let imported = try imported("10.000000\t10.000000\t\n20.000000\t20.000000\tb\n", onto: present)
    #expect(imported.list.markers == markers)
    #expect(imported.notes == ["left out: 2 markers: a screen holds \(PartList.markerCapacity)"])
  }

  @Test(arguments: EditListFormat.all.filter(\.isWritten).map(\.id))
  func `when parts are exported then the list says them, and what it lacks is said`(_ id: String)
    throws
  {
    let format = try #require(EditListFormat.named(id))
    let present = try imported("0,10,first\n20,30,second\n", onto: Self.whole).list
    var marked = TrimmingSession(video: TrimmingVideo(duration: MediaDuration(300), location: ""))
    _ = marked.handle(.videoDidLoad(VideoTimings()))
    _ = marked.handle(.partsDidReturn(present))
    _ = marked.handle(.playheadDidMove(to: MediaTime(25)))
    _ = marked.handle(.markerDidAdd)
    guard !["youtube", "cue", "ogm-chapters"].contains(id) else {
      // They have starts only, and cannot say that something is left out between two parts.
      let failure = #expect(throws: VideoFailure.self) {
        try Self.screen().exported(marked.list, as: format)
      }
      #expect(failure?.message.contains("parts[1]") == true)
      return
    }
    let (text, notes) = try Self.screen().exported(marked.list, as: format)
    let context = EditListFormat.Context(rate: Rational(30000, 1001), end: MediaTime(300))
    let read = try format.read(Array(text.utf8), context: context)
    let kept = read.kept(within: [0: try PlayStage.clip().bounds]).parts
    // A format of frames may round an end.
    #expect(kept.count { $0.range.length > MediaDuration(1) } == 2, "\(text)")
    let names = read.parts.compactMap(\.name)
    if !names.contains("first") { #expect(notes.contains("left out: names"), "\(notes)") }
    if read.markers.isEmpty { #expect(notes.contains("left out: 1 marker"), "\(notes)") }
  }

  @Test func `when removals are exported in another order then that is said`() throws {
    let present = try imported("20,30,b\n10,12,a\n").list
    let (text, notes) = try Self.screen().exported(present, as: .edl)
    #expect(text.split(separator: "\n").count == 3)
    #expect(notes == ["left out: the order of the parts", "left out: names"])
  }
}
