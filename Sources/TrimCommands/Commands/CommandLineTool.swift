import CSystem
import CommandLineKit
import Fetching
import Glibc
import Isolation

/// The executable's entry point.
public enum CommandLineTool {
  /// Runs the command that the process was started with, and ends the process.
  public static func main() -> Never { main(hooks: .none) }

  /// The same with additional operations for batch workers.
  package static func main(hooks: TestHooks) -> Never {
    // Must come first, while this process has only one thread.
    SealedProcesses.serveIfAsked(SealedOperations(CommandTable.root, hooks))
    FetchProcess.serveIfAsked(ProcessArguments.all)
    let isCancelled = { @Sendable in trim_interruption() != 0 }
    run(engine: .live(isCancelled: isCancelled), hooks: hooks) { isolation, note in
      .sealed(as: isolation, isCancelled: isCancelled, note: note)
    }
  }

  /// The same with a different engine.
  package static func run(
    engine: EnginePort, hooks: TestHooks = .none
  ) -> Never {
    run(engine: engine, hooks: hooks, seal: nil)
  }

  private static func run(
    engine: EnginePort, hooks: TestHooks,
    seal: (@Sendable (Isolation, _ note: @escaping @Sendable (String) -> Void) -> EnginePort)?
  ) -> Never {
    trim_tune_allocator()
    trim_catch_interruption()
    // A file that exceeds its size limit (ulimit -f) is a write error, not a fatal signal.
    signal(SIGXFSZ, SIG_IGN)
    let environment = Environment.process
    var tool = Tool(
      environment: environment, out: .descriptor(1), err: .descriptor(2),
      traits: { descriptor, color, isPlain in
        .ofDescriptor(descriptor, color: color, isPlain: isPlain, environment: environment)
      },
      engine: engine, interruption: { trim_interruption() })
    tool.hooks = hooks
    tool.seal = seal
    if seal != nil { tool.fetching = { FetchLibrary.found } }
    tool.live = .endingProcess(with: tool)
    let status = tool.run(processArguments)
    exit(status.code)
  }

  private static var processArguments: [ArgumentText] {
    ProcessArguments.all.map { ArgumentText(bytes: $0) }
  }
}

extension SealedOperations {
  /// What the commands add to the engine's operations.
  init(_ commands: CommandSpec, _ hooks: TestHooks) {
    self.init(
      [
        FactsReport.operation: FactsReport.performing,
        RemoteWork.Kind.draw.rawValue: RemoteDrawing.performing(commands),
        RemoteWork.Kind.find.rawValue: RemoteSearch.performing,
        RemoteWork.Kind.quiet.rawValue: RemoteEdges.performing,
        TaskRunner.operation: TaskRunner.performing(commands, hooks),
      ], hook: hooks.engine)
  }
}
