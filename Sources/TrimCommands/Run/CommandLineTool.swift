import CSystem

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The executable: one call.
public enum CommandLineTool {
  /// Runs the command that the process was started with, and ends the process.
  public static func main() -> Never {
    run(engine: .live(isCancelled: { trim_interruption() != 0 }))
  }

  /// The same with more for the workers of a batch to do.
  package static func main(hooks: WorkerHooks) -> Never {
    run(engine: .live(isCancelled: { trim_interruption() != 0 }), hooks: hooks)
  }

  /// The same with another engine behind it.
  package static func run(engine: EnginePort, hooks: WorkerHooks = .none) -> Never {
    // First of all, while this process has one thread.
    WorkerLoop.runIfAsked(processArguments, engine: engine, hooks: hooks)
    trim_tune_allocator()
    trim_catch_interruption()
    // A file that outgrows its limit (ulimit -f) is an error of writing, not a death.
    signal(SIGXFSZ, SIG_IGN)
    let environment = Environment.process
    var tool = Tool(
      environment: environment, out: .descriptor(1), err: .descriptor(2),
      traits: { descriptor, color, isPlain in
        .ofDescriptor(descriptor, color: color, isPlain: isPlain, environment: environment)
      },
      engine: engine, interruption: { trim_interruption() })
    tool.hooks = hooks
    tool.live = .endingProcess(with: tool)
    let status = tool.run(processArguments)
    exit(status.code)
  }

  /// The command line as the system handed it over: `CommandLine.arguments` repairs what is not
  /// UTF-8, and a repaired name opens nothing.
  private static var processArguments: [ArgumentText] {
    let arguments = CommandLine.unsafeArgv
    return (1..<max(1, Int(CommandLine.argc))).compactMap { index in
      arguments[index].map { word in
        let bytes = UnsafeRawBufferPointer(start: word, count: strlen(word))
        return ArgumentText(bytes: Array(bytes))
      }
    }
  }
}
