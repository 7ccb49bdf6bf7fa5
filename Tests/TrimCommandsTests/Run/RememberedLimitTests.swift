import CommandLineKit
import ExactTime
import Foundation
import Testing
import Trimming

@testable import TrimCommands

@Suite(.timeLimit(.minutes(1))) struct `Given a limit that was changed on a screen` {
  private let folder: TemporaryFolder
  private let none = LengthLimit(maximum: nil)

  init() throws { folder = try TemporaryFolder() }

  private func environment(_ limit: String? = nil) -> [String: String] {
    var variables = ["XDG_STATE_HOME": folder.root, "COLUMNS": "80"]
    variables["TRIM_MAX_LENGTH"] = limit
    return variables
  }

  private var memory: RememberedLimit? { RememberedLimit(.fixed(environment())) }

  private func limit(_ limit: LengthLimit = .standard, isGiven: Bool = false) -> ScreenLimit {
    ScreenLimit(limit, isGiven: isGiven, memory: memory)
  }

  @Test func `then the next screen starts with it, until the default is chosen again`() {
    #expect(limit().now == .standard)
    for chosen in [none, LengthLimit(maximum: MediaDuration(1001, 7)), .standard] {
      limit().keep(chosen)
      #expect(limit().now == chosen)
    }
    #expect((try? FileManager.default.contentsOfDirectory(atPath: folder.path(of: "trim"))) == [])
  }

  @Test func `when a limit is given, then it is only lowered, and nothing is remembered`() {
    limit().keep(none)
    let given = limit(LengthLimit(maximum: MediaDuration(20)), isGiven: true)
    #expect(given.now.maximum == MediaDuration(20))
    #expect(given.refusal(of: none) != nil)
    #expect(given.refusal(of: LengthLimit(maximum: MediaDuration(21))) != nil)
    for seconds in [20, 5] as [Int64] {
      #expect(given.refusal(of: LengthLimit(maximum: MediaDuration(seconds))) == nil)
    }
    given.keep(LengthLimit(maximum: MediaDuration(5)))
    #expect(limit().now == none)
    #expect(limit().refusal(of: .standard) == nil)
  }

  @Test func `then only the user can read it, and damage is as if there was none`() throws {
    limit().keep(none)
    let path = folder.path(of: "trim/limit")
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    for text in [
      "", "none", "{}", #"{"version":2,"limit":{}}"#, #"{"version":1,"limit":{"maximum":"0"}}"#,
      #"{"version":1,"limit":{"maximum":"-5"}}"#, #"{"version":1,"limit":{"maximum":"1/0"}}"#,
    ] {
      try Data(text.utf8).write(to: URL(filePath: path))
      #expect(limit().now == .standard, "\(text)")
    }
  }

  @Test func `then doctor shows it, and where it comes from`() {
    func doctor(_ limit: String? = nil) -> String {
      ToolRun("doctor", environment: environment(limit)).out
    }
    #expect(doctor().contains("under 60.5 s, the default"))
    limit().keep(none)
    #expect(doctor().contains("none, remembered"))
    #expect(doctor("90").contains("under 90 s, set by TRIM_MAX_LENGTH"))
    let json = ToolRun("doctor", "--json", environment: environment()).out
    #expect(json.contains("\"max_length\": null"))
    #expect(json.contains("\"source\": \"remembered\""))
  }

  @Test func `then options say whether a limit is given, and whether state is kept`() throws {
    var parsed = ParsedArguments(positionals: [ArgumentText("a.mp4")])
    #expect(try !EditOptions(parsed).play.isLimitGiven)
    #expect(try !StudioOptions(parsed).isLimitGiven)
    #expect(try EditOptions(parsed).keepsState)
    parsed.note(ArgumentText("90"), for: LengthLimit.variable)
    #expect(try EditOptions(parsed).play.isLimitGiven)
    #expect(try StudioOptions(parsed).isLimitGiven)
    parsed.note(flag: "no-state")
    #expect(try !EditOptions(parsed).keepsState)
    #expect(try !StudioOptions(parsed).keepsState)
  }
}
