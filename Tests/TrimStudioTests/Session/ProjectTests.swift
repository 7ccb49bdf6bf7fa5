import EditLists
import ExactTime
import JSON
import Testing
import Trimming

@testable import TrimStudio

@Suite struct `Given a project` {
  private static func project() throws -> Project {
    var session = TrimmingSession(
      video: TrimmingVideo(duration: MediaDuration(10), location: ""), limit: .standard)
    _ = session.handle(.videoDidLoad(VideoTimings()))
    _ = session.handle(.playheadDidMove(to: MediaTime(3)))
    _ = session.handle(.partDidSplit)
    _ = session.handle(.partDidRename(id: session.list.selected.id, name: "goal"))
    _ = session.handle(.markerDidAdd)
    let settings = StudioSettings(
      output: "a.mkv", mode: .copy,
      tracks: [.init(id: 1, words: "", isWritten: true), .init(id: 2, words: "", isWritten: false)])
    return Project(
      bounds: try #require(MediaTimeRange(from: .zero, to: MediaTime(10))), frames: 250,
      list: session.list, limit: .standard, settings: settings)
  }

  private func decoded(_ text: String) throws -> Project {
    try JSONReader.read(Array(text.utf8)).decoded(as: Project.self)
  }

  @Test func `then it is the same after it was written and read`() throws {
    var project = try Self.project()
    project.list.sources[0] = EditList.Source(
      hint: "a.mp4", identity: .init(size: 7, head: "a", packets: "b"))
    let json = try JSONValue.encoded(project)
    #expect(json["version"] == .integer(2))
    #expect(try json.decoded(as: Project.self) == project)
    #expect(project.partList?.parts.map(\.name) == ["", "goal"])
    #expect(project.partList?.selectedIndex == 1 && project.tracks == [1])
  }

  @Test func `when its parts are of several files then it has a version of its own`() throws {
    var project = try Self.project()
    let list = try #require(
      PartList(
        [
          .init(id: 1, range: project.bounds), .init(id: 2, range: project.bounds, source: 2),
          .init(id: 3, range: project.bounds, name: "b", source: 2),
        ], selectedIndex: 2, joins: true,
        markers: [.init(id: 1, position: MediaTime(3), source: 2)]))
    let sources = ["", "unused", "/videos/b.mp4"].map { EditList.Source(hint: $0) }
    project = Project(
      bounds: project.bounds, frames: 250, list: list, sources: sources, limit: nil,
      settings: StudioSettings(output: "a.mp4"))
    #expect(project.others.map(\.hint) == ["/videos/b.mp4"], "files without parts are not named")
    let json = try JSONValue.encoded(project)
    #expect(json["version"] == .integer(3))
    #expect(try json.decoded(as: Project.self) == project)
    #expect(project.partList(places: [0, 4])?.parts.map(\.source) == [0, 4, 4])
    #expect(project.partList(places: [0, 4])?.markers.map(\.source) == [4])
  }

  @Test func `when it was kept by version 1 then its parts are read`() throws {
    let kept = try decoded(
      """
      {"version": 1, "bounds": {"start": "0", "end": "10"}, "frames": 250,
       "list": {"parts": [{"id": 4, "range": {"start": "0", "end": "3"}, "name": ""},
         {"id": 9, "range": {"start": "3", "end": "10"}, "name": "goal"}],
         "selected_index": 1, "joins": false, "markers": [{"id": 3, "position": "3", "name": ""}]},
       "limit": {"minimum": "0", "maximum": "121/2", "is_maximum_inclusive": false},
       "output": "a.mkv", "mode": "copy", "tracks": [1]}
      """)
    #expect(kept == (try Self.project()))
  }

  @Test(arguments: [
    ("\"version\": 2", "\"version\": 4", "version 4"),
    ("\"version\": 2", "\"version\": 3", "its files"),
    ("\"selected_index\": 1", "\"selected_index\": 2", "selected"),
    ("\"source\": 0", "\"source\": 1", "source"),
    ("\"end\": \"3\"", "\"end\": \"-3\"", "edit_list"),
    ("\"mode\": \"copy\"", "\"mode\": \"paint\"", "mode"),
    ("\"tracks\"", "\"tracts\"", "tracks"),
  ])
  func `when it is damaged then what is wrong is said`(
    _ good: String, _ bad: String, _ words: String
  ) throws {
    let json = try JSONValue.encoded(try Self.project())
    let text = String(decoding: JSONWriter.write(json, .indented), as: UTF8.self)
    try #require(text.contains(good), "\(text)")
    do {
      _ = try decoded(text.replacing(good, with: bad, maxReplacements: 1))
      Issue.record("it was read")
    } catch let error as DecodingError {
      #expect("\(error)".contains(words), "\(error)")
    }
  }
}
