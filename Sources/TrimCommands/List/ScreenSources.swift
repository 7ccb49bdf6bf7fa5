import CommandLineKit
import EditLists
import ExactTime
import Synchronization
import TrimStudio
import Trimming

/// The files whose parts are in the list of a screen, by their index in the session.
final class ScreenSources: Sendable {
  private struct State {
    /// Those after the first.
    var others: [(path: [UInt8], hint: String, bounds: MediaTimeRange)] = []
    /// What finds each of them again.
    var known: [[UInt8]: (hint: String, identity: EditList.Identity)] = [:]
  }

  /// The first file, which the screen was opened with.
  private let path: [UInt8]
  private let engine: EnginePort
  private let state = Mutex(State())

  init(_ path: [UInt8], engine: EnginePort) {
    self.path = path
    self.engine = engine
  }

  /// The index of a file that is one of them; `nil` for another; blocking.
  func index(of path: [UInt8]) -> Int? {
    let place = RealPath(path)?.bytes ?? path
    return paths.firstIndex { (RealPath($0)?.bytes ?? $0) == place }
  }

  var paths: [[UInt8]] { state.withLock { [path] + $0.others.map(\.path) } }

  /// The bounds of the files after the first, by their ``hint(of:)``.
  var bounds: [String: MediaTimeRange] {
    state.withLock { state in
      Dictionary(
        state.others.map { ($0.hint, $0.bounds) },
        uniquingKeysWith: { one, _ in one })
    }
  }

  /// What distinguishes a file is noted, so that it is found again; blocking.
  func identify(_ path: [UInt8]) throws(VideoFailure) {
    guard state.withLock({ $0.known[path] == nil }) else { return }
    note(path, try identity(of: path))
  }

  private func note(_ path: [UInt8], _ identity: EditList.Identity) {
    let hint = Self.hint(of: path)
    state.withLock { $0.known[path] = (hint, identity) }
  }

  private func identity(of path: [UInt8]) throws(VideoFailure) -> EditList.Identity {
    guard let found = EditList.Identity(of: path, engine: engine, isCancelled: { false }) else {
      throw VideoFailure("\(ForeignText.shown(path)) cannot be opened to be cut.")
    }
    return found
  }

  /// It gets the next index.
  func append(_ path: [UInt8], _ bounds: MediaTimeRange) {
    state.withLock { state in
      state.others.append((path, state.known[path]?.hint ?? Self.hint(of: path), bounds))
    }
  }

  /// All files as a list names them; the first one has the list, and needs no name.
  var stated: [EditList.Source] {
    state.withLock { state in
      [EditList.Source()]
        + state.others.map {
          EditList.Source(hint: $0.hint, identity: state.known[$0.path]?.identity)
        }
    }
  }

  /// The file's absolute path: for kept work, which is nobody else's.
  private static func hint(of path: [UInt8]) -> String {
    String(decoding: RealPath(path)?.bytes ?? path, as: UTF8.self)
  }

  /// The files that kept work names; blocking.
  ///
  /// - Parameter isAllowed: whether a file may be opened, by its path without links.
  /// - Throws: `VideoFailure` for a file that is gone, another one, or not allowed.
  func located(
    _ others: [EditList.Source], isAllowed: ([UInt8]) -> Bool
  ) throws(VideoFailure) -> [[UInt8]] {
    var paths: [[UInt8]] = []
    for other in others {
      let name = other.hint.map { ForeignText.shown(ListMedia.baseName($0)) } ?? "A file"
      guard let hint = other.hint, let place = RealPath(Array(hint.utf8)),
        String(decoding: place.bytes, as: UTF8.self) == hint
      else {
        throw VideoFailure("\(name), which it has parts of, is no longer there.")
      }
      guard isAllowed(place.bytes) else {
        throw VideoFailure(
          "\(name), which it has parts of, is outside this studio's folders.")
      }
      let found = try identity(of: place.bytes)
      guard found == other.identity else {
        let difference = found.size == other.identity?.size ? "content" : "size"
        throw VideoFailure(
          "\(name) is another file than the one that it has parts of: its \(difference) differs.")
      }
      note(place.bytes, found)
      paths.append(place.bytes)
    }
    return paths
  }
}
