import FoundationEssentials

/// The tool that was built along with these tests.
enum Binary {
  static let path: String? = {
    let bundle = URL(filePath: CommandLine.arguments.first ?? "")
    let path = bundle.deletingLastPathComponent().appending(path: "trim").path()
    return FileManager.default.isExecutableFile(atPath: path) ? path : nil
  }()
}
