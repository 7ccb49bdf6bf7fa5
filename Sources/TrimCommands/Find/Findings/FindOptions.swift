import CommandLineKit
import Detection
import ExactTime
import MediaEngine

/// What `trim find` looks for, and with which thresholds.
struct FindOptions: Sendable, Hashable, Codable {
  /// The kinds to look for.
  var kinds: Set<Finding.Kind>
  var silenceLevel: QuietLevel
  /// Whether each channel is looked at by itself.
  var isPerChannel = false
  var shortest: [Finding.Kind: MediaDuration]
  /// Whether scenes are only looked for where keyframes differ.
  var isFast = false

  static let usualLevel = "-40"
  /// What `--channels` takes.
  static let channels = ["all", eachChannel]
  private static let eachChannel = "each"
  /// What a level relative to the loudness begins with.
  private static let relative = "loud"
  /// As typed, so that help and result state the same.
  static let usualLengths: [Finding.Kind: String] = [.silence: "0.5", .black: "0", .still: "2"]

  init(_ parsed: ParsedArguments, command: String) throws(UsageError) {
    let asked = Finding.Kind.allCases.filter { parsed.has($0.option) }
    try self.init(
      parsed, kinds: Set(asked.isEmpty ? Finding.Kind.allCases : asked), command: command,
      needed: { "--\($0.option)" })
    isFast = parsed.has("fast")
    if isFast, !kinds.contains(.scene) || !kinds.isDisjoint(with: [.black, .still, .fade]) {
      throw UsageError(
        "'--fast' looks for scenes only where keyframes differ, and black and still pictures and fades need "
          + "every frame: add '--scenes', without '--black', '--still' and '--fades'.",
        command: command)
    }
    isPerChannel = parsed.last("channels")?.text == Self.eachChannel
    if isPerChannel, !kinds.contains(.silence) {
      throw UsageError("'--channels' applies only with '--silence'.", command: command)
    }
  }

  /// - Parameter needed: what is typed for a kind to be looked for.
  init(
    _ parsed: ParsedArguments, kinds: Set<Finding.Kind>, command: String,
    needed: (Finding.Kind) -> String
  ) throws(UsageError) {
    self.kinds = kinds
    silenceLevel = try Self.level(
      parsed.last("silence-level") ?? ArgumentText(Self.usualLevel), command: command)
    shortest = [:]
    for (kind, usual) in Self.usualLengths {
      let option = "\(kind.option)-for"
      shortest[kind] = try LengthArgument.parse(
        parsed.last(option) ?? ArgumentText(usual), option: option, command: command,
        allowsZero: true)
      if parsed.last(option) != nil, !kinds.contains(kind) {
        throw UsageError(
          "'--\(option)' applies only with '\(needed(kind))'.", command: command)
      }
    }
    if parsed.last("silence-level") != nil, !kinds.contains(.silence) {
      throw UsageError(
        "'--silence-level' applies only with '\(needed(.silence))'.", command: command)
    }
  }

  private static func level(
    _ value: ArgumentText, command: String
  ) throws(UsageError) -> QuietLevel {
    var text = value.text?.lowercased() ?? ""
    let isRelative = text.hasPrefix(Self.relative)
    if isRelative { text.removeFirst(Self.relative.count) }
    for unit in ["dbfs", "db"] where text.hasSuffix(unit) {
      text = String(text.dropLast(unit.count))
      while text.hasSuffix(" ") { text.removeLast() }
    }
    guard let level = tenths(text).flatMap(AudioLevel.init(tenths:)) else {
      throw UsageError(
        "The value '\(value.shown)' is invalid for '--silence-level <dB>': a level from -120 to 0 dBFS, "
          + "in tenths of a decibel, or loud-30 for 30 dB below the loudness, is expected.",
        command: command)
    }
    return QuietLevel(level, isRelative: isRelative)
  }

  /// The tenths in a decimal with at most one digit behind the point.
  private static func tenths(_ text: String) -> Int? {
    let fields = text.split(separator: ".", omittingEmptySubsequences: false)
    guard fields.count <= 2, let whole = Int(fields[0]), abs(whole) < 1000 else { return nil }
    guard fields.count == 2 else { return whole * 10 }
    guard fields[1].utf8.count == 1, let tenth = Int(fields[1]), tenth >= 0 else { return nil }
    return fields[0].hasPrefix("-") ? whole * 10 - tenth : whole * 10 + tenth
  }

  /// What to look for in audio.
  var silence: SilenceSearch {
    SilenceSearch(
      level: silenceLevel, shortest: shortest[.silence] ?? .zero, isPerChannel: isPerChannel)
  }

  /// What to look for in pictures.
  var pictures: PictureSearch {
    PictureSearch(
      black: kinds.contains(.black) ? shortest[.black] : nil,
      still: kinds.contains(.still) ? shortest[.still] : nil, findsScenes: kinds.contains(.scene),
      findsFades: kinds.contains(.fade), isFast: isFast)
  }
}

extension Finding.Kind {
  /// The name of its option.
  var option: String { [.scene, .fade].contains(self) ? "\(rawValue)s" : rawValue }
}
