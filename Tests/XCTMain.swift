import Testing

/// The entry point of all suites; its name tells the package manager not to search an index of all sources for
/// XCTest's cases, of which there are none, and whose index takes a twelfth of the time of the build.
@main struct Suites {
  static func main() async { await Testing.__swiftPMEntryPoint() as Never }
}
