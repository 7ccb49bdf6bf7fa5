import CommandLineKit
import ExactTime
import Foundation
import Testing
import TrimStudio
import Trimming

@testable import TrimCommands

@Suite(.timeLimit(.minutes(1))) struct `Given work that is kept in the state directory` {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func video(_ name: String, _ content: UInt8, count: Int = 100_000) throws -> [UInt8] {
    let path = folder.path(of: name)
    try Data(repeating: content, count: count).write(to: URL(filePath: path))
    return Array(path.utf8)
  }

  private func port(_ path: [UInt8]) throws -> WorkPort {
    try #require(WorkPort.state(path, environment: ["XDG_STATE_HOME": folder.path(of: "state")]))
  }

  private func work(_ output: String) throws -> Project {
    let bounds = try #require(MediaTimeRange(from: .zero, to: MediaTime(10)))
    let session = TrimmingSession(video: TrimmingVideo(duration: MediaDuration(10), location: ""))
    return Project(
      bounds: bounds, frames: 250, list: session.list, limit: nil,
      settings: StudioSettings(output: output))
  }

  /// Where it is kept.
  private var place: URL {
    URL(filePath: folder.path(of: "state")).appending(components: "trim", "work")
  }

  private var kept: [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: place.path(percentEncoded: false))) ?? []
  }

  private func permissions(_ place: URL) throws -> Int? {
    let attributes = try FileManager.default.attributesOfItem(
      atPath: place.path(percentEncoded: false))
    return attributes[.posixPermissions] as? Int
  }

  @Test func `then each of three files has its own, which only the user can read`() throws {
    let paths = try ["a.mp4", "b.mp4", "c.mp4"].enumerated().map { try video($1, UInt8($0)) }
    for (index, path) in paths.enumerated() {
      let port = try port(path)
      #expect(port.load() == nil)
      port.keep(try work("\(index).mp4"))
    }
    for (index, path) in paths.enumerated() {
      #expect(try port(path).load() == work("\(index).mp4"))
    }
    #expect(kept.count == 3)
    for name in kept {
      let file = place.appending(component: name)
      #expect(try permissions(file) == 0o600)
      let content = try Data(contentsOf: file)
      #expect(!String(decoding: content, as: UTF8.self).contains(folder.root))
    }
    #expect(try permissions(place) == 0o700)
  }

  @Test func `when another file takes the name, then it has no work, and that is noticed`() throws {
    let path = try video("a.mp4", 1)
    try port(path).keep(work("mine.mp4"))
    #expect(try !port(path).isOfOtherVersion())
    for other in [try video("a.mp4", 2), try video("a.mp4", 1, count: 100_001)] {
      let port = try port(other)
      #expect(port.load() == nil)
      #expect(port.isOfOtherVersion())
    }
    #expect(try !port(try video("b.mp4", 2)).isOfOtherVersion())
  }

  @Test func `when a file is moved or copied, then its work is found, and kept once`() throws {
    let path = try video("a.mp4", 1)
    try port(path).keep(work("mine.mp4"))
    let moved = try port(try video("b.mp4", 1))
    #expect(try moved.load() == work("mine.mp4"))
    moved.keep(try work("other.mp4"))
    #expect(kept.count == 1)
    #expect(try port(path).load() == work("other.mp4"))
    moved.forget()
    #expect(kept == [])
  }

  @Test func `when somebody else has written, then the last writer wins, and that is known`() throws
  {
    let path = try video("a.mp4", 1)
    let (one, other) = (try port(path), try port(path))
    #expect(one.load() == nil && other.load() == nil)
    #expect(!one.wasChangedElsewhere())
    one.keep(try work("one.mp4"))
    #expect(!one.wasChangedElsewhere())
    #expect(other.wasChangedElsewhere())
    other.keep(try work("other.mp4"))
    #expect(!other.wasChangedElsewhere())
    #expect(one.wasChangedElsewhere())
    #expect(try port(path).load() == work("other.mp4"))
  }

  @Test func `then no more than 200 are kept, for 90 days`() throws {
    let path = try video("a.mp4", 1)
    try port(path).keep(work("mine.mp4"))
    let old = place.appending(component: try #require(kept.first)).path(percentEncoded: false)
    for number in 0..<205 {
      try Data([1]).write(to: place.appending(component: "\(number)-0.0.json"))
    }
    try port(try video("b.mp4", 2)).keep(work("b.mp4"))
    #expect(kept.count == 200)
    try port(path).keep(work("mine.mp4"))
    for (days, isThere) in [(89.0, true), (91, false)] {
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: -days * 86_400)], ofItemAtPath: old)
      #expect(try (port(path).load() != nil) == isThere, "after \(days) days")
    }
  }

  @Test func `when what is kept is damaged, then the file is opened afresh`() throws {
    let path = try video("a.mp4", 1)
    try port(path).keep(work("mine.mp4"))
    let file = place.appending(component: try #require(kept.first))
    for text in ["", "{", "[]", "{\"version\":1}"] {
      try Data(text.utf8).write(to: file)
      #expect(try port(path).load() == nil, "\(text)")
    }
  }
}
