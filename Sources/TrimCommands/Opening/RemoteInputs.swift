import CommandLineKit
import MediaEngine

/// Inputs that are addresses: `trim probe https://…`.
struct RemoteInputs: Sendable {
  /// The commands that read them; the others need a file that stays open, or read all of it at once.
  static let commands: Set<String> = [
    "probe", "check", "cut", "join", "strip", "wave", "timeline", "batch",
  ]

  static let options = [
    OptionSpec(
      long: "allow-private-network",
      help: "Let addresses lead to this machine and to private networks."),
    OptionSpec(
      long: "header-file", arity: .value("file", .file),
      help: "Send the header fields in a file to one server: a line with its host, then NAME: VALUE."),
    OptionSpec(
      long: "cache-size", arity: .value("bytes", .text),
      help: "How much of what was fetched is kept in memory.", standard: "64MiB"),
  ]

  /// The largest cache: what is worth keeping is small.
  private static let mostCacheBytes: Int64 = 4 << 30

  private let allowsPrivateNetworks: Bool
  private let headerFile: ArgumentText?
  private let cacheBytes: Int

  init(_ parsed: ParsedArguments, command: String) throws(UsageError) {
    allowsPrivateNetworks = parsed.has("allow-private-network")
    headerFile = parsed.last("header-file")
    cacheBytes = Int(
      min(
        Self.mostCacheBytes,
        try parsed.last("cache-size").map { (value) throws(UsageError) in
          try ByteCountArgument.parse(value, option: "cache-size", command: command)
        } ?? Int64(BlockCache.usualBytes)))
  }

  /// Lets files be opened by address from now on.
  func allow(isInterrupted: @escaping @Sendable () -> Bool) {
    RemoteFiles.allow(cacheBytes: cacheBytes) { (address, name, cache) throws(ProbeError) in
      throw ProbeError(.onlyLocalPaths, "nothing fetches addresses")
    }
  }

  /// The command line with a name in place of each address: nothing but the one who fetches sees what may be
  /// secret in them.
  static func named(_ words: [ArgumentText]) -> [ArgumentText] {
    words.map { word in
      guard RemoteFiles.isAddress(word.bytes) else { return word }
      // The part of a file that is meant, which servers never get (RFC 3986, 3.5).
      let end = word.bytes.firstIndex(of: UInt8(ascii: "#")) ?? word.bytes.endIndex
      return ArgumentText(
        bytes: RemoteFiles.name(for: Array(word.bytes[..<end])) + word.bytes[end...])
    }
  }

  /// What it cost, for `--verbose`.
  static var told: String? {
    RemoteFiles.cost.map { cost in
      "fetched \(cost.bytes) bytes in \(cost.requests) request\(cost.requests == 1 ? "" : "s")"
    }
  }
}
