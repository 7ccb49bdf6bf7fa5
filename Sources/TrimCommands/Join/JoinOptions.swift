import CommandLineKit
import ExactTime
import MediaEngine
import Trimming

/// The parsed options of `trim join`.
@dynamicMemberLookup
struct JoinOptions: Sendable {
  /// A file and the part of it that is written, in output order.
  struct Item: Sendable {
    var file: ArgumentText
    var part: PartExpression
  }

  var items: [Item]
  var output: ArgumentText
  var container: OutputContainer
  /// What it has in common with `trim cut`.
  var terms: CutTerms
  /// The number of the file whose format the others get; `nil` for that of the longest duration.
  var like: Int?
  /// What happens to pictures of another format.
  var joinMode: JoinMode?
  /// Whether each source becomes a chapter with its name.
  var namesChapters: Bool

  subscript<Value>(dynamicMember member: KeyPath<CutTerms, Value>) -> Value {
    terms[keyPath: member]
  }

  static let command = "join"
  /// A sealed process takes a descriptor for each file; its system allows it 640.
  static let mostFiles = 500

  init(_ parsed: ParsedArguments, listed: [Item]? = nil) throws(UsageError) {
    var words = parsed.positionals
    if parsed.has("camera-files") {
      guard words.count == 1, let folder = words.first else {
        throw UsageError("'--camera-files' takes one folder.", command: Self.command)
      }
      words = try CameraFiles.files(in: folder)
    }
    guard !words.isEmpty || listed != nil else {
      throw UsageError("Missing expected argument '<files>'.", command: Self.command)
    }
    items = listed ?? []
    for word in words {
      guard !word.isStandardStream else {
        throw UsageError("Files are joined by name, not from '-'.", command: Self.command)
      }
      let (path, part) = try PartExpression.split(word, command: Self.command)
      items.append(Item(file: ArgumentText(bytes: path), part: part ?? PartExpression()))
    }
    guard let output = parsed.last("output") else {
      throw UsageError("Missing expected option '-o <output>'.", command: Self.command)
    }
    self.output = output
    container = try OutputContainer(output: output.bytes, command: Self.command)
    terms = try CutTerms(parsed, command: Self.command)
    joinMode = parsed.last("join-as")?.text.flatMap(JoinMode.init(rawValue:))
    namesChapters = parsed.has("chapters-from-names")
    if let named = parsed.last("like") {
      let path = try PartExpression.split(named, command: Self.command).0
      guard let like = files.firstIndex(of: ArgumentText(bytes: path)) else {
        throw UsageError(
          "'--like' names one of the files that are joined; '\(named.shown)' is none of them.",
          command: Self.command)
      }
      self.like = like
    }
    guard files.count <= Self.mostFiles else {
      throw UsageError(
        "\(files.count) files are too many: at most \(Self.mostFiles) are joined at a time.",
        command: Self.command)
    }
  }

  /// Each file once, in order of first use.
  var files: [ArgumentText] {
    var known: Set<ArgumentText> = []
    return items.map(\.file).filter { known.insert($0).inserted }
  }

  /// The order for the engine, for parts matched with their files.
  func order(_ parts: [(source: Int, range: MediaTimeRange)]) -> CutOrder {
    var request = CutRequest(range: parts[0].range, verification: terms.verification)
    terms.settings.apply(to: &request)
    request.audio = terms.audio
    request.like = like
    request.joinMode = joinMode ?? .fit
    for part in parts.dropFirst() { request.join(part.range, of: part.source) }
    if namesChapters { request.entitle(items.map { Self.title(of: $0.file) }) }
    var order = CutOrder(request, to: output.bytes, limit: terms.limit, replaces: terms.replaces)
    order.container = container
    order.keepsFailed = terms.keepsFailed
    return order
  }

  /// The file's name without folder and extension.
  private static func title(of file: ArgumentText) -> String {
    let name = file.bytes.split(separator: UInt8(ascii: "/")).last ?? file.bytes[...]
    let stem = name.lastIndex(of: UInt8(ascii: ".")).map { name[..<$0] } ?? name
    return String(decoding: stem.isEmpty ? name : stem, as: UTF8.self)
  }
}

extension [ArgumentText] {
  /// The place of each.
  var numbers: [ArgumentText: Int] {
    Dictionary(enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
  }
}
