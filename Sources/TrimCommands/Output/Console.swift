/// The two streams of the tool, with what each can show.
struct Console: Sendable {
  /// Results only.
  var out: OutputStream
  /// Messages, progress, errors.
  var err: OutputStream
  var outTraits: StreamTraits
  var errTraits: StreamTraits
  /// `--plain`: no tables, no colour, nothing redrawn.
  var isPlain = false
  /// `-q`: no progress is shown; errors are.
  var isQuiet = false
  /// How often `-v` was given.
  var verbosity = 0
  /// What stderr can show by now; `nil` where that never changes.
  var errTraitsNow: (@Sendable () -> StreamTraits)?

  /// The width of stderr by now: the window of a terminal may have been resized.
  var errColumns: Int { errTraitsNow?().columns ?? errTraits.columns }

  /// Foreign text for a message on stderr.
  func shownOnErr(_ bytes: some Collection<UInt8>) -> String {
    ForeignText.shown(bytes, asciiOnly: !errTraits.isUTF8)
  }

  func shownOnErr(_ text: String) -> String { shownOnErr(text.utf8) }

  /// Reports a failure, with the way out beneath it.
  func error(_ message: String, hint: String? = nil) {
    let painter = Painter(usesColor: errTraits.usesColor)
    var text = painter.paint("trim:", .bad) + " " + message + "\n"
    if let hint { text += "  " + hint + "\n" }
    err.write(text)
  }
}
