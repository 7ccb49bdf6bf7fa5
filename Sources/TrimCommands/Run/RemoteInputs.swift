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
  /// Why the variable's fields cannot be sent: only addresses need them.
  private let fieldsFault: FetchFault?
  private let cacheBytes: Int
  private let timeout: Duration?

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
    timeout = try LengthArgument.timeout(parsed, command: command)
    let named = parsed.last("header-file")
    var (found, fault): (HeaderFields?, FetchFault?)
    do throws(FetchFault) {
      if let named {
        found = try HeaderFields(try Self.text(of: named, command: command))
      } else if let text = environment[Self.fieldsVariable] {
        found = try HeaderFields(Array(text.utf8))
      }
    } catch {
      guard named == nil else { throw UsageError("\(error.message).", command: command) }
      fault = error
    }
    (fields, fieldsFault) = (found, fault)
  }

  private static func text(
    of file: ArgumentText, command: String
  ) throws(FetchFault) -> [UInt8] {
    do throws(MediaError) {
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
    limits.total = timeout
    let fetcher = Fetcher(
      policy: policy, fields: fields,
      isolation: isolation == .off ? .unsealed : .sealed(isRequired: isolation == .required),
      limits: limits, isInterrupted: isInterrupted)
    let fieldsFault = fieldsFault
    RemoteFiles.allow(cacheBytes: cacheBytes) { (address, name, cache, spend) throws(MediaError) in
      do throws(FetchFault) {
        if let fieldsFault { throw fieldsFault }
        let first = RemoteFiles.first.flatMap { try? RemoteAddress($0).origin }
        let source = try fetcher.open(
          RemoteAddress(address), firstBytes: Int(RemoteFiles.firstBytes), bindingTo: first,
          spend: { spend(RemoteCost(requests: $0.requests, bytes: $0.bytes)) })
        return RemoteFile(try FetchedSource(source), name: name, cache: cache)
      } catch {
        throw MediaError(error)
      }
    }
  }

  /// The command line with a name in place of each address: nothing but the one who fetches sees what may be
  /// secret in them.
  static func named(_ words: [ArgumentText]) -> [ArgumentText] {
    words.map { ArgumentText(bytes: named($0.bytes)) }
  }

  /// The name in place of an address; any other word as it is.
  ///
  /// - Parameter isListed: whether it is of a list that may have no end.
  static func named(_ word: [UInt8], isListed: Bool = false) -> [UInt8] {
    guard RemoteFiles.isAddress(word) else { return word }
    // The part of a file that is meant, which servers never get (RFC 3986, 3.5).
    let end = word.firstIndex(of: UInt8(ascii: "#")) ?? word.endIndex
    return RemoteFiles.name(for: Array(word[..<end]), isListed: isListed) + word[end...]
  }

  /// A task of a batch with names in place of addresses.
  static func named(task line: [UInt8]) -> [UInt8] {
    let bare = Array(line.drop { $0 == 0x20 || $0 == 0x09 })
    guard bare.first == UInt8(ascii: "{"), let value = try? JSONReader.read(line),
      case .object(let members) = value
    else { return RemoteFiles.isAddress(bare) ? named(bare, isListed: true) : line }
    func renamed(_ value: JSONValue, isEncoded: Bool) -> JSONValue {
      switch value {
      case .string(let text) where isEncoded:
        Base64.decode(text).map { .string(Base64.encode(named($0, isListed: true))) } ?? value
      case .string(let text):
        .string(String(decoding: named(Array(text.utf8), isListed: true), as: UTF8.self))
      case .array(let values): .array(values.map { renamed($0, isEncoded: isEncoded) })
      default: value
      }
    }
    let inputs: Set = ["path", "paths", "path_b64", "paths_b64"]
    let task = JSONValue.object(
      members.map { member in
        inputs.contains(member.key)
          ? JSONValue.Member(
            key: member.key,
            value: renamed(member.value, isEncoded: member.key.hasSuffix("_b64"))) : member
      })
    return task == value ? line : JSONWriter.write(task, .line).dropLast()
  }

  /// What it cost, for `--verbose`.
  static var reported: String? {
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
  var mostRequests: Int { source.mostRequests }

  func restart() { source.restart() }

  func bytes(in range: Range<Int64>) throws(MediaError) -> [UInt8] {
    do throws(FetchFault) {
      return try source.bytes(in: range)
    } catch {
      throw MediaError(error)
    }
  }
}

extension MediaError {
  fileprivate init(_ fault: FetchFault) {
    self.init(
      fault.code == .cancelled ? .cancelled : MediaErrorCode(rawValue: fault.code.rawValue),
      fault.message, hint: fault.hint)
  }
}
