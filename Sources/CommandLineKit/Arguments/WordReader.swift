import SafeText

/// Splits the words of a command line into options and positional arguments.
package struct WordReader {
  package enum Name: Equatable {
    case long(String)
    case short(Character)
    /// An option whose name is not valid text.
    case unreadable(String)

    package var display: String {
      switch self {
      case .long(let name): "--\(ForeignText.shown(name))"
      case .short(let letter): "-\(ForeignText.shown(String(letter)))"
      case .unreadable(let shown): shown
      }
    }
  }

  package enum Word {
    case positional(ArgumentText)
    /// An option, with the value in the same word if any: `--depth=header`, `-j2`.
    case option(Name, attached: ArgumentText?)
  }

  package let options: [OptionSpec]
  package let command: String
  private var words: ArraySlice<ArgumentText>
  /// The word that was read last, as it was typed.
  package private(set) var typed: ArgumentText?
  /// The remaining bundled short options: `-vq`.
  private var bundle: ArraySlice<UInt8> = []
  private var optionsEnded = false

  package init(words: [ArgumentText], options: [OptionSpec], command: String) {
    self.words = words[...]
    self.options = options
    self.command = command
  }

  /// The unread words; words after `--` keep that marker.
  package var rest: [ArgumentText] { optionsEnded ? ["--"] + words : Array(words) }

  package mutating func next() -> Word? {
    if let letter = bundle.popFirst() { return shortOption(letter) }
    guard let word = words.popFirst() else { return nil }
    typed = word
    let dash = UInt8(ascii: "-")
    guard !optionsEnded, word.bytes.first == dash, word.bytes.count > 1 else {
      return .positional(word)
    }
    if word.bytes == [dash, dash] {
      optionsEnded = true
      return next()
    }
    if word.bytes[1] == dash { return longOption(word.bytes.dropFirst(2)) }
    bundle = word.bytes.dropFirst(2)
    return shortOption(word.bytes[1])
  }

  /// Takes the next word as the value of an option: anything but another option.
  ///
  /// A value that begins with a dash requires an equals sign; `-` itself and negative numbers are
  /// values.
  package mutating func takeValue() -> ArgumentText? {
    guard let word = words.first else { return nil }
    if !optionsEnded, word.bytes.first == UInt8(ascii: "-"), word.bytes.count > 1 {
      let second = word.bytes[1]
      guard second == UInt8(ascii: ".") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(second)
      else { return nil }
    }
    words.removeFirst()
    return word
  }

  package func option(named name: Name) -> OptionSpec? {
    switch name {
    case .long(let text): options.first { $0.longNames.contains(text) }
    case .short(let letter): options.first { $0.short == letter }
    case .unreadable: nil
    }
  }

  private func longOption(_ bytes: ArraySlice<UInt8>) -> Word {
    let parts = bytes.split(
      separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
    let attached = parts.count == 2 ? ArgumentText(bytes: Array(parts[1])) : nil
    guard let name = String(validating: parts[0], as: UTF8.self) else {
      return .option(.unreadable("--" + ForeignText.shown(parts[0])), attached: attached)
    }
    return .option(.long(name), attached: attached)
  }

  private mutating func shortOption(_ byte: UInt8) -> Word {
    guard byte > 0x20, byte < 0x7f else {
      let shown = "-" + ForeignText.shown([byte] + bundle)
      bundle = []
      return .option(.unreadable(shown), attached: nil)
    }
    let name = Name.short(Character(Unicode.Scalar(byte)))
    guard option(named: name)?.valueName != nil, let first = bundle.first else {
      return .option(name, attached: nil)
    }
    let value = first == UInt8(ascii: "=") ? bundle.dropFirst() : bundle
    bundle = []
    return .option(name, attached: ArgumentText(bytes: Array(value)))
  }
}
