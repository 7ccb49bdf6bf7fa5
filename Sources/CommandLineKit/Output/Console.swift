/// The two streams of the tool, with what each can show.
package struct Console: Sendable {
  /// Results only.
  package var out: OutputStream
  /// Messages, progress, errors.
  package var err: OutputStream
  package var outTraits: StreamTraits
  package var errTraits: StreamTraits
  /// `--plain`: no tables, no colour, nothing redrawn.
  package var isPlain = false
  /// `-q`: no progress is shown; errors are.
  package var isQuiet = false
  /// How often `-v` was given.
  package var verbosity = 0
  /// What stderr can show by now; `nil` where that never changes.
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

  /// The width of stderr by now: the window of a terminal may have been resized.
  package var errColumns: Int { errTraitsNow?().columns ?? errTraits.columns }

  /// Foreign text for a message on stderr.
  package func shownOnErr(_ bytes: some Collection<UInt8>) -> String {
    ForeignText.shown(bytes, asciiOnly: !errTraits.isUTF8)
  }

  package func shownOnErr(_ text: String) -> String { shownOnErr(text.utf8) }

  /// Reports a failure, with the way out beneath it.
  package func error(_ message: String, hint: String? = nil) {
    let painter = Painter(usesColor: errTraits.usesColor)
    var text = painter.paint("trim:", .bad) + " " + message + "\n"
    if let hint { text += "  " + hint + "\n" }
    err.write(text)
  }
}
