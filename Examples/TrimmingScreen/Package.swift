// swift-tools-version: 6.2
import PackageDescription

// A separate app that uses only `Trimming` and what it depends on, without FFmpeg. An app in another
// repository names the library by its URL.
let package = Package(
  name: "TrimmingScreen",
  platforms: [.macOS(.v26)],
  dependencies: [.package(name: "trim", path: "../..")],
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
