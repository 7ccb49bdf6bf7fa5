public import ExactTime

/// A text format of lists: what recognises, reads and writes it.
public struct EditListFormat: Sendable {
  /// What a reader is told about the source, where the format leaves it to the program.
  public struct Context: Sendable {
    /// The source's frames per second, for formats that count frames without naming a rate.
    public var rate: Rational?
    /// Where the source ends, for parts without an end.
    public var end: MediaTime?

    /// Creates a context; what is unknown is refused where a list needs it.
    public init(rate: Rational? = nil, end: MediaTime? = nil) {
      self.rate = rate
      self.end = end
    }
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
  /// Whether a list looks like this format.
  let recognises: @Sendable (ListText) -> Bool
  let reads: @Sendable (ListText, Context) throws(ListError) -> EditList
  /// `nil` for a format that is only read.
  var writes: (@Sendable (EditList) throws(ListError) -> Written)?

  /// All formats; no list is recognised by two of them.
  public static let all: [EditListFormat] = [
    .mpv, .edl, .comskip, .audacity, .losslessCutTSV, .losslessCutCSV, .cmx3600, .sceneDetect,
    .ffmetadata, .youTube, .cue, .subRip, .webVTT,
  ]

  /// False for a format that is only read.
  public var isWritten: Bool { writes != nil }

  /// The format of a list, by its content.
  ///
  /// - Throws: ``ListError`` for text that is none of them.
  public static func of(_ bytes: [UInt8]) throws(ListError) -> EditListFormat {
    try recognise(ListText(bytes))
  }

  /// Reads a list, whose format is recognised by its content.
  ///
  /// - Throws: ``ListError``, with the line.
  public static func read(
    _ bytes: [UInt8], context: Context = Context()
  ) throws(ListError) -> EditList {
    let text = try ListText(bytes)
    return try recognise(text).reads(text, context)
  }

  /// Reads a list of this format.
  ///
  /// - Throws: ``ListError``, with the line.
  public func read(_ bytes: [UInt8], context: Context = Context()) throws(ListError) -> EditList {
    try reads(ListText(bytes), context)
  }

  /// Writes a list, or refuses it by the entry that the format cannot hold.
  ///
  /// - Throws: ``ListError``, with the entry; also for a format that is only read.
  public func write(_ list: EditList) throws(ListError) -> Written {
    guard let writes else { throw ListError(.list, "\(name) can be read, but not written") }
    return try writes(list)
  }

  private static func recognise(_ text: ListText) throws(ListError) -> EditListFormat {
    guard let format = all.first(where: { $0.recognises(text) }) else {
      let names = all.map(\.name).joined(separator: ", ")
      throw ListError(.list, "it is none of the lists that can be read: \(names)")
    }
    return format
  }
}

extension EditList {
  static let sourceName = "the source's name"
  static let frameRate = "the frame rate"

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
