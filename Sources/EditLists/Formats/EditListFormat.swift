public import ExactTime

/// A text format of lists: what recognises, reads and writes it.
public struct EditListFormat: Sendable {
  /// What a reader is told about the source, where the format leaves it to the program.
  public struct Context: Sendable {
    /// The source's frames per second, for formats that count frames without naming a rate.
    public var rate: Rational?
    /// Where the source ends, for parts without an end.
    public var end: MediaTime?
    /// Whether a mute, which a cut does not do, is left out instead of refused.
    public var ignoresMutes: Bool
    /// Whether a transcript's words are its parts, instead of its segments.
    public var readsWords: Bool

    /// Creates a context; what is unknown is refused where a list needs it.
    public init(
      rate: Rational? = nil, end: MediaTime? = nil, ignoresMutes: Bool = false,
      readsWords: Bool = false
    ) {
      self.rate = rate
      self.end = end
      self.ignoresMutes = ignoresMutes
      self.readsWords = readsWords
    }
  }

  /// A list that was read.
  public struct Reading: Sendable, Hashable {
    /// The list.
    public var list: EditList
    /// What the text says and the list does not, each with its line or path, for a report.
    public var leftOut: [String]
  }

  /// Collects what a reader leaves out.
  struct LeftOut {
    private(set) var entries: [String] = []
    private var more = 0
    /// What a person reads; of a long list the rest is counted.
    private static let most = 100

    mutating func note(_ error: ListError) {
      if entries.count < Self.most { entries.append(error.description) } else { more += 1 }
    }

    var all: [String] { more == 0 ? entries : entries + ["\(more) more like these"] }
  }

  /// A written list.
  public struct Written: Sendable, Hashable {
    /// The whole list, in UTF-8, its lines ended by LF.
    public var text: String
    /// How many times have no exact spelling in the format, and were rounded to its unit.
    public var rounded: Int
    /// What the list says about its source and the format cannot, such as its name, for a report.
    public var leftOut: [String]
  }

  /// The word that names the format, such as `edl`.
  public let id: String
  /// The format's name for people.
  public let name: String
  /// The extensions of its files, without the dot; the first one is what a writer is chosen by.
  public let extensions: [String]
  /// Whether a list that is written in this format says what is kept, rather than what is removed.
  public let listsWhatIsKept: Bool
  /// Whether a list looks like this format.
  let recognises: @Sendable (ListContent) -> Bool
  let reads: @Sendable (ListContent, Context, inout LeftOut) throws(ListError) -> EditList
  /// `nil` for a format that is only read.
  let writes: (@Sendable (EditList) throws(ListError) -> Written)?

  /// A format of lines.
  init(
    id: String, name: String, extensions: [String] = [], listsWhatIsKept: Bool = true,
    recognises: @escaping @Sendable (ListText) -> Bool,
    reads: @escaping @Sendable (ListText, Context) throws(ListError) -> EditList,
    writes: (@Sendable (EditList) throws(ListError) -> Written)? = nil
  ) {
    self.init(
      id: id, name: name, extensions: extensions, listsWhatIsKept: listsWhatIsKept,
      recognises: recognises,
      readsPartly: { text, context, _ throws(ListError) in try reads(text, context) },
      writes: writes)
  }

  /// A format of lines, of which the reader may leave some out.
  init(
    id: String, name: String, extensions: [String] = [], listsWhatIsKept: Bool = true,
    recognises: @escaping @Sendable (ListText) -> Bool,
    readsPartly:
      @escaping @Sendable (ListText, Context, inout LeftOut) throws(ListError) ->
      EditList,
    writes: (@Sendable (EditList) throws(ListError) -> Written)? = nil
  ) {
    self.id = id
    self.name = name
    self.extensions = extensions
    self.listsWhatIsKept = listsWhatIsKept
    self.recognises = { content in
      if case .lines(let text) = content { recognises(text) } else { false }
    }
    self.reads = { content, context, leftOut throws(ListError) in
      guard case .lines(let text) = content else { throw content.refusal(of: name) }
      return try readsPartly(text, context, &leftOut)
    }
    self.writes = writes
  }

