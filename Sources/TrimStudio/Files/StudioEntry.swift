/// A file that can be opened in the studio.
package struct StudioEntry: Sendable {
  /// The name, safe to show.
  package var name: String
  /// What two entries for one file have in common; `nil` if not known.
  package var identity: [UInt8]?
  /// Opens it.
  ///
  /// - Throws: `VideoFailure`.
  package var open: @Sendable () async throws -> StudioFile
  /// The beginning of a long file, which can be played while the whole file is still being read.
  package var look: @Sendable () async throws -> StudioResult
  /// The reading progress while it is being opened.
  package var reading: @Sendable () -> Reading
  /// A short text with its length and whether that is valid, for lists.
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

  package struct Reading: Sendable, Hashable, Encodable {
    /// Bytes.
    package var done: Int64
    package var total: Int64?

    package init(done: Int64 = 0, total: Int64? = nil) {
      self.done = done
      self.total = total
    }
  }

  package init(
    name: String, open: @escaping @Sendable () async throws -> StudioFile,
    look: @escaping @Sendable () async throws -> StudioResult,
    reading: @escaping @Sendable () -> Reading = { Reading() },
    glance: @escaping @Sendable () async -> Glance
  ) {
    self.name = name
    self.open = open
    self.look = look
    self.reading = reading
    self.glance = glance
  }
}
