import CommandLineKit
import Detection
import EditLists
import ExactTime
import MediaEngine
import MediaFacts
import Trimming

/// The parsed options of `trim cut`, not yet matched with a file.
@dynamicMemberLookup
struct CutOptions: Sendable {
  var file: ArgumentText
  /// The parts: one, unless several were given with `--keep`.
  var parts: [PartExpression]
  /// What is removed from the parts.
  var removals: [PartExpression]
  /// What is looked for in the file, to be removed or to separate parts.
  var search: CutSearch?
  /// What is chosen of a transcript.
  var cues: ChosenCues?
  /// What a list keeps or removes, once it is read; times count from the first presented sample.
  var edits = EditList()
  /// A list of parts or removals, and how it is read if not as its format says.
  var list: (file: ArgumentText, meaning: CutList.Meaning?, options: ListFile.Options)?
  /// Whether several parts go into one file.
  var joins: Bool
  var output: ArgumentText
  var container: OutputContainer
  /// What is written to standard output; `nil` where the output is a file.
  var pipe: PipedCut?
  /// Whether the output's name follows from the file's.
  var isUnnamed: Bool
  /// What it has in common with `trim join`.
  var terms: CutTerms
  /// Whether damage in the source that would be copied is refused instead of reported.
  var rejectsDamage: Bool
  /// Whether the time at which the source was recorded is kept as it is.
  var keepsCreationTime: Bool
  var isFragmented: Bool
  /// Whether the file may contain nothing from outside the range, hidden or not.
  var isStrict: Bool
  /// Whether subtitles, transcripts and chapters beside the source are written for the output too.
  var movesSidecars: Bool
  /// The maximum size in bytes; `nil` for no limit.
  var mostBytes: Int64?

  subscript<Value>(dynamicMember member: WritableKeyPath<CutTerms, Value>) -> Value {
    get { terms[keyPath: member] }
    set { terms[keyPath: member] = newValue }
  }

  static let command = "cut"

  init(_ parsed: ParsedArguments) throws(UsageError) {
    guard let file = parsed.positionals.first else {
      throw UsageError("Missing expected argument '<file>'.", command: Self.command)
    }
    let (path, fragment) = try PartExpression.split(file, command: Self.command)
    self.file = ArgumentText(bytes: path)
    let parts = try Self.parts(parsed)
    if fragment != nil, parts != [PartExpression()] { throw PlayInput.givenTwice(Self.command) }
    self.parts = fragment.map { [$0] } ?? parts
    removals = []
    var removed: [Finding.Kind] = []
    for word in parsed.all("remove") {
      if let kind = try CutSearch.kind(word, command: Self.command) {
        removed.append(kind)
      } else {
        removals.append(
          try PartExpression(keeping: word, option: "--remove", command: Self.command))
      }
    }
    search = try CutSearch(parsed, removing: removed, command: Self.command)
    if search != nil, self.file.isStandardStream {
      throw UsageError(
        "Standard input is read only once, so nothing can be looked for in it: name a file.",
        command: Self.command)
    }
    list = try Self.list(parsed)
    cues = try ChosenCues(parsed, command: Self.command)
    if let cues {
      list?.meaning = cues.meaning
      if cues.readsWords { list?.options.readsWords = true }
    }
    joins =
      search?.makesFiles != true
      && (parsed.has("join") || search?.makesChapters == true
        || (list != nil || !parsed.all("remove").isEmpty) && !parsed.has("separate"))
    let output: ArgumentText
    if let named = parsed.last("output") {
      output = named
    } else {
      output = try Self.output(beside: file)
    }
    self.output = output
    isUnnamed = parsed.last("output") == nil
    pipe = try PipedCut(parsed, command: Self.command)
    if pipe != nil, !joins, parts.count > 1 || parsed.has("separate") || search?.makesFiles == true
    {
      throw UsageError(
        "Several parts are several files, and '-o -' writes one: add --join.", command: Self.command
      )
    }
    container = try OutputContainer(
      output: pipe?.fileName ?? output.bytes, command: Self.command)
    if search?.makesChapters == true, !container.rules.holdsChapters {
      throw UsageError(
        "A \(container.rules.ending) file cannot hold chapters: name an output such as .mkv or .mp4.",
        command: Self.command)
    }
    terms = try CutTerms(parsed, command: Self.command)
    rejectsDamage = parsed.has("reject-damage")
    if rejectsDamage, [.none, .written].contains(terms.verification) {
      throw UsageError(
        "'--reject-damage' needs a verification that looks for damage: '--verify edges' or 'full'.",
        command: Self.command)
    }
    keepsCreationTime = parsed.has("keep-creation-time")
    isFragmented = parsed.has("fragmented") || pipe?.isFragmented == true
    isStrict = parsed.has("strict-range")
    if isStrict, terms.settings.mode == .editList {
      throw UsageError(
        "'--strict-range' and '--mode edit-list' cannot be used together: an edit list only hides what "
          + "is outside the range; it stays in the file.", command: Self.command)
    }
    movesSidecars = parsed.has("sidecars")
    if movesSidecars, pipe != nil || self.file.isStandardStream {
      throw UsageError(
        "'--sidecars' needs a file and an output with names: sidecars have theirs.",
        command: Self.command)
    }
    if movesSidecars, RemoteFiles.isAddress(self.file.bytes) {
      throw UsageError(
        "'--sidecars' looks beside a file on this machine, not beside an address.",
        command: Self.command)
    }
    mostBytes = try parsed.last("max-bytes").map { (value) throws(UsageError) in
      try ByteCountArgument.parse(value, option: "max-bytes", command: Self.command)
    }
  }

