import CommandLineKit
import ExactTime
import Glibc
import MediaEngine

extension PartExpression {
  /// The name in a file argument, and the part after its `#`.
  ///
  /// - Returns: `nil` for the part if there is none, or if a file with the whole name exists.
  static func split(
    _ file: ArgumentText, command: String
  ) throws(UsageError) -> (path: [UInt8], part: PartExpression?) {
    guard !exists(file.bytes), let (name, part) = try fragment(of: file, command) else {
      return (file.bytes, nil)
    }
    return (name, part)
  }

  private static func fragment(
    of file: ArgumentText, _ command: String
  ) throws(UsageError) -> ([UInt8], PartExpression)? {
    guard let text = file.text else { return nil }
    do throws(TimeSyntaxError) {
      guard let fragment = try MediaFragment(splitting: text) else { return nil }
      let end = fragment.range.to.map { PartExpression.End.to($0) } ?? .open
      return (Array(fragment.path.utf8), PartExpression(from: fragment.range.from, end: end))
    } catch {
      throw UsageError(
        "'\(file.shown)' has no time after its '#': \(error.reason).", command: command)
    }
  }

  /// A file with the whole name takes precedence over a fragment.
  private static func exists(_ path: [UInt8]) -> Bool {
    // A sealed worker has a file with exactly that name, and sees no others.
    if HandedFiles.input(named: path) != nil { return true }
    return (path + [0]).withUnsafeBytes { bytes in
      guard let name = bytes.bindMemory(to: CChar.self).baseAddress else { return false }
      return access(name, F_OK) == 0
    }
  }
}
