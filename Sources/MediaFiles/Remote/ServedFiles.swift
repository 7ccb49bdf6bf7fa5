import Synchronization

/// Files that another program serves by their names, each for as long as a task reads it.
///
/// A program that lives long reads the same name again when there may be another file behind it: nothing that one
/// task was told is used for the next.
package enum ServedFiles {
  /// Asks for a file by its name.
  package typealias Opener =
    @Sendable (_ name: [UInt8]) throws(MediaError) -> any RemoteSource

  private final class Entry: Sendable {
    let file = Mutex<RemoteFile?>(nil)
  }

  private struct State {
    var opener: Opener?
    var entries: [[UInt8]: (entry: Entry, uses: Int)] = [:]
  }

  private static let state = Mutex(State())

  /// From now on, such names can be read.
  package static func allow(_ opener: @escaping Opener) { state.withLock { $0.opener = opener } }

  /// Whether a name is one of another program: `s3://bucket/clip.mp4`; those of the Internet are fetched here.
  package static func isMeant(by name: [UInt8]) -> Bool {
    guard let colon = name.firstIndex(of: UInt8(ascii: ":")), colon > 0,
      name[colon...].starts(with: "://".utf8), !RemoteFiles.isAddress(name)
    else { return false }
    // RFC 3986, 3.1.
    return name[..<colon].allSatisfy { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
      default: "+-.".utf8.contains(byte)
      }
    }
  }

  /// A task begins to read files.
  package static func begin(_ names: [[UInt8]]) {
    state.withLock { state in
      guard state.opener != nil else { return }
      for name in names { state.entries[name, default: (Entry(), 0)].uses += 1 }
    }
  }

  /// It has ended: what no other task reads is closed.
  package static func end(_ names: [[UInt8]]) {
    for name in names {
      let isUnused = state.withLock { state -> Bool in
        guard let found = state.entries[name] else { return false }
        state.entries[name] = found.uses > 1 ? (found.entry, found.uses - 1) : nil
        return found.uses == 1
      }
      if isUnused { RemoteFiles.close(name) }
    }
  }

  /// The file of a name, or of one that is fetched here; `nil` for every other.
  static func file(named name: [UInt8]) throws(MediaError) -> RemoteFile? {
    guard isMeant(by: name) else { return try RemoteFiles.file(named: name) }
    let (opener, entry) = state.withLock { ($0.opener, $0.entries[name]?.entry ?? Entry()) }
    guard let opener else { return nil }
    let result = entry.file.withLock { file -> Result<RemoteFile, MediaError> in
      if let file, file.fault == nil { return .success(file) }
      return Result { () throws(MediaError) in
        let opened = RemoteFile(try opener(name), name: name, cache: RemoteFiles.cache)
        file = opened
        return opened
      }
    }
    return try result.get()
  }
}
