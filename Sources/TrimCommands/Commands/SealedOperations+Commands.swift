import CommandLineKit
import Isolation

extension SealedOperations {
  /// What the commands add to the engine's operations.
  init(_ commands: CommandSpec, _ hooks: WorkerHooks) {
    self.init(
      [
        FactsReport.operation: FactsReport.performing,
        RemoteWork.operation: RemoteDrawing.performing(commands),
        TaskRunner.operation: TaskRunner.performing(commands, hooks),
      ], hook: hooks.engine)
  }
}
