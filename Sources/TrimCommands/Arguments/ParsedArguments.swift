/// What the command line says, before its values are understood.
struct ParsedArguments: Sendable, Equatable {
  /// Values and counts by the option's long name.
  private(set) var values: [String: [ArgumentText]] = [:]
  private(set) var counts: [String: Int] = [:]
  var positionals: [ArgumentText] = []

  mutating func note(flag name: String) { counts[name, default: 0] += 1 }
  mutating func note(_ value: ArgumentText, for name: String) {
    values[name, default: []].append(value)
  }

  func has(_ flag: String) -> Bool { counts[flag] != nil }
  func count(_ flag: String) -> Int { counts[flag] ?? 0 }

  /// The last one given: a later option overrides an earlier, as in an alias.
  func last(_ option: String) -> ArgumentText? { values[option]?.last }

  func all(_ option: String) -> [ArgumentText] { values[option] ?? [] }
}
