import Foundation
package import Testing

/// How much of a long list of cases this run uses: a random part, or all of it where
/// `TRIM_ALL_CASES` is set, as in `tools/soak suites`.
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

  /// The time limit for a case of a sampled suite, longer when all cases compete for the machine.
  package static let limit: TimeLimitTrait.Duration = .minutes(takesAll ? 30 : 5)

  /// The given number of these cases, or all, in order.
  package static func of<Case>(_ cases: [Case], _ count: Int) -> [Case] {
    of(cases, count) { _ in 0 }
  }

  /// The given number of cases of each group, so that no group is left out.
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

  /// The number of random cases that this run generates.
  package static func count(_ few: Int, ofAll all: Int) -> Int { takesAll ? all : few }

  /// A generator for these cases, with the same numbers in every run of all cases.
  package static func generator(_ number: UInt64 = 0) -> SeededGenerator {
    SeededGenerator(seed: takesAll ? number : seed &+ number)
  }
}
