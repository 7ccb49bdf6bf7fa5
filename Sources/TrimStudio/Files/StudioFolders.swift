/// Folders that pages may look into, below some that the user named.
///
/// Everything in them has a number, and pages send numbers only: no path comes from a page.
package struct StudioFolders: Sendable {
  /// What is in a folder.
  package struct Listing: Sendable, Hashable, Encodable {
    /// `nil` for the list of the outermost folders, if there are several.
    package var id: Int?
    /// The path, safe to show.
    package var name: String
    /// The folder around it; `nil` for an outermost one.
    package var parent: Int?
    package var folders: [Item]
    package var files: [Item]
    /// How many entries are not listed, as there are too many.
    package var leftOut: Int
    /// Why nothing can be written there; `nil` if it can.
    package var refusal: String?

    package init(
      id: Int?, name: String, parent: Int? = nil, folders: [Item] = [], files: [Item] = [],
      leftOut: Int = 0, refusal: String? = nil
    ) {
      self.id = id
      self.name = name
      self.parent = parent
      self.folders = folders
      self.files = files
      self.leftOut = leftOut
      self.refusal = refusal
    }
  }

  package struct Item: Sendable, Hashable, Encodable {
    package var id: Int
    /// Safe to show.
    package var name: String

    package init(id: Int, name: String) {
      self.id = id
      self.name = name
    }
  }

  /// What is in a folder; `nil` for the outermost.
  ///
  /// Throws `VideoFailure`, as the others do.
  package var list: @Sendable (_ folder: Int?) async throws -> Listing
  /// A listed file, to be opened.
  package var entry: @Sendable (_ file: Int) async throws -> StudioEntry
  /// Makes a folder in another one, and returns its number.
  package var make: @Sendable (_ folder: Int, _ name: String) async throws -> Int

  package init(
    list: @escaping @Sendable (Int?) async throws -> Listing,
    entry: @escaping @Sendable (Int) async throws -> StudioEntry,
    make: @escaping @Sendable (Int, String) async throws -> Int
  ) {
    self.list = list
    self.entry = entry
    self.make = make
  }
}