  /// The default output: `clip-trimmed.mp4` next to `clip.mp4`, like `edit`.
  private static func output(beside file: ArgumentText) throws(UsageError) -> ArgumentText {
    guard !file.isStandardStream else {
      throw UsageError("Missing expected option '-o <output>'.", command: command)
    }
    return ArgumentText(bytes: TrimmedName.of(file.bytes))
  }

  /// Unless an output was named, names it after the file, with a container that holds the file's tracks.
  mutating func nameOutput(holding facts: MediaFacts) {
    guard isUnnamed else { return }
    let name = TrimmedName.of(file.bytes, holding: facts)
    guard let container = OutputContainer(fileName: name) else { return }
    output = ArgumentText(bytes: name)
    self.container = container
  }

  private static func parts(_ parsed: ParsedArguments) throws(UsageError) -> [PartExpression] {
    let kept = parsed.all("keep")
    guard !kept.isEmpty else {
      if parsed.has("join"), parsed.all("remove").isEmpty, parsed.last("cuts") == nil,
        parsed.last("split") == nil
      {
        throw UsageError("'--join' needs several '--keep A..B'.", command: command)
      }
      return [try PartExpression(parsed, command: command)]
    }
    for option in ["from", "to", "for"] where parsed.last(option) != nil {
      throw UsageError(
        "'--keep' and '--\(option)' cannot be used together.", command: command)
    }
    var parts: [PartExpression] = []
    for word in kept {
      parts.append(try PartExpression(keeping: word, option: "--keep", command: command))
    }
    return parts
  }

  private static func list(
    _ parsed: ParsedArguments
  ) throws(UsageError) -> (
    file: ArgumentText, meaning: CutList.Meaning?, options: ListFile.Options
  )? {
    let withoutList = parsed.last("cuts") == nil ? ["cuts"] : []
    let options: [(String, [String])] = [
      ("cuts-are", withoutList), ("ignore-mute", withoutList), ("words", withoutList),
      ("separate", parsed.last("cuts") == nil && parsed.all("remove").isEmpty ? ["remove"] : []),
    ]
    for (option, missing) in options where parsed.has(option) || parsed.last(option) != nil {
      guard let needed = missing.first else { continue }
      throw UsageError("'--\(option)' needs '--\(needed)'.", command: command)
    }
    if parsed.has("separate"), parsed.has("join") {
      throw UsageError("'--separate' and '--join' cannot be used together.", command: command)
    }
    guard let file = parsed.last("cuts") else { return nil }
    if file.isStandardStream, parsed.positionals.first?.isStandardStream == true {
      throw UsageError("Only one of the file and '--cuts' can be '-'.", command: command)
    }
    let meaning = parsed.last("cuts-are")?.text.flatMap(CutList.Meaning.init(rawValue:))
    return (file, meaning, ListFile.Options(parsed))
  }

