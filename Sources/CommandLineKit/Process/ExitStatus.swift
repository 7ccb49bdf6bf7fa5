/// The exit statuses of `trim`, based on sysexits.h; `Documentation/Command-Line.md` lists them.
package struct ExitStatus: Hashable, Sendable, Comparable {
  package let code: Int32

  package init(code: Int32) {
    self.code = code
  }

  package static let success = ExitStatus(code: 0)
  /// `check` failed, or one of several files failed.
  package static let negative = ExitStatus(code: 1)
  package static let usage = ExitStatus(code: 64)
  /// Not media, damaged, or refused by a limit.
  package static let badData = ExitStatus(code: 65)
  /// Missing, or not a regular file.
  package static let noInput = ExitStatus(code: 66)
  /// A needed library, codec or terminal feature is absent.
  package static let unavailable = ExitStatus(code: 69)
  /// An internal error.
  package static let software = ExitStatus(code: 70)
  /// The output exists, is the input, or cannot be created.
  package static let cannotCreate = ExitStatus(code: 73)
  package static let ioError = ExitStatus(code: 74)
  /// The same call may succeed later.
  package static let temporaryFailure = ExitStatus(code: 75)
  package static let noPermission = ExitStatus(code: 77)
  package static let interrupted = ExitStatus(code: 130)
  package static let closedPipe = ExitStatus(code: 141)

  package static func signal(_ number: Int32) -> ExitStatus { ExitStatus(code: 128 + number) }

  package static func < (a: Self, b: Self) -> Bool { a.code < b.code }
}
