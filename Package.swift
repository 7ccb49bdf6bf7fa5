// swift-tools-version: 6.2
import PackageDescription

// The pure modules (ExactTime, MediaFacts, ISOMedia, Bitstreams, EditLists, Detection, Trimming, SafeText,
// JSON) build wherever Swift does, without FFmpeg: `swift build --target Trimming`. Everything that touches a
// file or a terminal is made for Linux and needs FFmpeg's headers.
let strict: [SwiftSetting] = [
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

let package = Package(
  name: "trim",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .executable(name: "trim", targets: ["trim"]),
    .library(name: "ExactTime", targets: ["ExactTime"]),
    .library(name: "MediaFacts", targets: ["MediaFacts"]),
    .library(name: "Trimming", targets: ["Trimming"]),
    .library(name: "MediaEngine", targets: ["MediaEngine"]),
    .library(name: "IsolatedEngine", targets: ["IsolatedEngine"]),
  ],
  targets: [
    .target(name: "ExactTime", swiftSettings: strict),
    .target(name: "MediaFacts", dependencies: ["ExactTime"], swiftSettings: strict),
    .target(name: "ISOMedia", dependencies: ["ExactTime"], swiftSettings: strict),
    .target(name: "EditLists", dependencies: ["ExactTime"], swiftSettings: strict),
    .target(name: "Detection", dependencies: ["ExactTime"], swiftSettings: strict),
    .target(name: "Trimming", dependencies: ["MediaFacts", "ExactTime"], swiftSettings: strict),
    .target(name: "SafeText", swiftSettings: strict),
    .target(name: "JSON", dependencies: ["SafeText"], swiftSettings: strict),
    // No pkg-config: FFmpeg's functions are bound on their first use (LateFFmpeg), so that a probe of
    // an MP4 starts without a hundred libraries. Nothing must be linked.
    .systemLibrary(
      name: "CFFmpeg",
      providers: [
        .apt([
          "libavformat-dev", "libavcodec-dev", "libavutil-dev", "libswresample-dev",
          "libswscale-dev",
        ])
      ]),
    .target(name: "CSystem"),
    .target(name: "LateFFmpeg"),
    .target(name: "LateMicroHTTPD"),
    .target(name: "LateCurl"),
    .target(name: "StudioPage"),
    .target(
      name: "Libav",
      dependencies: ["MediaFacts", "CSystem", "ExactTime", "CFFmpeg", "LateFFmpeg"],
      swiftSettings: strict + [.strictMemorySafety()]),
    .target(name: "Bitstreams", dependencies: ["MediaFacts", "ExactTime"], swiftSettings: strict),
    .target(
      name: "MediaFiles",
      dependencies: [
        "Bitstreams", "Libav", "CSystem", "ISOMedia", "Threads", "Trimming", "MediaFacts",
        "ExactTime",
      ],
      swiftSettings: strict),
    .target(
      name: "Probing",
      dependencies: ["MediaFiles", "Bitstreams", "Libav", "ISOMedia", "MediaFacts", "ExactTime"],
      swiftSettings: strict),
    .target(
      name: "Rendering",
      dependencies: [
        "Probing", "MediaFiles", "Bitstreams", "Detection", "Libav", "ISOMedia", "Trimming",
        "MediaFacts", "ExactTime",
      ],
      swiftSettings: strict),
    .target(
      name: "Cutting",
      dependencies: [
        "Rendering", "Probing", "MediaFiles", "Bitstreams", "Libav", "CSystem", "ISOMedia",
        "SafeText", "Trimming", "MediaFacts", "ExactTime",
      ],
      swiftSettings: strict),
    .target(
      name: "MediaEngine",
      dependencies: [
        "Cutting", "Rendering", "Probing", "MediaFiles", "CSystem", "MediaFacts", "ExactTime",
        "Trimming",
      ],
      swiftSettings: strict),
    .target(name: "Threads", dependencies: ["CSystem"], swiftSettings: strict),
    .target(
      name: "Fetching", dependencies: ["LateCurl", "JSON", "SafeText", "Threads", "CSystem"],
      swiftSettings: strict),
    .target(
      name: "TerminalUI", dependencies: ["SafeText", "Threads", "CSystem"], swiftSettings: strict),
    .target(
      name: "CommandLineKit", dependencies: ["JSON", "SafeText", "CSystem", "ExactTime"],
      swiftSettings: strict),
    .target(
      name: "TrimStudio",
      dependencies: [
        "EditLists", "LateMicroHTTPD", "StudioPage", "JSON", "SafeText", "Trimming", "ExactTime",
      ],
      exclude: ["Resources"],
      swiftSettings: strict),
    .target(
      name: "Isolation",
      dependencies: [
        "MediaEngine", "JSON", "SafeText", "Threads", "Trimming", "MediaFacts", "ExactTime",
        "CSystem",
      ],
      swiftSettings: strict),
    .target(
      name: "TrimCommands",
      dependencies: [
        "CommandLineKit", "Detection", "EditLists", "Fetching", "Isolation", "JSON",
        "MediaEngine",
        "TerminalUI", "TrimStudio",
        "Threads", "Trimming", "MediaFacts", "ExactTime", "CSystem",
      ],
      swiftSettings: strict),
    .executableTarget(name: "trim", dependencies: ["TrimCommands"], swiftSettings: strict),
    .target(
      name: "IsolatedEngine",
      dependencies: ["Isolation", "MediaEngine", "Trimming", "MediaFacts", "ExactTime"],
      swiftSettings: strict),

    .target(
      name: "Support",
      dependencies: ["MediaFacts", "ExactTime", "CSystem", "TerminalUI", "Threads"],
      path: "Tests/Support",
      swiftSettings: strict),
    .testTarget(name: "ExactTimeTests", dependencies: ["ExactTime", "Support"]),
    .testTarget(name: "MediaFactsTests", dependencies: ["MediaFacts", "ExactTime", "Support"]),
    .testTarget(name: "ISOMediaTests", dependencies: ["ISOMedia", "ExactTime", "Support"]),
    .testTarget(name: "EditListsTests", dependencies: ["EditLists", "ExactTime", "Support"]),
    .testTarget(
      name: "JSONTests",
      dependencies: ["JSON", "SafeText", "CommandLineKit", "ExactTime", "Support"]),
    .testTarget(
      name: "IsolationTests",
      dependencies: [
        "Isolation", "JSON", "MediaEngine", "Trimming", "MediaFacts", "ExactTime", "Support",
        "CSystem",
      ]),
    .testTarget(name: "FetchingTests", dependencies: ["Fetching", "Threads", "Support"]),
    .testTarget(name: "DetectionTests", dependencies: ["Detection", "ExactTime", "Support"]),
    .testTarget(
      name: "TrimmingTests", dependencies: ["Trimming", "MediaFacts", "ExactTime", "Support"]),
    .testTarget(name: "LibavTests", dependencies: ["Libav", "CSystem", "ExactTime", "Support"]),
    .testTarget(
      name: "BitstreamsTests",
      dependencies: ["Bitstreams", "MediaFacts", "ExactTime", "Support"]),
    .testTarget(
      name: "MediaFilesTests", dependencies: ["MediaFiles", "Libav", "Trimming", "Support"]),
    .testTarget(
      name: "ProbingTests",
      dependencies: [
        "Probing", "MediaFiles", "Bitstreams", "Libav", "ISOMedia", "Trimming", "MediaFacts",
        "ExactTime", "Support",
      ]),
    .testTarget(
      name: "RenderingTests",
      dependencies: [
        "Rendering", "Probing", "MediaFiles", "Bitstreams", "Libav", "Trimming", "MediaFacts",
        "ExactTime", "Support",
      ]),
    .testTarget(
      name: "CuttingTests",
      dependencies: [
        "MediaEngine", "Cutting", "Rendering", "Probing", "MediaFiles", "Bitstreams", "Detection",
        "Libav", "ISOMedia", "Trimming", "MediaFacts", "ExactTime", "Support",
      ]),
    .testTarget(
      name: "MediaEngineTests",
      dependencies: [
        "MediaEngine", "Cutting", "Rendering", "Probing", "MediaFiles", "ISOMedia", "Threads",
        "Trimming", "MediaFacts", "ExactTime", "Support",
      ]),
    .executableTarget(
      name: "PlayHarness",
      dependencies: ["TrimCommands", "Isolation", "MediaEngine", "MediaFacts", "ExactTime"],
      path: "Tests/PlayHarness", swiftSettings: strict),
    .target(name: "Attacks", path: "Tests/Attacks"),
    .executableTarget(
      name: "BatchHarness",
      dependencies: ["TrimCommands", "Fetching", "Isolation", "JSON", "Attacks"],
      path: "Tests/BatchHarness",
      swiftSettings: strict),
    .executableTarget(
      name: "TerminalHarness", dependencies: ["TerminalUI", "CSystem"],
      path: "Tests/TerminalHarness", swiftSettings: strict),
    .testTarget(
      name: "TerminalUITests",
      dependencies: ["TerminalUI", "Threads", "Support", "TerminalHarness"]),
    .executableTarget(
      name: "IsolationHarness",
      dependencies: ["IsolatedEngine", "MediaEngine", "Trimming", "MediaFacts", "ExactTime"],
      path: "Tests/IsolationHarness", swiftSettings: strict),
    .testTarget(
      name: "TrimStudioTests",
      dependencies: ["TrimStudio", "Trimming", "JSON", "ExactTime", "Support"]),
    .executableTarget(name: "ProcessMeter", path: "Tests/ProcessMeter"),
    .testTarget(
      name: "TrimCommandsTests",
      dependencies: [
        "TrimCommands", "CommandLineKit", "Isolation", "JSON", "MediaEngine", "TerminalUI",
        "Threads", "Trimming",
        "MediaFacts", "ExactTime", "Support", "ProcessMeter", "PlayHarness",
        "BatchHarness", "IsolationHarness",
      ],
      exclude: ["Golden"]),
  ],
  swiftLanguageModes: [.v6]
)

