import CSystem
import CommandLineKit
import Fetching
import Glibc
import MediaEngine
import TrimStudio

/// Reports what works on this machine: `trim doctor`.
struct DoctorCommand: Sendable {
  var isJSON: Bool

  init(_ parsed: ParsedArguments) { isJSON = parsed.has("json") }

  func run(in tool: Tool, console: Console) -> ExitStatus {
    let terminal = PlayTerminal(tool.environment, console: console)
    let shown = TerminalFindings(terminal, tool.environment)
    guard let terminal else { return report(shown, in: tool, console) }
    return tool.live.run { [self] in
      var asked = shown
      await asked.ask(terminal)
      return report(asked, in: tool, console)
    }
  }

  private func report(_ shown: TerminalFindings, in tool: Tool, _ console: Console) -> ExitStatus {
    var findings = DoctorFindings(
      engine: tool.engine.report(), webServer: HTTPServer.libraryVersion, limits: .standard,
      out: console.outTraits, err: console.errTraits,
      terminal: tool.environment["TERM"], shown: shown,
      directories: tool.directories.all(tool.environment),
      clockNanoseconds: Self.clockResolution)
    findings.fetching = tool.fetching()
    if findings.engine == nil { findings.mismatch = EngineReport.mismatch() }
    (findings.limit, findings.limitSource) = LimitSource.find(tool.environment)
    if isJSON {
      console.out.write(JSONWriter.write(findings.json, .indented))
    } else {
      console.out.write(
        DoctorScreen(findings: findings, traits: console.outTraits, isPlain: console.isPlain).text)
    }
    return findings.isWell ? .success : .unavailable
  }

  /// Nanoseconds between two ticks of the monotonic clock; `nil` if the system does not report it.
  private static var clockResolution: Int64? {
    var resolution = timespec()
    guard clock_getres(CLOCK_MONOTONIC, &resolution) == 0 else { return nil }
    let (whole, overflow) = Int64(resolution.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
    return overflow ? nil : whole &+ Int64(resolution.tv_nsec)
  }
}

extension FetchLibrary {
  /// That of a process that fetches, which is started and ended for it.
  static var found: Result<FetchLibrary, FetchFault> {
    Result { () throws(FetchFault) in
      guard let library = try Fetcher(policy: AddressPolicy()).start().library else {
        throw FetchFault(.internalError, "the process that fetches names no library")
      }
      return library
    }
  }
}
