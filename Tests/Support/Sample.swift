import Foundation
package import Testing

/// How much of a long list of cases this run takes: a part that chance chooses, or all of it where
/// `TRIM_ALL_CASES` is set, as `tools/soak suites` does.
///
/// The seed is printed once. `TRIM_SEED` repeats a run's choice.
package enum Sample {
  package static let takesAll = ProcessInfo.processInfo.environment["TRIM_ALL_CASES"] != nil

  package static let seed: UInt64 = {
    let given = ProcessInfo.processInfo.environment["TRIM_SEED"].flatMap(UInt64.init)
    let seed = given ?? UInt64.random(in: 0...0xFFFF_FFFF)
    if !takesAll { print("Long lists of cases are sampled with TRIM_SEED=\(seed)") }
    return seed
  }()

  /// How long a case of a sampled suite may take: all cases want the machine for longer.
  package static let limit: TimeLimitTrait.Duration = .minutes(takesAll ? 30 : 5)

  /// As many of these cases as this run takes, in their order.
  package static func of<Case>(_ cases: [Case], _ count: Int) -> [Case] {
    of(cases, count) { _ in 0 }
  }

  /// As many of these cases of each group, so that no group is left out.
  package static func of<Case, Group: Hashable>(
    _ cases: [Case], _ count: Int, ofEach group: (Case) -> Group
  ) -> [Case] {
    guard !takesAll else { return cases }
    var generator = SeededGenerator(seed: seed)
    var taken: [Group: Int] = [:]
    return cases.indices.shuffled(using: &generator).filter { place in
      taken[group(cases[place]), default: 0] += 1
      return taken[group(cases[place])] ?? 0 <= count
    }.sorted().map { cases[$0] }
  }

  /// How many random cases this run makes.
  package static func count(_ few: Int, ofAll all: Int) -> Int { takesAll ? all : few }

  /// A generator for these cases: of the same numbers in every run that takes all.
  package static func generator(_ number: UInt64 = 0) -> SeededGenerator {
    SeededGenerator(seed: takesAll ? number : seed &+ number)
  }
}
