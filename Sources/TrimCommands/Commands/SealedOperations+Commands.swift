import CommandLineKit
import Isolation

extension SealedOperations {
  /// What the commands add to the engine's operations.
  init(_ commands: CommandSpec, _ hooks: WorkerHooks) {
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
