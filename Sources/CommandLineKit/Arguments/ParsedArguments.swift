/// The parsed command line, before its values are interpreted.
package struct ParsedArguments: Sendable, Equatable {
  /// Values and counts by the option's long name.
  private(set) var values: [String: [ArgumentText]] = [:]
  private(set) var counts: [String: Int] = [:]
  package var positionals: [ArgumentText] = []

  package init(
    values: [String: [ArgumentText]] = [:],
    counts: [String: Int] = [:],
    positionals: [ArgumentText] = []
  ) {
    self.values = values
    self.counts = counts
    self.positionals = positionals
  }

  package mutating func note(flag name: String) { counts[name, default: 0] += 1 }
  package mutating func note(_ value: ArgumentText, for name: String) {
    values[name, default: []].append(value)
  }

  package func has(_ flag: String) -> Bool { counts[flag] != nil }
  package func count(_ flag: String) -> Int { counts[flag] ?? 0 }

  /// The last value given: a later option overrides an earlier one, for example from an alias.
  package func last(_ option: String) -> ArgumentText? { values[option]?.last }

  package func all(_ option: String) -> [ArgumentText] { values[option] ?? [] }
}
