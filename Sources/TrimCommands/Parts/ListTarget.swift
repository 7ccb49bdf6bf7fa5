import CommandLineKit
import EditLists
import Trimming

/// Where a list is written, as it is typed: `cuts.otio`, or `cuts.edl as mpv` where several formats have the
/// extension.
struct ListTarget: Hashable, Sendable {
  /// The path.
  let name: String
  private let id: String

  var path: [UInt8] { Array(name.utf8) }
  /// The path, safe to display.
  var shown: String { ForeignText.shown(name) }
  var format: EditListFormat { EditListFormat.named(id) ?? .trim }

  /// - Throws: `VideoFailure` where that names no format.
  init(_ text: String) throws(VideoFailure) {
    let named = EditListFormat.all.first { $0.isWritten && text.hasSuffix(" as \($0.id)") }
    if let named {
      (name, id) = (String(text.dropLast(" as \(named.id)".count)), named.id)
      return
    }
    let (ending, formats) = EditListFormat.written(as: Array(text.utf8))
    guard formats.count < 2 else {
      throw VideoFailure(
        "Add ' as' and one of \(formats.map(\.id).joined(separator: ", ")): all end in '.\(ending)'."
      )
    }
    guard let format = formats.first else {
      throw VideoFailure("Type a name such as cuts.otio, or cuts.edl as mpv.")
    }
    (name, id) = (text, format.id)
  }
}

extension EditListFormat {
  /// The extension of a path, and the formats that are written as it.
  static func written(as path: [UInt8]) -> (ending: String, formats: [EditListFormat]) {
    let name = path.split(separator: UInt8(ascii: "/")).last ?? []
    let ending = name.lastIndex(of: UInt8(ascii: ".")).map {
      String(decoding: name[(name.index(after: $0))...], as: UTF8.self)
    }
    let known = ending?.lowercased() ?? ""
    return (ending ?? "", all.filter { $0.isWritten && $0.extensions.contains(known) })
  }
}
