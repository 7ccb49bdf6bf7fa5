import CommandLineKit
import Testing

@testable import TrimCommands

@Suite struct `Given a stream` {
  struct Situation: CustomTestStringConvertible, Sendable {
    var environment: [String: String]
    var isTerminal: Bool
    var choice = ColorChoice.auto
    var expected: Bool
    var testDescription: String {
      let variables = environment.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
      return (variables + [isTerminal ? "terminal" : "pipe", "--color \(choice)"])
        .joined(separator: " ")
    }
  }

  @Suite struct `When color is decided` {
    @Test(arguments: [
      Situation(environment: ["TERM": "xterm"], isTerminal: true, expected: true),
      Situation(environment: ["TERM": "xterm"], isTerminal: false, expected: false),
      Situation(environment: ["TERM": "dumb"], isTerminal: true, expected: false),
      Situation(environment: [:], isTerminal: true, expected: false),
      Situation(
        environment: ["TERM": "xterm", "NO_COLOR": "1"], isTerminal: true, expected: false),
      Situation(environment: ["TERM": "xterm", "NO_COLOR": ""], isTerminal: true, expected: true),
      Situation(
        environment: ["TERM": "xterm", "TRIM_NO_COLOR": "1"], isTerminal: true, expected: false),
      Situation(environment: ["FORCE_COLOR": "1"], isTerminal: false, expected: true),
      Situation(
        environment: ["TERM": "xterm", "FORCE_COLOR": "0"], isTerminal: true, expected: false),
      Situation(
        environment: ["FORCE_COLOR": "1", "NO_COLOR": "1"], isTerminal: true, expected: false),
      Situation(
        environment: ["NO_COLOR": "1"], isTerminal: false, choice: .always, expected: true),
      Situation(
        environment: ["TERM": "xterm", "FORCE_COLOR": "1"], isTerminal: true, choice: .never,
        expected: false),
    ])
    func `then the flag, the variables and the terminal count in this order`(
      _ situation: Situation
    ) {
      let traits = StreamTraits(
        isTerminal: situation.isTerminal, terminalColumns: nil, color: situation.choice,
        isPlain: false, environment: .fixed(situation.environment))
      #expect(traits.usesColor == situation.expected)
    }
  }

  @Suite struct `When its width is requested` {
    @Test(
      arguments: [
        ("120", 90, 120), ("1", 90, 1), ("0", 90, 80), ("-3", nil, 80), ("99999999", nil, 10_000),
        ("wide", 90, 90), ("", 90, 90), ("", nil, 80),
      ] as [(String, Int?, Int)])
    func `then COLUMNS takes precedence over the terminal, within bounds`(
      _ variable: String, _ terminal: Int?, _ expected: Int
    ) {
      let traits = StreamTraits(
        isTerminal: terminal != nil, terminalColumns: terminal, color: .auto, isPlain: false,
        environment: .fixed(["COLUMNS": variable]))
      #expect(traits.columns == expected)
    }
  }

  @Suite struct `When its character set is requested` {
    @Test(
      arguments: [
        (["LANG": "en_US.UTF-8"], true), (["LANG": "de_DE.utf8@euro"], true),
        (["LANG": "en_US.UTF-8", "LC_ALL": "C"], false), (["LC_CTYPE": "C.UTF-8"], true),
        (["LANG": "de_DE.ISO-8859-1"], false), ([:], false),
        (["LC_ALL": "", "LANG": "C.UTF-8"], true),
      ] as [([String: String], Bool)])
    func `then the locale decides`(_ environment: [String: String], _ isUTF8: Bool) {
      let traits = StreamTraits(
        isTerminal: true, terminalColumns: nil, color: .auto, isPlain: false,
        environment: .fixed(environment))
      #expect(traits.isUTF8 == isUTF8)
    }
  }

  @Suite struct `When a line may be redrawn` {
    @Test(arguments: [
      ("xterm", true, false, true), ("xterm", true, true, false), ("xterm", false, false, false),
      ("dumb", true, false, false), ("", true, false, false),
    ])
    func `then it must be a capable terminal without plain output`(
      _ term: String, _ isTerminal: Bool, _ isPlain: Bool, _ redraws: Bool
    ) {
      let traits = StreamTraits(
        isTerminal: isTerminal, terminalColumns: nil, color: .auto, isPlain: isPlain,
        environment: .fixed(["TERM": term]))
      #expect(traits.redraws == redraws)
    }
  }
}
