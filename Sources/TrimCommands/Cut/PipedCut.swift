import CommandLineKit
import Glibc
import Isolation
import MediaEngine
import Trimming

/// A cut that goes to standard output (`-o - --type mkv`): made and verified in a file without a name, and
/// only then copied.
struct PipedCut: Sendable {
  /// What a pipe can carry: containers that a reader understands from the first byte on.
  enum Kind: String, CaseIterable, Sendable {
    case mkv, ts, mp4, wav
  }

  var kind: Kind

  /// The name that a file of this kind would have.
  var fileName: [UInt8] { Array("-.\(kind.rawValue)".utf8) }

  /// An MP4 whose index is written first and at once would need to be known in advance; in fragments, it is
  /// played as it arrives.
  var isFragmented: Bool { kind == .mp4 }

  /// `nil` where the output has a name.
  init?(_ parsed: ParsedArguments, command: String) throws(UsageError) {
    let type = parsed.last("type")?.text.flatMap(Kind.init)
    guard parsed.last("output")?.isStandardStream == true else {
      guard type == nil else {
        throw UsageError(
          "'--type' needs '-o -': a file has the type that its extension names.", command: command)
      }
      return nil
    }
    guard let type else {
      let kinds = Kind.allCases.map(\.rawValue).joined(separator: ", ")
      throw UsageError(
        "'-o -' writes to standard output, which has no file extension: add --type with one of "
          + "\(kinds).", command: command)
    }
    guard !parsed.has("keep-failed") else {
      throw UsageError(
        "'--keep-failed' and '-o -' cannot be used together: name a file.", command: command)
    }
    kind = type
  }

  /// Whether a command line that cannot be parsed wants its result on standard output, and so no message
  /// there.
  static func isMeant(by words: [ArgumentText]) -> Bool {
    words.first == "cut"
      && (zip(words, words.dropFirst()).contains { ["-o", "--output"].contains($0) && $1 == "-" }
        || words.contains { ["-o-", "-o=-", "--output=-"].contains($0) })
  }

  /// Refuses to fill a terminal with bytes, or to append the cut to its own source.
  ///
  /// - Returns: the status of the refusal; `nil` where standard output can be written to.
  static func refusal(_ source: MediaInput, _ console: Console) -> ExitStatus? {
    if console.outTraits.isTerminal {
      console.error(
        "'-o -' does not write to a terminal",
        hint: "Name a file, or send it on: trim cut ... -o - --type mkv | mpv -")
      return .usage
    }
    let input =
      switch source {
      case .file(let path): FileIdentity(path: path)
      case .standardInput: FileIdentity(regularFile: STDIN_FILENO)
      }
    if let input, input == FileIdentity(regularFile: STDOUT_FILENO) {
      console.error("standard output is the input itself", hint: "Name another output.")
      return .cannotCreate
    }
    return nil
  }

  /// Makes the whole cut, then copies it.
  ///
  /// - Returns: `nil` where nobody reads it to the end; the stream knows why.
  /// - Throws: ``MediaError``; nothing has then been written to the stream.
  static func write(
    _ plan: CutPlan, of media: any Cuttable, to stream: OutputStream, _ line: CutProgressLine
  ) throws(MediaError) -> CutReport? {
    let output: PendingFile
    output = try PendingFile(neverNamed: { _ in nil })
    let report = try media.cut(plan, into: output) { step in
      line.report(step)
      return true
    }
    line.clear()
    var place: Int64 = 0
    while stream.failure == nil {
      let bytes: [UInt8]
      bytes = try output.bytes(at: place, upTo: 1 << 16)
      guard !bytes.isEmpty else { return report }
      stream.write(bytes)
      place += Int64(bytes.count)
    }
    return nil
  }
}

extension CutReporter {
  /// Reports a cut that went to standard output on stderr; with `-q`, only if JSON was requested.
  func showPipe(_ report: CutReport, of source: MediaInput, asJSON: Bool) {
    guard asJSON || !console.isQuiet else { return }
    var other = self
    (other.console.out, other.console.outTraits) = (console.err, console.errTraits)
    other.show(report.plan, report, of: source, asJSON: asJSON)
  }
}
