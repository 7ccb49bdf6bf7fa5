internal import CSystem

/// Owns a terminal's modes while a screen is shown, and restores everything.
///
/// Input is raw (no echo, no line editing; Ctrl-C and Ctrl-Z arrive as keys). The modes are
/// restored when the value ends, at `exit()`, when the job is stopped (and set again when it
/// continues), at the second request to end, and on a crash, from a signal handler written in C.
package struct TerminalMode: ~Copyable {
  /// Modes to set in addition to raw input.
  package struct Options: OptionSet, Sendable {
    package let rawValue: UInt16

    /// The alternate screen; the shell's text is restored afterwards.
    package static let alternateScreen = Options(rawValue: 1 << 0)
    package static let hiddenCursor = Options(rawValue: 1 << 1)
    package static let mouse = Options(rawValue: 1 << 2)
    /// Pasted text arrives as one event instead of as keys.
    package static let bracketedPaste = Options(rawValue: 1 << 3)

    /// Images are deleted on leaving the screen.
    package static let images = Options(rawValue: 1 << 4)
    /// The terminal is queried for image support; ``TerminalEvent/showsImages`` may follow at any
    /// time or never.
    package static let imageQuestion = Options(rawValue: 1 << 5)

    /// The terminal is queried for its background color; ``TerminalEvent/background(_:)`` may
    /// follow at any time or never.
    package static let backgroundQuestion = Options(rawValue: 1 << 6)

    /// The terminal is queried for its colors; ``TerminalEvent/has256Colors`` may follow at any time or
    /// never.
    package static let colorQuestion = Options(rawValue: 1 << 7)
    /// The same by a query that a multiplexer would pass on to the terminal around it.
    package static let colorCountQuestion = Options(rawValue: 1 << 8)

    package static let screen: Options = [.alternateScreen, .hiddenCursor, .bracketedPaste]

    package init(rawValue: UInt16) { self.rawValue = rawValue }
  }

  private let descriptor: Int32
  private let writer: TerminalWriter

  /// - Parameter descriptor: An open terminal, usually `/dev/tty`; the caller keeps ownership.
  package init(_ descriptor: Int32, options: Options) throws(TerminalError) {
    let writer = try TerminalWriter()
    let enter = options.enterSequence
    let leave = options.leaveSequence
    let failure = trim_terminal_enter(descriptor, enter, enter.count, leave, leave.count)
    guard failure == 0 else {
      writer.finish()
      throw TerminalError(failure)
    }
    self.descriptor = descriptor
    self.writer = writer
  }

  deinit {
    writer.finish()
    trim_terminal_leave()
  }

  /// Submits a frame to be written, whole or not at all; never waits for the terminal.
  ///
  /// - Returns: `false` if the frame was dropped because the terminal has not yet read the previous
  ///   one. Draw again later, over what was shown before.
  /// - Throws: ``TerminalError/system(code:)`` when an earlier frame could not be written.
  @discardableResult
  package borrowing func draw(_ bytes: [UInt8]) throws(TerminalError) -> Bool {
    trim_terminal_let_abort_through()
    return try writer.write(bytes)
  }

  /// The current size.
  package borrowing func size(environment: [String: String]) -> Size {
    Size(ofTerminal: descriptor, environment: environment)
  }

  /// The current cell size in pixels; `nil` if the terminal does not report it.
  package borrowing func cellPixels() -> CellPixels? {
    let reported = trim_terminal_size(descriptor)
    guard reported.columns > 0, reported.rows > 0, reported.width > 0, reported.height > 0 else {
      return nil
    }
    return CellPixels(
      width: Int(reported.width / reported.columns), height: Int(reported.height / reported.rows))
  }

  /// Does what Ctrl-Z does: releases the terminal and stops the job until the shell continues it.
  ///
  /// ``TerminalEvent/continued`` follows.
  package borrowing func suspend() { trim_terminal_suspend() }

  /// Releases the terminal.
  package consuming func leave() {}

  /// Releases the terminal and ends by `signal`, so that the parent sees how it ended.
  package consuming func end(by signal: EndSignal) -> Never {
    writer.finish()
    trim_terminal_leave()
    trim_terminal_die(signal.rawValue)
  }
}

extension TerminalMode.Options {
  fileprivate var enterSequence: [UInt8] {
    var bytes: [UInt8] = []
    if contains(.alternateScreen) { bytes += ControlSequence.alternateScreen }
    if contains(.hiddenCursor) { bytes += ControlSequence.hideCursor }
    if contains(.mouse) { bytes += ControlSequence.mouseOn }
    if contains(.bracketedPaste) { bytes += ControlSequence.bracketedPasteOn }
    if contains(.imageQuestion) { bytes += KittyGraphics.question }
    if contains(.backgroundQuestion) { bytes += ControlSequence.backgroundQuestion }
    if contains(.colorQuestion) { bytes += ControlSequence.colorQuestion }
    if contains(.colorCountQuestion) { bytes += ControlSequence.colorCountQuestion }
    return bytes
  }

  /// Also terminates a truncated frame: ESC aborts any sequence.
  fileprivate var leaveSequence: [UInt8] {
    var bytes: [UInt8] = []
    if contains(.alternateScreen) {
      bytes += ControlSequence.plainStyle + ControlSequence.endSynchronizedUpdate
    }
    if contains(.images) { bytes += KittyGraphics.terminator + KittyGraphics.deletion }
    if contains(.bracketedPaste) { bytes += ControlSequence.bracketedPasteOff }
    if contains(.mouse) { bytes += ControlSequence.mouseOff }
    if contains(.hiddenCursor) { bytes += ControlSequence.showCursor }
    if contains(.alternateScreen) { bytes += ControlSequence.mainScreen }
    return bytes
  }
}

extension TerminalError {
  /// Converts the C layer's result.
  fileprivate init(_ code: Int32) {
    self =
      switch Int(code) {
      case TRIM_TERMINAL_BUSY: .alreadyTaken
      case TRIM_TERMINAL_NONE: .notATerminal
      default: .system(code: code)
      }
  }
}
