import CommandLineKit
import ExactTime
import Fetching
import Isolation
import MediaEngine
import Trimming

/// The findings as human-readable text.
struct DoctorScreen {
  var findings: DoctorFindings
  var traits: StreamTraits
  var isPlain: Bool

  var text: String {
    var sheet = Sheet(traits: traits, isPlain: isPlain)
    sheet.line(Version.tool, .strong)
    addEngine(to: &sheet)
    sheet.heading("Studio")
    sheet.table([
      [
        .init("libmicrohttpd"),
        findings.webServer.map { Sheet.Cell(sheet.foreign($0, cells: 40)) }
          ?? Sheet.Cell("missing: apt-get install libmicrohttpd12", .bad),
      ]
    ])
    addFetching(to: &sheet)
    sheet.heading("Limits of one file")
    sheet.table(
      LimitsText.entries(findings.limits).map { limit in
        [.init(String(limit.name.map { $0 == "_" ? " " : $0 })), .init(limit.value)]
      })
    sheet.heading("Terminal")
    sheet.table([
      [.init("stdout"), .init(Self.text(findings.out))],
      [.init("stderr"), .init(Self.text(findings.err))],
      [.init("TERM"), .init(findings.terminal.map { sheet.foreign($0, cells: 40) } ?? "not set")],
      [.init("colors"), .init(findings.shown.depthText)],
      [.init("images"), .init(images)],
      [.init("background"), .init(findings.shown.backgroundText ?? "not known")],
      [.init("pictures"), .init(findings.shown.graphics ?? findings.shown.noPicture ?? "none")],
    ])
    sheet.heading("Directories")
    sheet.table(
      findings.directories.map { directory in
        [
          .init(directory.purpose),
          .init(
            directory.isWritable ? "writable" : "NOT WRITABLE", directory.isWritable ? .good : .bad),
          .init(directory.path.map { sheet.foreign($0, cells: 200) } ?? "HOME is not set"),
        ]
      })
    sheet.heading("Limit of edit and studio")
    sheet.line(limit, indent: 2)
    sheet.heading("Clock")
    let clock = findings.clockNanoseconds.map { "monotonic, \($0) ns" } ?? "not known"
    sheet.line(clock, indent: 2)
    sheet.heading("Sandbox layers of FFmpeg's processes")
    sheet.line(findings.sandbox.names.joined(separator: " "), indent: 2)
    if !findings.sandbox.missingNames.isEmpty {
      let missing = findings.sandbox.missingNames.joined(separator: " ")
      sheet.line("This system lacks: \(missing)", .bad, indent: 2)
    }
    addCompleteness(to: &sheet)
    return sheet.text
  }

  /// Whether the sandbox is complete, and what that means for the formats that need it.
  private func addCompleteness(to sheet: inout Sheet) {
    let formats = findings.engine.map { " " + $0.sealedFormats.joined(separator: " ") } ?? ""
    if findings.sandbox.isComplete {
      sheet.line("Complete: these formats are read as well:\(formats)", .good, indent: 2)
    } else {
      let missing = findings.sandbox.missingForCompleteness.joined(separator: ", ")
      sheet.line(
        "Not complete without \(missing): these formats are refused:\(formats)", .bad, indent: 2)
    }
  }

  private var limit: String {
    let bound = findings.limit.maximum.map { "under \(DecimalText.shortest($0.seconds)) s" }
    return "\(bound ?? "none"), \(findings.limitSource.words)"
  }

  private var images: String {
    switch findings.shown.showsImages {
    case nil: "not queried: standard output is not a terminal"
    case true?: "kitty's protocol"
    case false?: "none: the terminal did not answer"
    }
  }

  private func addEngine(to sheet: inout Sheet) {
    guard let engine = findings.engine else {
      sheet.heading("FFmpeg")
      sheet.line("MISSING: FFmpeg's libraries cannot be loaded.", .bad, indent: 2)
      sheet.line("Tried: \(findings.tried.joined(separator: " "))", indent: 2)
      if let mismatch = findings.mismatch {
        sheet.line("But \(sheet.foreign(mismatch, cells: 200)).", .bad, indent: 2)
      }
      let place = findings.mismatch == nil ? "On Debian" : "On a Debian that has them"
      sheet.line("\(place): apt-get install \(EngineReport.debianPackages)", indent: 2)
      return
    }
    sheet.heading("FFmpeg")
    sheet.line("Tried: \(findings.tried.joined(separator: " "))", indent: 2)
    sheet.table(
      engine.libraries.map { [.init($0.name), .init(sheet.foreign($0.version, cells: 60))] })
    sheet.heading("Formats that are read")
    sheet.line(engine.formats.joined(separator: " "), indent: 2)
    sheet.heading("Decoders in use")
    sheet.line(engine.decoders.joined(separator: " "), indent: 2)
  }

  private func addFetching(to sheet: inout Sheet) {
    guard let fetching = findings.fetching else { return }
    sheet.heading("Addresses")
    switch fetching {
    case .success(let library):
      sheet.table([
        [.init("libcurl"), .init(sheet.foreign(library.version, cells: 40))],
        [
          .init("TLS"),
          library.tls.map { .init(sheet.foreign($0, cells: 60)) }
            ?? .init("none: https:// cannot be fetched", .bad),
        ],
        [.init("HTTP/2"), .init(library.hasHTTP2 ? "yes" : "no")],
      ])
    case .failure(let fault):
      sheet.line(sheet.foreign(fault.message, cells: 200), .bad, indent: 2)
      if let hint = fault.hint { sheet.line(sheet.foreign(hint, cells: 200), indent: 2) }
    }
  }

  private static func text(_ traits: StreamTraits) -> String {
    [
      traits.isTerminal ? "terminal" : "no terminal", "\(traits.columns) columns",
      traits.usesColor ? "color" : "no color", traits.isUTF8 ? "UTF-8" : "ASCII only",
    ].joined(separator: ", ")
  }
}
