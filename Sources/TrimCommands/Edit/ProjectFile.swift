import CommandLineKit
import EditLists
import ExactTime
import Isolation
import MediaEngine
import MediaFacts
import Synchronization
import TrimStudio
import Trimming

/// A saved project, and the files that it is of.
struct ProjectFile: Sendable {
  var project: Project
  /// The project's own path.
  var path: [UInt8]
  /// The files that it names, which are the very ones.
  private(set) var sources: [[UInt8]]

  /// The first of them, which the screen is opened with.
  var source: [UInt8] { sources[0] }

  /// Whether a name is that of a project.
  static func isNamed(_ path: [UInt8]) -> Bool {
    String(decoding: path, as: UTF8.self).lowercased().hasSuffix(".\(Project.ending)")
  }

  /// Reads a project, and finds its files: below its own folder, unless another is named.
  ///
  /// - Throws: ``PlayedMedia/Failure``, also where a file is another one than the project is of.
  init(
    reading file: ArgumentText, sources: [UInt8]?, with tool: Tool
  ) throws(PlayedMedia.Failure) {
    path = file.bytes
    do throws(PlanFile.Failure) {
      project = try Self.read(file)
    } catch {
      throw PlayedMedia.Failure(
        message: error.message, status: error.status, code: "unreadableProject")
    }
    let folder = try SourceFolder(sources ?? OutputFolder.around(path))
    self.sources = []
    for (index, stated) in project.list.sources.enumerated() {
      guard let hint = stated.hint else {
        throw Self.failure(
          index == 0 ? "it names no file" : "its source \(index + 1) names no file")
      }
      let found = try folder.file(hint)
      if let wanted = stated.identity { try Self.check(found, is: wanted, with: tool) }
      self.sources.append(found)
    }
  }

  private static func check(
    _ source: [UInt8], is wanted: EditList.Identity, with tool: Tool
  ) throws(PlayedMedia.Failure) {
    let shown = ForeignText.shown(source)
    guard
      let identity = EditList.Identity(
        of: source, engine: tool.engine, isCancelled: { tool.interruption() != 0 })
    else { throw failure("\(shown) cannot be opened to be compared with the project") }
    guard identity == wanted else {
      throw failure(
        "\(shown) is another file than the one that the project is of: its "
          + (identity.size == wanted.size ? "content differs" : "size differs"))
    }
  }

  private static func failure(_ message: String) -> PlayedMedia.Failure {
    PlayedMedia.Failure(message: message, status: .badData, code: "unreadableProject")
  }

  private static func read(_ file: ArgumentText) throws(PlanFile.Failure) -> Project {
    let bytes = try PlanFile.bytes(of: file, upTo: Project.longest, kind: "a project")
    do {
      return try JSONReader.read(bytes).decoded(as: Project.self)
    } catch {
      let words = (error as? DecodingError)?.sentence(at: "$") ?? "\(error)"
      throw PlanFile.Failure(message: "it is not a project: \(words)", status: .badData)
    }
  }

  /// Where a cut of it goes, as the project says: beside the project.
  var output: [UInt8]? {
    PlainName.isOne(project.output) && OutputContainer(fileName: Array(project.output.utf8)) != nil
      ? OutputFolder.around(path) + [UInt8(ascii: "/")] + Array(project.output.utf8) : nil
  }
}

/// Where the project of a screen is saved: first under a free name beside the output, then there again.
final class ProjectPlace: Sendable {
  private let source: [UInt8]
  private let engine: EnginePort
  private let state: Mutex<State>

  private struct State {
    /// Where it was opened or last saved.
    var path: [UInt8]?
    /// What distinguishes the source, once it is known.
    var identity: EditList.Identity?
  }

  /// - Parameter opened: the project that the screen was opened with.
  init(of source: [UInt8], engine: EnginePort, opened: ProjectFile? = nil) {
    self.source = source
    self.engine = engine
    state = Mutex(
      State(path: opened?.path, identity: opened?.project.list.sources.first?.identity))
  }

  /// What is saved next goes under a free name: the project that is there was not opened.
  func leave() { state.withLock { $0.path = nil } }

  /// Saves a project; blocking.
  ///
  /// - Parameter output: the path that a cut writes.
  /// - Returns: where, safe to show.
  /// - Throws: `VideoFailure`, also where its files would not be found again.
  func save(_ project: Project, besides output: [UInt8]) throws(VideoFailure) -> String {
    let (known, identity) = state.withLock { ($0.path, $0.identity) }
    let found =
      identity ?? EditList.Identity(of: source, engine: engine, isCancelled: { false })
    let path = if let known { known } else { try Self.free(besides: output) }
    var saved = project
    let folder = try? SourceFolder(OutputFolder.around(path))
    let files: [[UInt8]] =
      [source] + project.others.compactMap { other in other.hint.map { Array($0.utf8) } }
    if let outside = folder?.unfound(of: files) {
      let name = ForeignText.shown(outside.split(separator: UInt8(ascii: "/")).last ?? outside[...])
      throw VideoFailure(
        "The project was not saved: \(name) is not below its folder, "
          + "\(ForeignText.shown(OutputFolder.around(path))), and would not be found there.")
    }
    saved.list.sources =
      [EditList.Source(hint: folder?.hint(of: source), identity: found)]
      // Where they are is stated only in kept work.
      + project.others.map { other in
        EditList.Source(
          hint: other.hint.flatMap { folder?.hint(of: Array($0.utf8)) }, identity: other.identity)
      }
    guard let json = try? JSONValue.encoded(saved) else {
      throw VideoFailure("The project cannot be written.")
    }
    do throws(PlayedMedia.Failure) {
      try ResultFile(path, replaces: known != nil, madeFrom: source)
        .publish(JSONWriter.write(json, .indented))
    } catch {
      throw VideoFailure("The project was not saved: \(ForeignText.shown(error.message)).")
    }
    state.withLock { ($0.path, $0.identity) = (path, found) }
    return ForeignText.shown(path)
  }

  /// `clip-trimmed.trimproject`, then `clip-trimmed-2.trimproject` and so on.
  private static func free(besides output: [UInt8]) throws(VideoFailure) -> [UInt8] {
    let name = output.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0
    let dot =
      output.lastIndex(of: UInt8(ascii: ".")).flatMap { $0 > name ? $0 : nil } ?? output.count
    for number in 1...999 {
      let suffix = number == 1 ? "" : "-\(number)"
      let path = output[..<dot] + Array("\(suffix).\(Project.ending)".utf8)
      if !EditTarget.exists(Array(path)) { return Array(path) }
    }
    throw VideoFailure("There are already 999 projects with this name: choose another output.")
  }
}

extension EditList.Identity {
  /// What distinguishes a file, as a plan has it; `nil` where it cannot be opened.
  ///
  /// Blocking.
  init?(of path: [UInt8], engine: EnginePort, isCancelled: @escaping @Sendable () -> Bool) {
    guard let media = try? engine.open(.file(path: path), isCancelled),
      let source = try? media.identity()
    else { return nil }
    self.init(
      size: source.byteCount, head: String(source.head, radix: 16),
      packets: String(source.times, radix: 16))
  }
}
