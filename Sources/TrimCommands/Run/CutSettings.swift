import CommandLineKit
import MediaFacts
package import Trimming

/// How a file is cut, independent of the chosen part.
package struct CutSettings: Sendable, Hashable {
  package var mode = CutMode.smart
  /// The tracks that are written; `nil` for all that the output can hold.
  package var tracks: TrackChoice?

  package init() {}

  /// Reads `--mode` and `--tracks`.
  init(_ parsed: ParsedArguments, command: String) throws(UsageError) {
    mode = parsed.last("mode")?.text.flatMap(CutMode.init(rawValue:)) ?? .smart
    tracks = try TrackChoice(parsed, command: command)
  }

  /// The equivalent options.
  var words: String {
    var words: [String] = []
    if mode != .smart { words.append("--mode \(mode.rawValue)") }
    if let tracks {
      let kinds = TrackChoice.namedKinds.filter(tracks.kinds.contains).map(\.rawValue)
      words.append(
        "--tracks " + (kinds + tracks.ids.sorted().map { "\($0)" }).joined(separator: ","))
    }
    return words.map { "\($0) " }.joined()
  }

  func apply(to request: inout CutRequest) {
    request.mode = mode
    request.tracks = tracks
  }
}
