import CommandLineKit
import MediaEngine
import Trimming

/// `trim tutorial`: the flag "has visited the trimming screen", and the tutorial's text.
struct TutorialCommand {
  private enum Action {
    case show, reset, status
  }

  private let action: Action
  private let printsJSON: Bool

  init(_ parsed: ParsedArguments) throws(UsageError) {
    printsJSON = parsed.has("json")
    switch (parsed.has("reset"), parsed.has("status")) {
    case (true, true):
      throw UsageError("'--reset' and '--status' cannot be used together.", command: "tutorial")
    case (true, false): action = .reset
    case (false, true): action = .status
    case (false, false): action = .show
    }
  }

  func run(in tool: Tool, console: Console) -> ExitStatus {
    let flag = FirstVisitFlag.markerFile(environment: tool.environment.stateVariables)
    do {
      if action == .reset { try flag.reset() }
      if printsJSON {
        tool.out.write(JSONWriter.write(record(isSeen: try flag.isClaimed()), .indented))
        return .success
      }
      switch action {
      case .show:
        tool.out.write(TutorialText.lines.map { $0 + "\n" }.joined())
      case .reset:
        tool.out.write("The tutorial will be shown at the next 'trim play'.\n")
      case .status:
        tool.out.write(try flag.isClaimed() ? "seen\n" : "not seen yet\n")
      }
      return .success
    } catch {
      console.error(
        console.shownOnErr("\(error)"), hint: "You must be able to write to the state folder.")
      return .ioError
    }
  }

  private func record(isSeen: Bool) -> JSONValue {
    .object(
      JSONValue.members([
        "schema": .integer(RecordHead.schema), "tool": .string(Version.tool),
        "kind": .string("tutorial"), "is_seen": .bool(isSeen),
        "lines": .array(TutorialText.lines.map(JSONValue.string)),
      ]))
  }
}
