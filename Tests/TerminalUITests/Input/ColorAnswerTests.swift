import TerminalUI
import Testing

@Suite struct `Given a terminal's answer to the query for its colors` {
  @Test(arguments: [
    ("\u{1B}]4;255;rgb:eeee/eeee/eeee\u{1B}\\", true), ("\u{1B}]4;255;rgb:ee/ee/ee\u{7}", true),
    ("\u{1B}]4;15;rgb:ffff/ffff/ffff\u{7}", false),
    ("\u{1B}]4;255;rgb:" + String(repeating: "e", count: 500) + "\u{7}", false),
    // XTGETTCAP `Co`: 256, 16777216 and 8, and a terminal that does not know the name.
    ("\u{1B}P1+r436F=323536\u{1B}\\", true), ("\u{1B}P1+r436f=3136373737323136\u{1B}\\", true),
    ("\u{1B}P1+r436F=38\u{1B}\\", false), ("\u{1B}P0+r436F\u{1B}\\", false),
    ("\u{1B}P1+r436F=32353\u{1B}\\", false), ("\u{1B}P1+r436F=3235zz\u{1B}\\", false),
    ("\u{1B}P1+r436F=323536\u{18}", false),
    // DA2 of tmux, of xterm and of nobody.
    ("\u{1B}[>84;0;0c", true), ("\u{1B}[>41;379;0c", false), ("\u{1B}[>c", false),
  ])
  func `256 are recognized between keys, in any pieces, and nothing else becomes a key`(
    _ answer: String, _ hasMany: Bool
  ) {
    let bytes = Array("a\(answer)b".utf8)
    let wanted =
      [TerminalEvent.key(.character("a"))] + (hasMany ? [.has256Colors] : [])
      + [.key(.character("b"))]
    for cut in 0...bytes.count {
      var decoder = KeyDecoder()
      #expect(decoder.decode(bytes[..<cut]) + decoder.decode(bytes[cut...]) == wanted)
    }
  }
}
