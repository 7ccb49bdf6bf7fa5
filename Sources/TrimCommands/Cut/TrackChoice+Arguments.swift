import CommandLineKit
import MediaFacts
import Trimming

extension TrackChoice {
  /// The kinds that can be requested.
  static let namedKinds: [TrackKind] = [.video, .audio, .subtitle]

  /// The tracks named by `--tracks`: comma-separated kinds, and numbers as printed by `trim probe`;
  /// `nil` if the option is absent.
  init?(_ parsed: ParsedArguments, command: String) throws(UsageError) {
    guard let value = parsed.last("tracks") else { return nil }
    self.init()
    let words = (value.text ?? "").split(separator: ",", omittingEmptySubsequences: false)
    for word in words {
      if let kind = Self.namedKinds.first(where: { $0.rawValue == word }) {
        kinds.insert(kind)
      } else if let id = Int(word), id >= 0 {
        ids.insert(id)
      } else {
        throw UsageError(
          "'\(ForeignText.shown(String(word)))' is not a track for '--tracks'. Try video, audio, "
            + "subtitle, or numbers as 'trim probe' shows them: 1,3.", command: command)
      }
    }
  }
}
