import CommandLineKit
import Fetching
import Isolation
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
      help:
        "Send the header fields in a file to one server: a line with its host, then NAME: VALUE."),
    OptionSpec(
      long: "cache-size", arity: .value("bytes", .text),
      help: "How much of what was fetched is kept in memory.", standard: "64MiB"),
  ]

  /// The largest cache: what is worth keeping is small.
  private static let mostCacheBytes: Int64 = 4 << 30

  /// Where header fields can stand as well as in a file.
  static let fieldsVariable = "TRIM_HTTP_HEADERS"
  /// The longest file of header fields that is read.
  private static let mostFieldBytes = 1 << 16

  private let policy: AddressPolicy
  private let fields: HeaderFields?
  private let cacheBytes: Int

  init(
    _ parsed: ParsedArguments, environment: Environment, command: String
  ) throws(UsageError) {
    policy = AddressPolicy(allowsPrivateNetworks: parsed.has("allow-private-network"))
    cacheBytes = Int(
      min(
        Self.mostCacheBytes,
        try parsed.last("cache-size").map { (value) throws(UsageError) in
          try ByteCountArgument.parse(value, option: "cache-size", command: command)
        } ?? Int64(BlockCache.usualBytes)))
    do throws(FetchFault) {
      if let file = parsed.last("header-file") {
        fields = try HeaderFields(try Self.text(of: file, command: command))
      } else {
        fields = try environment[Self.fieldsVariable].map { (text) throws(FetchFault) in
          try HeaderFields(Array(text.utf8))
        }
      }
    } catch {
      throw UsageError("\(error.message).", command: command)
    }
  }

  private static func text(
    of file: ArgumentText, command: String
  ) throws(FetchFault) -> [UInt8] {
    do throws(ProbeError) {
      return try InputFile(path: file.bytes).bytes(
        in: 0..<Int64(mostFieldBytes), atMost: mostFieldBytes)
    } catch {
      throw FetchFault(
        .addressInvalid,
        "the file of header fields '\(file.shown)' cannot be read: \(error.message)")
    }
  }

  /// Lets files be opened by address from now on.
  func allow(in isolation: Isolation, isInterrupted: @escaping @Sendable () -> Bool) {
    var limits = FetchLimits()
    limits.rangeBytes = max(limits.rangeBytes, RemoteFiles.mostOfRequest)
    let fetcher = Fetcher(
      policy: policy, fields: fields,
      manner: isolation == .off ? .unsealed : .sealed(isRequired: isolation == .required),
      limits: limits, isInterrupted: isInterrupted)
    RemoteFiles.allow(cacheBytes: cacheBytes) { (address, name, cache) throws(ProbeError) in
      do throws(FetchFault) {
        let source = try fetcher.open(
          RemoteAddress(address), firstBytes: Int(RemoteFiles.firstBytes))
        return RemoteFile(try FetchedSource(source), name: name, cache: cache)
      } catch {
        throw ProbeError(error)
      }
    }
  }

  /// The command line with a name in place of each address: nothing but the one who fetches sees what may be
  /// secret in them.
  static func named(_ words: [ArgumentText]) -> [ArgumentText] {
    words.map { ArgumentText(bytes: named($0.bytes)) }
  }

  /// The name in place of an address; any other word as it is.
  static func named(_ word: [UInt8]) -> [UInt8] {
    guard RemoteFiles.isAddress(word) else { return word }
    // The part of a file that is meant, which servers never get (RFC 3986, 3.5).
    let end = word.firstIndex(of: UInt8(ascii: "#")) ?? word.endIndex
    return RemoteFiles.name(for: Array(word[..<end])) + word[end...]
  }

  /// A task of a batch with names in place of addresses.
  static func named(task line: [UInt8]) -> [UInt8] {
    guard line.first(where: { $0 != 0x20 && $0 != 0x09 }) == UInt8(ascii: "{"),
      zip(line, line.dropFirst()).contains(where: { $0 == 0x2F && $1 == 0x2F }),
      let value = try? JSONReader.read(line), case .object(let members) = value
    else { return named(line) }
    func renamed(_ value: JSONValue) -> JSONValue {
      switch value {
      case .string(let text):
        .string(String(decoding: named(Array(text.utf8)), as: UTF8.self))
      case .array(let values): .array(values.map(renamed))
      default: value
      }
    }
    let inputs: Set = ["path", "paths"]
    let task = JSONValue.object(
      members.map { member in
        inputs.contains(member.key)
          ? JSONValue.Member(key: member.key, value: renamed(member.value)) : member
      })
    return JSONWriter.write(task, .line).dropLast()
  }

  /// What it cost, for `--verbose`.
  static var told: String? {
    RemoteFiles.cost.map { cost in
      "fetched \(cost.bytes) bytes in \(cost.requests) request\(cost.requests == 1 ? "" : "s")"
    }
  }
}

/// What the process that fetches offers, for those who read.
private final class FetchedSource: RemoteSource {
  let byteCount: Int64
  private let source: any RangeSource

  init(_ source: any RangeSource) throws(FetchFault) {
    guard let byteCount = source.byteCount else {
      throw FetchFault(
        .rangesMissing, "its server does not state how large it is, and sends no ranges of it",
        hint: "Download it, or put it on a server that supports ranges.")
    }
    self.byteCount = byteCount
    self.source = source
  }

  var head: [UInt8] { source.head }
  var cost: RemoteCost { RemoteCost(requests: source.cost.requests, bytes: source.cost.bytes) }

  func bytes(in range: Range<Int64>) throws(ProbeError) -> [UInt8] {
    do throws(FetchFault) {
      return try source.bytes(in: range)
    } catch {
      throw ProbeError(error)
    }
  }
}

extension ProbeError {
  fileprivate init(_ fault: FetchFault) {
    self.init(
      fault.code == .cancelled ? .cancelled : MediaErrorCode(rawValue: fault.code.rawValue),
      fault.message, hint: fault.hint)
  }
}