  /// A format of JSON, or of JSON5 where that is said.
  init(
    id: String, name: String, extensions: [String], isJSON5: Bool = false,
    recognisesJSON: @escaping @Sendable (JSONTree) -> Bool,
    reads: @escaping @Sendable (JSONNode, Context, inout LeftOut) throws(ListError) -> EditList,
    writes: (@Sendable (EditList) throws(ListError) -> Written)? = nil
  ) {
    self.id = id
    self.name = name
    self.extensions = extensions
    self.listsWhatIsKept = true
    self.recognises = { content in
      if case .json(let node) = content { recognisesJSON(node.tree) } else { false }
    }
    self.reads = { content, context, leftOut throws(ListError) in
      guard case .json(let node) = content else { throw content.refusal(of: name) }
      if !isJSON5, let extension5 = node.extension5 { throw extension5 }
      return try reads(node, context, &leftOut)
    }
    self.writes = writes
  }

  /// A format of XML with this root element.
  init(
    id: String, name: String, extensions: [String], root: String,
    reads:
      @escaping @Sendable (MarkupElement, Context, inout LeftOut) throws(ListError) ->
      EditList,
    writes: (@Sendable (EditList) throws(ListError) -> Written)? = nil
  ) {
    self.id = id
    self.name = name
    self.extensions = extensions
    self.listsWhatIsKept = true
    self.recognises = { content in
      if case .markup(let element) = content { element.name == root } else { false }
    }
    self.reads = { content, context, leftOut throws(ListError) in
      guard case .markup(let element) = content, element.name == root else {
        throw content.refusal(of: name)
      }
      return try reads(element, context, &leftOut)
    }
    self.writes = writes
  }

  /// All formats; no list is recognised by two of them.
  public static let all: [EditListFormat] = [
    .mpv, .edl, .comskip, .audacity, .losslessCutTSV, .losslessCutCSV, .cmx3600, .sceneDetect,
    .ffmetadata, .youTube, .cue, .simpleChapters, .subRip, .webVTT, .subStation,
    .losslessCutProject, .openTimelineIO, .sponsorBlock, .ytDlp, .transcript, .finalCut, .matroska,
    .trim,
  ]

  /// The format of this `id`.
  public static func named(_ id: String) -> EditListFormat? { all.first { $0.id == id } }

  /// The format that a file of this extension is written in; `nil` where none is, or several are.
  public static func written(asExtension name: String) -> EditListFormat? {
    let name = name.lowercased()
    let formats = all.filter { $0.isWritten && $0.extensions.contains(name) }
    return formats.count == 1 ? formats[0] : nil
  }

  /// False for a format that is only read.
  public var isWritten: Bool { writes != nil }

  /// The format of a list, by its content.
  ///
  /// - Throws: ``ListError`` for text that is none of them.
  public static func of(_ bytes: [UInt8]) throws(ListError) -> EditListFormat {
    try recognise(ListContent(bytes))
  }

  /// Reads a list, whose format is recognised by its content.
  ///
  /// - Throws: ``ListError``, with the line or path.
  public static func reading(
    _ bytes: [UInt8], context: Context = Context()
  ) throws(ListError) -> (format: EditListFormat, reading: Reading) {
    let content = try ListContent(bytes)
    let format = try recognise(content)
    return (format, try format.reading(content, context))
  }

  /// Reads a list of this format.
  ///
  /// - Throws: ``ListError``, with the line or path.
  public func reading(
    _ bytes: [UInt8], context: Context = Context()
  ) throws(ListError) -> Reading { try reading(ListContent(bytes), context) }

  /// Reads a list, whose format is recognised by its content.
  ///
  /// - Throws: ``ListError``, with the line or path.
  public static func read(
    _ bytes: [UInt8], context: Context = Context()
  ) throws(ListError) -> EditList { try reading(bytes, context: context).reading.list }

