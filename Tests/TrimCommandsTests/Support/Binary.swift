import FoundationEssentials

/// The tool as it was built beside these tests.
enum Binary {
  static let path: String? = {
    let bundle = URL(filePath: CommandLine.arguments.first ?? "")
    let path = bundle.deletingLastPathComponent().appending(path: "trim").path()
    return FileManager.default.isExecutableFile(atPath: path) ? path : nil
  }()
}
