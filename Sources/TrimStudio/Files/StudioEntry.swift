/// A file that can be opened in the studio.
package struct StudioEntry: Sendable {
  /// The name, safe to show.
  package var name: String
  /// Opens it.
  ///
  /// - Throws: `VideoFailure`.
  package var open: @Sendable () async throws -> StudioFile
  /// How long it is and whether that is allowed, in a few words; for lists.
  package var glance: @Sendable () async -> Glance

  package struct Glance: Sendable, Encodable {
    package var length: String
    package var verdict: String
    package var isValid: Bool

    package init(length: String, verdict: String, isValid: Bool) {
      self.length = length
      self.verdict = verdict
      self.isValid = isValid
    }
  }

  package init(
    name: String, open: @escaping @Sendable () async throws -> StudioFile,
    glance: @escaping @Sendable () async -> Glance
  ) {
    self.name = name
    self.open = open
    self.glance = glance
  }
}