// Only for the sanitizers' steps of tools/test. That of addresses looks at what FFmpeg's bytes reach,
// which the tool, its screens and the tests of the pure modules are not; that of threads also at the
// presenter.
if let sanitizer = Context.environment["TRIM_SANITIZED"] {
  var unsanitized = [
    "trim", "TrimCommands", "TrimCommandsTests", "CommandLineKit", "TrimStudio", "TrimStudioTests",
    "StudioPage", "LateMicroHTTPD", "LateCurl", "Fetching", "FetchingTests", "PlayHarness",
    "BatchHarness", "Isolation",
    "IsolatedEngine", "IsolationHarness",
    "Attacks", "TerminalHarness", "TerminalUITests", "ExactTimeTests", "MediaFactsTests",
    "ISOMediaTests", "EditListsTests", "DetectionTests", "TrimmingTests", "JSONTests",
    "IsolationTests",
  ]
  if sanitizer == "thread" { unsanitized.removeAll { $0 == "TrimmingTests" } }
  package.targets.removeAll { unsanitized.contains($0.name) }
  package.products.removeAll { ["trim", "IsolatedEngine"].contains($0.name) }
}

// Only for tools/test in CI: what runs in the loops of most suites costs more to run unoptimized than to
// optimize.
if Context.environment["TRIM_DEBUG_INFO"] == "no" {
  for target in package.targets where ["ExactTime", "Support"].contains(target.name) {
    target.swiftSettings = strict + [.unsafeFlags(["-O"])]
  }
}

// Only for tools/fuzz: the fuzzer's runtime is no part of any other build.
if Context.environment["TRIM_FUZZ"] != nil {
  package.targets.append(
    .executableTarget(
      name: "fuzz",
      dependencies: [
        "MediaEngine", "Bitstreams", "ISOMedia", "CommandLineKit", "Trimming", "MediaFacts",
        "ExactTime", "CSystem",
      ], path: "Tests/Fuzzing",
      swiftSettings: strict + [.unsafeFlags(["-parse-as-library"])]))
}

// Only for tools/bench: what the session costs, and how often it allocates.
if Context.environment["TRIM_BENCH"] != nil {
  package.targets += [
    .target(name: "MallocCounter", path: "Tests/MallocCounter"),
    .executableTarget(
      name: "session-bench", dependencies: ["Trimming", "ExactTime", "MallocCounter"],
      path: "Tests/SessionBench", swiftSettings: strict),
  ]
}
