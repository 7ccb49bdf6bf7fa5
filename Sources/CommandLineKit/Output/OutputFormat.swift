/// What a command prints on stdout.
package enum OutputFormat: String, Sendable, Codable {
  case screen
  /// One document, or an array of them.
  case document
  /// One line per file.
  case lines

  package init(_ parsed: ParsedArguments, command: String) throws(UsageError) {
    switch (parsed.has("json"), parsed.has("jsonl")) {
    case (true, true):
      throw UsageError("'--json' and '--jsonl' exclude each other.", command: command)
    case (true, false): self = .document
    case (false, true): self = .lines
    case (false, false): self = .screen
    }
  }
}
