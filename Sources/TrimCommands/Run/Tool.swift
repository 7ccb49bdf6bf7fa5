import CommandLineKit
import Fetching
import Isolation
import Trimming

/// One run of the tool: its arguments, and all external dependencies.
struct Tool: Sendable {
  var environment: Environment
  var out: OutputStream
  var err: OutputStream
  /// What a stream can show, once the flags are known: descriptor 1 or 2.
  var traits: @Sendable (Int32, ColorChoice, Bool) -> StreamTraits
  var engine: EnginePort
  var directories = UserDirectories.live
  /// The signal that asked the run to stop, or 0.
  var interruption: @Sendable () -> Int32 = { 0 }
  /// Seals the engine, and reports what the seal lacks as a human-readable line; `nil` where the
  /// engine is not sealed.
  var seal: (@Sendable (Isolation, _ note: @escaping @Sendable (String) -> Void) -> EnginePort)?
  /// Starts a process that fetches, and says what it has; `nil` where none is tried.
  var fetching: @Sendable () -> Result<FetchLibrary, FetchFault>? = { nil }
  /// The command line without the program's name.
  var words: [ArgumentText] = []
  /// Additional operations for batch workers.
  var hooks = TestHooks.none
  /// How work on the main actor is run.
  var live: LivePort = .waiting

  static let name = "trim"

  func console(_ parsed: ParsedArguments) -> Console {
    let stated = parsed.last("color")?.text.flatMap(ColorChoice.init(rawValue:)) ?? .auto
    let color = parsed.has("no-color") ? .never : stated
    let isPlain = parsed.has("plain") || environment["TRIM_ACCESSIBLE"] != nil
    return Console(
      out: out, err: err, outTraits: traits(1, color, isPlain),
      errTraits: traits(2, color, isPlain), isPlain: isPlain, isQuiet: parsed.has("quiet"),
      verbosity: parsed.count("verbose"),
      errTraitsNow: { [traits] in traits(2, color, isPlain) })
  }

  /// The final status; output that did not reach its reader is not a success.
  func finish(_ status: ExitStatus) -> ExitStatus {
    let signal = interruption()
    if signal != 0 { return .signal(signal) }
    switch out.failure {
    case nil: return status
    case .closedPipe: return .closedPipe
    case .failed(let number):
      err.write("trim: the result could not be written: \(SystemError.text(number))\n")
      return .ioError
    }
  }
}
