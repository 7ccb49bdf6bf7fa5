import Testing

@testable import Libav

@Suite struct `Given a line of text with override codes in braces` {
  @Test(
    arguments: [
      (#"{\i1}one{\i0} two"#, "one two"), ("{Ann} hello", "{Ann} hello"),
      (#"{\i1 open"#, #"{\i1 open"#), (#"a {b} {\b1}c"#, "a {b} c"), ("", ""),
    ])
  func `then only blocks with a backslash are codes, and the rest is text`(
    _ text: String, _ plain: String
  ) {
    #expect(StyledPieces(text).plain == plain)
  }

  @Test(
    arguments: [
      (#"{\pos(1,2)\p1}m 0 0"#, true), (#"{\p0}text"#, false), (#"{\pos(1,2)}text"#, false),
      (#"p1 \p1"#, false),
    ])
  func `when a code starts a drawing then it is detected`(_ text: String, _ draws: Bool) {
    #expect(StyledPieces(text).draws == draws)
  }

  @Test func `when it becomes WebVTT then its text is escaped, and its codes are not`() {
    let text = #"{\an8<}{a < b && c} d > e {\i1"#
    #expect(
      StyledPieces(text).escaped
        == #"{\an8<}{a &lt; b &amp;&amp; c} d &gt; e {\i1"#)
    #expect(StyledPieces("<\u{301}").escaped == "&lt;\u{301}")
  }

  @Test func `when many braces are open then parsing stays fast`() {
    let text = String(repeating: #"{\"#, count: 200_000)
    #expect(StyledPieces(text).plain == text)
  }
}
