import SafeText

/// The two streams of the tool, with what each can show.
package struct Console: Sendable {
  /// Results only.
  package var out: OutputStream
  /// Messages, progress, errors.
  package var err: OutputStream
  package var outTraits: StreamTraits
  package var errTraits: StreamTraits
  /// `--plain`: no tables, no color, nothing redrawn.
  package var isPlain = false
  /// `-q`: no progress, only errors.
  package var isQuiet = false
  /// How often `-v` was given.
  package var verbosity = 0
  /// What stderr can currently show; `nil` if that never changes.
  package var errTraitsNow: (@Sendable () -> StreamTraits)?

  package init(
    out: OutputStream,
    err: OutputStream,
    outTraits: StreamTraits,
    errTraits: StreamTraits,
    isPlain: Bool = false,
    isQuiet: Bool = false,
    verbosity: Int = 0,
    errTraitsNow: (@Sendable () -> StreamTraits)? = nil
  ) {
    self.out = out
    self.err = err
    self.outTraits = outTraits
    self.errTraits = errTraits
    self.isPlain = isPlain
    self.isQuiet = isQuiet
    self.verbosity = verbosity
    self.errTraitsNow = errTraitsNow
  }

  /// The current width of stderr: a terminal window may have been resized.
  package var errColumns: Int { errTraitsNow?().columns ?? errTraits.columns }

  /// Untrusted text, made safe for a message on stderr.
  package func shownOnErr(_ bytes: some Collection<UInt8>) -> String {
    ForeignText.shown(bytes, asciiOnly: !errTraits.isUTF8)
  }

  package func shownOnErr(_ text: String) -> String { shownOnErr(text.utf8) }

  /// Reports a failure, with a hint below it.
  package func error(_ message: String, hint: String? = nil) {
    let painter = Painter(usesColor: errTraits.usesColor)
    var text = painter.paint("trim:", .bad) + " " + message + "\n"
    if let hint { text += "  " + hint + "\n" }
    err.write(text)
  }
}
