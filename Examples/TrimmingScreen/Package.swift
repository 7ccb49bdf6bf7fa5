// swift-tools-version: 6.2
import PackageDescription

// An app of its own: all it takes from the library is `Trimming` and what that is made of, and the
// empty list of traits keeps FFmpeg out. An app elsewhere names the library by its URL.
let package = Package(
  name: "TrimmingScreen",
  platforms: [.macOS(.v26)],
  dependencies: [.package(name: "trim", path: "../..", traits: [])],
  targets: [
    .executableTarget(
      name: "TerminalScreen",
      dependencies: [
        .product(name: "Trimming", package: "trim"),
        .product(name: "ExactTime", package: "trim"),
      ],
      swiftSettings: [.treatAllWarnings(as: .error)])
  ],
  swiftLanguageModes: [.v6]
)
