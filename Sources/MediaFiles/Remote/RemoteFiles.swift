import Synchronization

/// The remote files of this process, by the names that stand for their addresses.
///
/// An address may hold a secret, such as the signature of a presigned one: it stays here, and everything else
/// knows the file by a name without it.
package enum RemoteFiles {
  /// Opens a file by its address.
  ///
  /// `spend` is to be called with what each request costs, also of an opening that fails.
  package typealias Opener =
    @Sendable (
      _ address: [UInt8], _ name: [UInt8], BlockCache,
      _ spend: @escaping @Sendable (RemoteCost) -> Void
    ) throws(MediaError) -> RemoteFile

  /// How much of a file is asked for when it is opened: most indexes.
  package static let firstBytes: Int64 = 512 << 10
  /// The most that is asked for at once.
  package static let mostOfRequest = RequestPlan.most

  /// How many files stay open after their last reader: a command reads a file several times.
  private static let mostKept = 8

  private struct State {
    var opener: Opener?
    var cache = BlockCache()
    var names = RemoteNames()
    /// The first address that was named.
    var first: [UInt8]?
    /// Of the files that are being opened.
    var turns: [[UInt8]: Turn] = [:]
    var kept: [RemoteFile] = []
    /// What all requests have cost; `nil` before the first.
    var cost: RemoteCost?
    /// What is being measured, by the name of the file.
    var meters: [[UInt8]: [RemoteMeter]] = [:]
  }

  /// Held while a file is opened, so that it is opened once.
  private final class Turn: Sendable { let lock = Mutex(()) }

  private static let state = Mutex(State())

  /// The first address that was named.
  package static var first: [UInt8]? { state.withLock { $0.first } }

  /// From now on, addresses can be read.
  package static func allow(cacheBytes: Int, _ opener: @escaping Opener) {
    state.withLock { state in
      state.opener = opener
      state.cache = BlockCache(byteCount: cacheBytes)
    }
  }

  /// True for `http://…` and `https://…` (RFC 3986, 3.1: the scheme is not case-sensitive).
  package static func isAddress(_ word: [UInt8]) -> Bool {
    let scheme = word.prefix(6).prefix { $0 != UInt8(ascii: ":") }.map { $0 | 0x20 }
    guard scheme == Array("http".utf8) || scheme == Array("https".utf8) else { return false }
    return word.count > scheme.count + 3 && word[scheme.count...].starts(with: "://".utf8)
  }

  /// The name that stands for an address: without user, query and fragment; a number distinguishes addresses
  /// that would get the same.
  ///
  /// - Parameter isListed: whether it comes from a list that may have no end: it is forgotten when many others
  ///   were named after it.
  package static func name(for address: [UInt8], isListed: Bool = false) -> [UInt8] {
    state.withLock { state in
      state.first = state.first ?? address
      let (name, forgotten) = state.names.name(
        for: address, shown: shown(address), isListed: isListed)
      // Another address may get that name.
      if let forgotten { state.kept.removeAll { $0.name == forgotten } }
      return name
    }
  }

  /// `https://host/path?…`.
  package static func shown(_ address: [UInt8]) -> [UInt8] {
    let slash = UInt8(ascii: "/")
    guard let scheme = address.firstIndex(of: slash).map({ $0 + 2 }), scheme <= address.count
    else { return address }
    let rest = address[scheme...]
    let end = rest.firstIndex { [UInt8(ascii: "?"), UInt8(ascii: "#")].contains($0) }
    let stated = rest[..<(end ?? rest.endIndex)]
    let host = stated.prefix { $0 != slash && $0 != UInt8(ascii: "\\") }
    let start = host.lastIndex(of: UInt8(ascii: "@")).map { $0 + 1 } ?? host.startIndex
    // What is no port may be a password with a slash in it.
    let named = host[start...]
    let port = named.lastIndex(of: UInt8(ascii: ":")).map { named[($0 + 1)...] } ?? []
    guard named.first == UInt8(ascii: "[") || port.allSatisfy({ (0x30...0x39).contains($0) })
    else { return Array(address[..<scheme]) + Array("…".utf8) }
    let hasQuery = end.map { address[$0] == UInt8(ascii: "?") } ?? false
    return Array(address[..<scheme]) + Array(stated[start...]) + (hasQuery ? Array("?…".utf8) : [])
  }

  /// The name that a file gets where what is made of an address is stored here: the last part of its path, without
  /// what no name of a file may contain; other names stay as they are.
  package static func localName(of name: [UInt8]) -> [UInt8] {
    guard isAddress(name) else { return name }
    let path = shown(addressed(name)).split(separator: UInt8(ascii: "/")).dropFirst(2)
    var last = decoded(path.last.map { $0.prefix { $0 != UInt8(ascii: "?") } } ?? [])
    last.removeAll { $0 < 0x20 || $0 == 0x7F || $0 == UInt8(ascii: "/") }
    let dots = last.prefix { $0 == UInt8(ascii: ".") }.count
    last.removeFirst(dots)
    return last.isEmpty || last.count > 200 ? Array("media".utf8) : last
  }

  private static func addressed(_ name: [UInt8]) -> [UInt8] {
    state.withLock { $0.names.address(of: name) } ?? name
  }

  /// Percent-decoded (RFC 3986, 2.1).
  private static func decoded(_ text: ArraySlice<UInt8>) -> [UInt8] {
    var found: [UInt8] = []
    var place = text.startIndex
    while place < text.endIndex {
      if text[place] == UInt8(ascii: "%"), place + 2 < text.endIndex,
        let byte = UInt8(String(decoding: text[place + 1...place + 2], as: UTF8.self), radix: 16)
      {
        found.append(byte)
        place += 3
      } else {
        found.append(text[place])
        place += 1
      }
    }
    return found
  }

  /// The file of a name or an address; `nil` where addresses are not read, or for another name.
  static func file(named name: [UInt8]) throws(MediaError) -> RemoteFile? {
    guard isAddress(name), let opener = state.withLock({ $0.opener }) else { return nil }
    let known = state.withLock { $0.names.address(of: name) }
    let shown = known == nil ? Self.name(for: name) : name
    let turn = state.withLock { state -> Turn in
      if let turn = state.turns[shown] { return turn }
      let turn = Turn()
      state.turns[shown] = turn
      return turn
    }
    defer { state.withLock { $0.turns[shown] = nil } }
    let result = turn.lock.withLock { _ -> Result<RemoteFile, MediaError> in
      // One that failed is asked for once more by the next who wants it.
      let kept = state.withLock { $0.kept.first { $0.name == shown && $0.fault == nil } }
      if let kept {
        kept.restart()
        return .success(kept)
      }
      return Result { () throws(MediaError) in
        let file = try opener(known ?? name, shown, state.withLock { $0.cache }) { cost in
          spend(cost, on: shown)
        }
        keep(file)
        return file
      }
    }
    return try result.get()
  }

  private static func keep(_ file: RemoteFile) {
    state.withLock { state in
      if let old = state.kept.firstIndex(where: { $0.name == file.name }) {
        state.kept.remove(at: old)
      } else if state.kept.count == mostKept {
        state.kept.removeFirst()
      }
      state.kept.append(file)
    }
  }

  /// Where what was fetched is kept.
  static var cache: BlockCache { state.withLock { $0.cache } }

  /// Closes the file of a name: the next who wants it asks for it once more.
  static func close(_ name: [UInt8]) { state.withLock { $0.kept.removeAll { $0.name == name } } }

  private static func spend(_ cost: RemoteCost, on name: [UInt8]) {
    state.withLock { state in
      state.cost = (state.cost ?? RemoteCost()) + cost
      for meter in state.meters[name] ?? [] { meter.add(cost) }
    }
  }

  /// What all files have cost; `nil` where nothing was asked for.
  package static var cost: RemoteCost? { state.withLock { $0.cost } }

  /// Measures what files cost while some work is done.
  ///
  /// - Returns: its result, and what was spent on these files meanwhile; `nil` where none of them is at an address.
  package static func measured<Value>(
    _ names: [[UInt8]], _ work: () -> Value
  ) -> (value: Value, cost: RemoteCost?) {
    let names = Set(names.filter(isAddress))
    guard !names.isEmpty else { return (work(), nil) }
    let meter = RemoteMeter()
    state.withLock { state in
      for name in names { state.meters[name, default: []].append(meter) }
    }
    let value = work()
    state.withLock { state in
      for name in names {
        state.meters[name]?.removeAll { $0 === meter }
        if state.meters[name]?.isEmpty == true { state.meters[name] = nil }
      }
    }
    return (value, meter.cost)
  }
}
