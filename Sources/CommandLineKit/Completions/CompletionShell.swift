/// The shells with completions, all generated from the same command table.
package enum CompletionShell: String, CaseIterable, Sendable {
  case bash, zsh, fish

  package static var names: [String] { allCases.map(\.rawValue) }

  package func script(for root: CommandSpec) -> String {
    switch self {
    case .bash: BashCompletions(root: root).script
    case .zsh: ZshCompletions(root: root).script
    case .fish: FishCompletions(root: root).script
    }
  }
}

extension CommandSpec {
  package var visibleOptions: [OptionSpec] { options.filter { !$0.isHidden } }
}

extension OptionSpec {
  /// All names with their dashes, the short one first.
  package var spellings: [String] { (short.map { ["-\($0)"] } ?? []) + longNames.map { "--\($0)" } }

  package var valueKind: ValueKind? {
    if case .value(_, let kind) = arity { kind } else { nil }
  }
}