  /// Reads a list of this format.
  ///
  /// - Throws: ``ListError``, with the line or path.
  public func read(_ bytes: [UInt8], context: Context = Context()) throws(ListError) -> EditList {
    try reading(bytes, context: context).list
  }

  private func reading(
    _ content: ListContent, _ context: Context
  ) throws(ListError) -> Reading {
    var leftOut = LeftOut()
    let list = try reads(content, context, &leftOut)
    return Reading(list: list, leftOut: leftOut.all)
  }

  /// Writes a list, or refuses it by the entry that the format cannot hold.
  ///
  /// - Throws: ``ListError``, with the entry; also for a format that is only read.
  public func write(_ list: EditList) throws(ListError) -> Written {
    guard let writes else { throw ListError(.list, "\(name) can be read, but not written") }
    return try writes(list)
  }

  private static func recognise(_ content: ListContent) throws(ListError) -> EditListFormat {
    guard let format = all.first(where: { $0.recognises(content) }) else {
      let names = all.map(\.name).joined(separator: ", ")
      throw ListError(.list, "it is none of the lists that can be read: \(names)")
    }
    return format
  }
}

extension EditList {
  /// What ``EditListFormat/Written/leftOut`` calls ``Source/hint``.
  public static let sourceName = "the source's name"
  /// What ``EditListFormat/Written/leftOut`` calls ``rate``.
  public static let frameRate = "the frame rate"

  /// What only a format with sources can hold; it changes no part.
  var leftOut: [String] {
    var leftOut: [String] = []
    if sources.contains(where: { $0.hint != nil }) { leftOut.append(Self.sourceName) }
    if sources.contains(where: { $0.identity != nil }) { leftOut.append("the source's identity") }
    if rate != nil { leftOut.append(Self.frameRate) }
    return leftOut
  }

  /// Refuses what a format of one source's ranges cannot hold, by its entry.
  func refuse(
    _ format: String, keepsMarkers: Bool, keeps: Bool, names: Bool, severalSources: Bool = false,
    lines: Bool = false
  ) throws(ListError) {
    for (index, part) in parts.enumerated() {
      let entry = ListError.Place.entry("parts[\(index)]")
      if part.source != 0, !severalSources {
        throw ListError(entry, "\(format) holds parts of one source only")
      }
      if part.range.start < .zero { throw ListError(entry, "\(format) has no negative times") }
      if part.range.isEmpty { throw ListError(entry, "\(format) has no empty parts") }
      if part.tracks != nil { throw ListError(entry, "\(format) cannot select tracks") }
      if part.isKept != keeps {
        throw ListError(
          entry, "\(format) lists what is \(keeps ? "kept" : "removed"), and this part is not")
      }
      try refuse(part.name, at: entry, format, names, lines)
    }
    for (index, marker) in markers.enumerated() {
      let entry = ListError.Place.entry("markers[\(index)]")
      if !keepsMarkers { throw ListError(entry, "\(format) has no markers") }
      if marker.source != 0 { throw ListError(entry, "\(format) holds marks of one source only") }
      if marker.time < .zero { throw ListError(entry, "\(format) has no negative times") }
      try refuse(marker.name, at: entry, format, names, lines)
    }
  }

  private func refuse(
    _ name: String?, at entry: ListError.Place, _ format: String, _ names: Bool,
    _ lines: Bool
  ) throws(ListError) {
    guard let name else { return }
    if !names { throw ListError(entry, "\(format) has no names") }
    if name.isEmpty { throw ListError(entry, "\(format) has no empty names") }
    let held: [Unicode.Scalar] = lines ? ["\t", "\n"] : []
    if name.unicodeScalars.contains(where: {
      $0.properties.generalCategory == .control && !held.contains($0)
    }) {
      throw ListError(
        entry, "\(format) has no names with \(lines ? "control characters" : "tabs or line breaks")"
      )
    }
  }
}
