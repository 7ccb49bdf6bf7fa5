import CommandLineKit
import ExactTime
import Fetching
import Isolation
import MediaEngine
import Trimming

/// What was found on this machine.
struct DoctorFindings: Sendable {
  /// The engine; `nil` when FFmpeg's libraries cannot be loaded.
  var engine: EngineReport?
  /// The file names of the libraries that were tried.
  var tried = EngineReport.tried
  /// Why the libraries that are there are not used.
  var mismatch: String?
  /// The version of the studio's web server; `nil` where its library cannot be loaded.
  var webServer: String?
  /// The library that fetches addresses, or why there is none; `nil` where that was not tried.
  var fetching: Result<FetchLibrary, FetchFault>?
  var limits: Limits
  var out: StreamTraits
  var err: StreamTraits
  var terminal: String?
  var shown: TerminalFindings
  var directories: [UserDirectories.Directory]
  var clockNanoseconds: Int64?
  /// The limit that `edit` and `studio` start with.
  var limit = LengthLimit.standard
  /// Where it comes from.
  var limitSource = LimitSource.standard
  /// The layers that seal the processes in which FFmpeg works.
  var sandbox = SandboxLayers.available

  /// True when nothing essential is missing; a read-only home or a dumb terminal is fine.
  var isWell: Bool { engine != nil }

  var json: JSONValue {
    .object([
      "schema": .integer(RecordHead.schema),
      "tool": .string(Version.tool),
      "kind": .string("doctor"),
      "well": .bool(isWell),
      "engine": engine.map(Self.value) ?? .null,
      "libraries": .object([
        "tried": .array(tried.map(JSONValue.string)), "mismatch": .optional(mismatch),
      ]),
      "studio": .object(["libmicrohttpd": .optional(webServer)]),
      "fetching": fetchingValue,
      "limits": .object(
        LimitsText.entries(limits).map { .init(key: $0.name, value: .string($0.value)) }),
      "terminal": .object(
        JSONValue.members([
          "term": .optional(terminal), "stdout": Self.value(out), "stderr": Self.value(err),
        ]) + shown.json),
      "directories": .array(
        directories.map { directory in
          .object([
            "purpose": .string(directory.purpose), "path": .optional(directory.path),
            "writable": .bool(directory.isWritable),
          ])
        }),
      "screens": .object([
        "max_length": limit.maximum.map { .string("\($0.seconds)") } ?? .null,
        "source": .string(limitSource.rawValue),
      ]),
      "clock": .object(["resolution_nanoseconds": .optional(clockNanoseconds)]),
      "sandbox": .object([
        "layers": .array(sandbox.names.map(JSONValue.string)),
        "missing": .array(sandbox.missingNames.map(JSONValue.string)),
        "complete": .bool(sandbox.isComplete),
      ]),
    ])
  }

  private var fetchingValue: JSONValue {
    var (library, fault): (FetchLibrary?, FetchFault?)
    switch fetching {
    case .success(let found): library = found
    case .failure(let failure): fault = failure
    case nil: break
    }
    return .object([
      "libcurl": .optional(library?.version), "tls": .optional(library?.tls),
      "http2": library.map { .bool($0.hasHTTP2) } ?? .null, "failure": .optional(fault?.message),
    ])
  }

  private static func value(_ engine: EngineReport) -> JSONValue {
    .object([
      "versions": .object(
        engine.libraries.map { .init(key: $0.name, value: .string($0.version)) }),
      "formats": .array(engine.formats.map(JSONValue.string)),
      "sealed_formats": .array(engine.sealedFormats.map(JSONValue.string)),
      "decoders": .array(engine.decoders.map(JSONValue.string)),
    ])
  }

  private static func value(_ traits: StreamTraits) -> JSONValue {
    .object([
      "terminal": .bool(traits.isTerminal), "color": .bool(traits.usesColor),
      "utf8": .bool(traits.isUTF8), "columns": .integer(traits.columns),
    ])
  }
}
