/// The exit statuses of `trim`, after sysexits.h; `Documentation/Command-Line.md` lists them.
struct ExitStatus: Hashable, Sendable, Comparable {
  let code: Int32

  static let success = ExitStatus(code: 0)
  /// `check` says no; one of several files failed.
  static let negative = ExitStatus(code: 1)
  static let usage = ExitStatus(code: 64)
  /// Not media, damaged, or refused by a limit.
  static let badData = ExitStatus(code: 65)
  /// Missing, or not a regular file.
  static let noInput = ExitStatus(code: 66)
  /// A needed library, codec or terminal feature is absent.
  static let unavailable = ExitStatus(code: 69)
  /// A broken promise of our own.
  static let software = ExitStatus(code: 70)
  /// The output exists, is the input, or cannot be created.
  static let cannotCreate = ExitStatus(code: 73)
  static let ioError = ExitStatus(code: 74)
  /// The same call may succeed later.
  static let temporaryFailure = ExitStatus(code: 75)
  static let noPermission = ExitStatus(code: 77)
  static let interrupted = ExitStatus(code: 130)
  static let closedPipe = ExitStatus(code: 141)

  static func signal(_ number: Int32) -> ExitStatus { ExitStatus(code: 128 + number) }

  static func < (a: Self, b: Self) -> Bool { a.code < b.code }
}
