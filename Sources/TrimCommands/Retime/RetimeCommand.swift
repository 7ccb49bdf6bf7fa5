import CommandLineKit
import EditLists
import MediaEngine

/// `trim retime TEXT --by PLAN -o OUTPUT`.
struct RetimeCommand: Sendable {
  private let text: ArgumentText
  private let plan: ArgumentText
  private let source: Int?
  private let output: ArgumentText
  private let replaces: Bool
  private let printsJSON: Bool

  static let command = "retime"
  private static let longest = 64 << 20

  init(_ parsed: ParsedArguments) throws(UsageError) {
    guard let text = parsed.positionals.first else {
      throw UsageError("Missing expected argument '<text>'.", command: Self.command)
    }
    guard let plan = parsed.last("by") else {
      throw UsageError("Missing expected option '--by <plan>'.", command: Self.command)
    }
    guard let output = parsed.last("output"), !output.bytes.isEmpty else {
      throw UsageError("Missing expected option '--output <output>'.", command: Self.command)
    }
    if text.isStandardStream, plan.isStandardStream {
      throw UsageError("Only one of the text and '--by' can be '-'.", command: Self.command)
    }
    if output.isStandardStream, parsed.has("json") {
      throw UsageError(
        "'--json' and '-o -' both write to standard output: name a file.", command: Self.command)
    }
    (self.text, self.plan, self.output) = (text, plan, output)
    source = try parsed.last("source").map { (word) throws(UsageError) in
      guard let number = word.text.flatMap({ Int($0) }), number > 0 else {
        throw UsageError(
          "'--source' is the number of a file, from 1, and not '\(word.shown)'.",
          command: Self.command)
      }
      return number - 1
    }
    replaces = parsed.has("force")
    printsJSON = parsed.has("json")
  }

  func run(console: Console) -> ExitStatus {
    var concerned = plan
    do throws(PlayedMedia.Failure) {
      let map = try PlannedTimes(
        reading: bytes(of: plan, kind: "a plan"), source: source
      ).map
      concerned = text
      return try write(map, console)
    } catch {
      let input: MediaInput =
        concerned.isStandardStream ? .standardInput : .file(path: concerned.bytes)
      if printsJSON {
        console.out.write(JSONWriter.write(FailureRecord.value(error, input: input), .indented))
      }
      console.error(
        "\(console.shownOnErr(input.nameBytes)): \(console.shownOnErr(error.message))",
        hint: error.hint)
      return error.status
    }
  }

  private func write(
    _ map: TimeMap, _ console: Console
  ) throws(PlayedMedia.Failure) -> ExitStatus {
    let source = try bytes(of: text, kind: "a text")
    let ending = text.bytes.lastIndex(of: UInt8(ascii: ".")).map { text.bytes[($0 + 1)...] } ?? []
    let (retimer, done): (Retimer, Retimer.Retimed)
    do throws(ListError) {
      retimer = try Retimer.of(source, extension: String(decoding: ending, as: UTF8.self))
      done = try retimer(source, by: map)
    } catch {
      throw PlayedMedia.Failure(message: "\(error)", status: .badData, code: "unreadableList")
    }
    guard !done.bytes.isEmpty else {
      throw PlayedMedia.Failure(
        message: "nothing in it is in what is written", status: .badData, code: "emptyRange")
    }
    guard !output.isStandardStream else {
      console.out.write(done.bytes)
      return .success
    }
    try ResultFile(
      output.bytes, replaces: replaces, madeFrom: text.bytes, sparing: [plan.bytes]
    ).publish(done.bytes)
    let written = Sidecars.Written(
      path: text.bytes, output: output.bytes, format: retimer.format.id,
      formatName: retimer.format.name, text: done, file: nil)
    if printsJSON {
      let head = RecordHead.members(
        kind: Self.command, input: text.isStandardStream ? .standardInput : .file(path: text.bytes),
        bytes: nil)
      let members = JSONValue.members([
        "output": OutputRecord.value(output.bytes, bytes: done.bytes.count)
      ])
      console.out.write(
        JSONWriter.write(
          .object(head + members + Sidecars.Written.columns(retimer.format.id, done)), .indented))
    } else {
      let name = ForeignText.shown(output.bytes, asciiOnly: !console.outTraits.isUTF8)
      console.out.write("\(name): \(written.sentence)\n")
    }
    for lost in done.leftOut where !console.isQuiet {
      console.error(console.shownOnErr("left out: \(lost)"))
    }
    return .success
  }

  private func bytes(
    of path: ArgumentText, kind: String
  ) throws(PlayedMedia.Failure) -> [UInt8] {
    do throws(PlanFile.Failure) {
      return try PlanFile.bytes(of: path, upTo: Self.longest, kind: kind)
    } catch {
      throw PlayedMedia.Failure(message: error.message, status: error.status, code: "noInput")
    }
  }
}
