import ExactTime
import MediaEngine

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The file argument of `trim play`, with the media fragment that may be part of it.
struct PlayInput: Sendable {
  var input: MediaInput
  var part: PartExpression
  /// The name as it may be shown.
  var location: String

  /// - Parameter asciiOnly: for terminals without UTF-8.
  init(_ options: PlayOptions, asciiOnly: Bool) throws(UsageError) {
    var path = options.file.bytes
    part = options.part
    if !Self.exists(path), let (file, range) = try Self.fragment(of: options.file) {
      guard options.part == PartExpression() else {
        throw UsageError(
          "The part is given twice: behind the '#' and by options.", command: PlayOptions.command)
      }
      path = file
      part = range
    }
    input = options.file.isStandardStream ? .standardInput : .file(path: path)
    location = ForeignText.shown(path, asciiOnly: asciiOnly)
  }

  private static func fragment(
    of file: ArgumentText
  ) throws(UsageError) -> ([UInt8], PartExpression)? {
    guard let text = file.text else { return nil }
    do throws(TimeSyntaxError) {
      guard let fragment = try MediaFragment(splitting: text) else { return nil }
      let end = fragment.range.to.map { PartExpression.End.to($0) } ?? .open
      return (Array(fragment.path.utf8), PartExpression(from: fragment.range.from, end: end))
    } catch {
      throw UsageError(
        "'\(file.shown)' has no time behind its '#': \(error.reason).",
        command: PlayOptions.command)
    }
  }

  /// A file of the whole name goes before any fragment.
  private static func exists(_ path: [UInt8]) -> Bool {
    (path + [0]).withUnsafeBytes { bytes in
      guard let name = bytes.bindMemory(to: CChar.self).baseAddress else { return false }
      return access(name, F_OK) == 0
    }
  }
}
