import CommandLineKit
import ExactTime
import MediaFacts
import Testing
import Trimming

@testable import TrimCommands

@Suite struct `Given what a sealed process has written about a file` {
  private static func page(
    _ format: OutputFormat, isSeveral: Bool = true, color: ColorChoice = .always
  ) -> FactsPage {
    FactsPage(
      content: .probe, format: format, isSeveral: isSeveral, limit: .standard,
      traits: StreamTraits(
        isTerminal: true, terminalColumns: 80, color: color, isPlain: false,
        environment: .fixed(["LANG": "C.UTF-8"])), isPlain: false)
  }

  private static func admitted(_ text: String, _ page: FactsPage, _ status: Int32 = 0) -> String? {
    page.admitted(ReportedFacts(status: ExitStatus(code: status), bytes: Array(text.utf8)))
      .map { String(decoding: $0.bytes, as: UTF8.self) }
  }

  @Test(arguments: [OutputFormat.screen, .lines, .document], [true, false])
  func `then text that the command itself would write is accepted unchanged`(
    _ format: OutputFormat, _ isSeveral: Bool
  ) {
    let page = Self.page(format, isSeveral: isSeveral)
    var facts = Clips.lasting(MediaDuration(seconds: Rational(3)))
    facts.tags = [Tag(key: "title", value: "\u{1B}[2J é \u{202E} a\nb")]
    let reported = page.reported(facts, of: .file(path: Array("e\u{1B}é\n.mkv".utf8)))
    #expect(page.admitted(reported) == reported)
  }

  @Test(arguments: [
    "\u{1B}[2J", "\u{1B}]52;c;eA==\u{07}", "\u{1B}[31mred", "\u{1B}[31m\u{1B}[31mred\u{1B}[0m",
    "\u{1B}[0m", "\u{1B}[31mover\ntwo lines\u{1B}[0m", "\u{1B}", "a\rb", "a\u{8}b", "\u{9B}31m",
    "\u{202E}fdp", "a\u{200B}b", "\u{1B}[5mblinks\u{1B}[0m", "\u{7F}",
  ])
  func `then text that acts on a terminal is rejected`(_ text: String) {
    #expect(Self.admitted("good\n\(text)\n", Self.page(.screen)) == nil)
  }

  @Test func `then colors are rejected if the command has none`() {
    let text = "\u{1B}[31mred\u{1B}[0m\n"
    #expect(Self.admitted(text, Self.page(.screen)) == text)
    #expect(Self.admitted(text, Self.page(.screen, color: .never)) == nil)
  }

  @Test(arguments: [
    "", "\n", "[]\n", "text\n", "{\"a\":1}{\"b\":2}\n", "{\"a\":1}\n{\"b\":2}\n",
    "{\"a\":1,\"a\":2}\n", "{\"a\":\u{1B}}\n",
  ])
  func `then anything but one JSON object is rejected as a row`(_ text: String) {
    for page in [Self.page(.lines), Self.page(.document), Self.page(.document, isSeveral: false)] {
      #expect(Self.admitted(text, page) == nil)
    }
  }

  @Test func `then a row that is formatted differently is reformatted`() {
    let text = "{ \"a\": \"\u{202E}é\" }"
    #expect(Self.admitted(text, Self.page(.lines)) == "{\"a\":\"\\u202eé\"}\n")
  }

  @Test func `then an exit status that no probe has is rejected`() {
    #expect(Self.admitted("{}\n", Self.page(.lines), 65) == "{}\n")
    #expect(Self.admitted("{}\n", Self.page(.lines), 70) == nil)
  }
}
