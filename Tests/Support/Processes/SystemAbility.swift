/// Whether this system lets a test do what it needs.
package enum SystemAbility {
  /// True when a program is there, may be run, and succeeds.
  package static func succeeds(_ words: String...) -> Bool {
    (try? ProgramRun(blocking: words.map { Array($0.utf8) }))?.status == 0
  }
}