  /// Adds what the list says.
  mutating func take(_ list: CutList) throws(UsageError) {
    var list = list
    if let cues {
      list.list.parts = list.list.parts.filter { cues.contains($0.name) }
      if list.list.parts.isEmpty { throw UsageError(cues.nothing, command: Self.command) }
    }
    guard list.meaning == .remove || parts == [PartExpression()] else {
      throw UsageError(
        "The list says what is kept, so '--keep', '--from', '--to' and '--for' cannot be used "
          + "with it.", command: Self.command)
    }
    edits = list.list
  }

  /// The files to write, and which of as many parts go into each.
  ///
  /// Several files are numbered: `clip-1.mp4`, or `clip-01.mp4` where there are ten or more.
  func targets(ofParts count: Int) -> [(path: [UInt8], parts: Range<Int>)] {
    guard count > 1, !joins else { return [(output.bytes, 0..<count)] }
    let width = "\(count)".utf8.count
    let dot = output.bytes.lastIndex(of: UInt8(ascii: ".")) ?? output.bytes.endIndex
    return (0..<count).map { index in
      let number = "\(index + 1)"
      let digits = String(repeating: "0", count: width - number.utf8.count) + number
      return (
        output.bytes[..<dot] + Array("-\(digits)".utf8) + output.bytes[dot...], index..<index + 1
      )
    }
  }

  /// Whether frames of video are written, as far as options and headers say.
  func keepsFrames(of facts: MediaFacts) -> Bool {
    facts.tracks.contains { track in
      track.kind == .video && track.isPresented
        && terms.settings.tracks?.contains(kind: .video, id: track.id) ?? true
        && container.rules.codecs?.contains(track.codec) ?? true
    } && !isSoundAlone
  }

  private var isSoundAlone: Bool {
    OutputContainer.isSoundAlone(fileName: pipe?.fileName ?? output.bytes)
  }

  /// The order for the engine, for parts matched with a file.
  func order(
    _ parts: [MediaTimeRange], chapters: [CutRequest.Chapter]? = nil, to path: [UInt8]
  ) -> CutOrder {
    var request = CutRequest(range: parts[0], verification: terms.verification)
    request.chapters = chapters
    terms.settings.apply(to: &request)
    request.isFragmented = isFragmented
    request.isStrict = isStrict
    request.mostBytes = mostBytes
    request.audio = terms.audio
    request.rejectsDamage = rejectsDamage
    request.keepsCreationTime = keepsCreationTime
    for part in parts.dropFirst() { request.join(part) }
    var order = CutOrder(request, to: path, limit: terms.limit, replaces: terms.replaces)
    order.container = container
    order.request.isSoundAlone = isSoundAlone
    order.keepsFailed = terms.keepsFailed
    order.isExecuted = !terms.isDryRun
    return order
  }

  /// An engine error, reworded in terms of the option that caused it.
  func worded(_ error: MediaError) -> MediaError {
    guard let limit = terms.limit, let length = error.refusedLength else { return error }
    return limit.refusal(of: length)
  }
}

extension LengthLimit {
  /// `nil` if no limit was requested.
  init?(stated parsed: ParsedArguments, command: String) throws(UsageError) {
    guard parsed.last("max-length") != nil || parsed.last("min-length") != nil else { return nil }
    self = try LengthLimit(parsed, command: command)
  }

  /// The error for a written length outside the limit.
  func refusal(of length: MediaDuration) -> MediaError {
    MediaError(
      .tooLong,
      "the written length is \(DecimalText.shortest(length.seconds)) s: " + sentence(on: length))
  }
}
