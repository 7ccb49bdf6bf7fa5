package import Trimming

/// Lists of parts that other programs use: read onto a file, and written from its parts.
package struct StudioLists: Sendable {
  /// A format that can be written.
  package struct Format: Sendable, Hashable, Encodable {
    package var id: String
    package var name: String
    /// The extension of its files, without the dot.
    package var ending: String

    package init(id: String, name: String, ending: String) {
      self.id = id
      self.name = name
      self.ending = ending
    }
  }

  /// What became of a list that was read.
  package struct Imported: Sendable, Hashable {
    /// What takes the place of the present parts.
    package var list: PartList
    /// What was read, for people.
    package var sentence: String
    /// What was left out or does not fit, each with its place.
    package var notes: [String]

    package init(list: PartList, sentence: String, notes: [String]) {
      self.list = list
      self.sentence = sentence
      self.notes = notes
    }
  }

  /// A list that was written.
  package struct Exported: Sendable, Hashable, Encodable {
    /// The name of its file.
    package var name: String
    package var text: String
    /// What the format does not hold.
    package var notes: [String]

    package init(name: String, text: String, notes: [String]) {
      self.name = name
      self.text = text
      self.notes = notes
    }
  }

  /// The longest list, in bytes: more than the parts of a session need in any format.
  package static let longest = 16 << 20

  package var formats: [Format]

  /// Reads a list, in any format that is recognised by its content; throws `VideoFailure`.
  ///
  /// `adds` puts its parts after the present ones instead of in their place.
  package var read: Read
  package typealias Read =
    @Sendable (_ bytes: [UInt8], _ present: PartList, _ adds: Bool) async throws -> Imported

  /// Writes the parts in the format with an identifier; throws `VideoFailure`.
  package var write: Write
  package typealias Write =
    @Sendable (_ list: PartList, _ format: String) async throws -> Exported

  package init(
    formats: [Format] = [],
    read: @escaping Read = { _, _, _ in throw VideoFailure("Lists cannot be read here.") },
    write: @escaping Write = { _, _ in throw VideoFailure("Lists cannot be written here.") }
  ) {
    self.formats = formats
    self.read = read
    self.write = write
  }
}
