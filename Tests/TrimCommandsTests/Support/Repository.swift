import FoundationEssentials

/// The sources and samples that these tests were built from.
enum Repository {
  static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  static func sample(_ name: String) -> String {
    root.appending(path: "samples").appending(path: name).path()
  }

  /// All Swift files below `Sources`, with their text.
  static func sources() throws -> [(path: String, text: String)] {
    let folder = root.appending(path: "Sources").path()
    return try FileManager.default.subpathsOfDirectory(atPath: folder)
      .filter { $0.hasSuffix(".swift") }
      .map { path in
        let data = try Data(contentsOf: URL(filePath: folder).appending(path: path))
        return (path, String(decoding: data, as: UTF8.self))
      }
  }
}
