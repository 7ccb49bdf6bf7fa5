/// Advanced SubStation Alpha text, split into plain text and style codes such as `{\i1}`.
///
/// Braces without a backslash are text, as in FFmpeg's encoders.
struct StyledPieces {
  private var pieces: [(isCode: Bool, scalars: String.UnicodeScalarView)] = []

  init(_ text: String) {
    var rest = text.unicodeScalars[...]
    let last = rest.lastIndex(of: "}")
    while let first = rest.first {
      let isClosed = last.map { $0 > rest.startIndex } ?? false
      let isCode = first == "{" && rest.dropFirst().first == "\\" && isClosed
      let end =
        isCode
        ? rest.firstIndex(of: "}").map { rest.index(after: $0) }
        : rest.indices.dropFirst().first { rest[$0] == "{" }
      let piece = rest[..<(end ?? rest.endIndex)]
      pieces.append((isCode, String.UnicodeScalarView(piece)))
      rest = rest[piece.endIndex...]
    }
  }

  /// Whether it is a drawing, whose numbers are not text.
  var draws: Bool {
    pieces.contains { piece in
      let code = String(piece.scalars)
      return piece.isCode
        && code.ranges(of: "\\p").contains {
          ("1"..."9").contains(code[$0.upperBound...].first ?? "0")
        }
    }
  }

  /// The text without codes.
  var plain: String {
    String(pieces.lazy.filter { !$0.isCode }.map { String($0.scalars) }.joined())
  }

  /// The text with WebVTT markup characters (4.2.2) escaped, which FFmpeg's encoder does not do.
  var escaped: String {
    var result = String.UnicodeScalarView()
    for piece in pieces {
      for scalar in piece.scalars {
        switch scalar {
        case "&" where !piece.isCode: result.append(contentsOf: "&amp;".unicodeScalars)
        case "<" where !piece.isCode: result.append(contentsOf: "&lt;".unicodeScalars)
        case ">" where !piece.isCode: result.append(contentsOf: "&gt;".unicodeScalars)
        default: result.append(scalar)
        }
      }
    }
    return String(result)
  }
}
