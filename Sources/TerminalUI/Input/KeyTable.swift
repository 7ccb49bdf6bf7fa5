/// The mapping from bytes to keys: xterm's tables, with variants of rxvt, kitty and the Linux console.
enum KeyTable {
  /// The key of a single character; `nil` for controls that no key sends.
  static func key(of scalar: Unicode.Scalar, adding alt: Modifiers) -> Key? {
    switch scalar.value {
    case 0x00: return Key(.character(" "), alt.union(.control))
    case 0x08, 0x7F: return Key(.backspace, alt)
    case 0x09: return Key(.tab, alt)
    case 0x0A, 0x0D: return Key(.enter, alt)
    case 0x1B: return Key(.escape, alt)
    case 0x01...0x1A:
      let letter = Unicode.Scalar(UInt8(scalar.value) + 0x60)
      return Key(.character(Character(letter)), alt.union(.control))
    case 0x1C...0x1F:
      let sign = Unicode.Scalar(UInt8(scalar.value) + 0x40)
      return Key(.character(Character(sign)), alt.union(.control))
    case 0x80...0x9F: return nil
    default: return Key(.character(Character(scalar)), alt)
    }
  }

  /// The key after `ESC O`.
  static func singleShift(_ byte: UInt8) -> Key.Code? {
    switch byte {
    case UInt8(ascii: "P")...UInt8(ascii: "S"): .function(Int(byte - UInt8(ascii: "P")) + 1)
    case UInt8(ascii: "M"): .enter
    default: cursorKey(byte)
    }
  }

  /// The number of the function key after `ESC [ [`.
  static func consoleFunction(_ byte: UInt8) -> Int? {
    UInt8(ascii: "A")...UInt8(ascii: "E") ~= byte ? Int(byte - UInt8(ascii: "A")) + 1 : nil
  }

  /// The event of a complete control sequence; `nil` if it is not a key.
  static func event(
    of sequence: ControlSequenceCollector, final: UInt8, adding alt: Modifiers
  ) -> TerminalEvent? {
    if sequence.privateMarker == UInt8(ascii: "<") {
      return Mouse(sequence.parameters, final: final).map { .mouse($0) }
    }
    if sequence.privateMarker == UInt8(ascii: ">"), final == UInt8(ascii: "c") {
      // tmux has 256 colors whatever the terminal around it has, and calls itself a `T` (DA2).
      return sequence.parameters.first == 84 ? .has256Colors : nil
    }
    guard sequence.privateMarker == nil, !sequence.hasIntermediates else { return nil }
    let parameters = sequence.parameters
    let modifiers = alt.union(Modifiers(parameter: parameters.count > 1 ? parameters[1] : 1))
    let first = parameters.first ?? 1
    switch final {
    case UInt8(ascii: "I") where parameters.isEmpty: return .focusDidChange(isFocused: true)
    case UInt8(ascii: "O") where parameters.isEmpty: return .focusDidChange(isFocused: false)
    case UInt8(ascii: "Z"): return .key(Key(.tab, modifiers.union(.shift)))
    case UInt8(ascii: "P")...UInt8(ascii: "S") where first == 1:
      return .key(Key(.function(Int(final - UInt8(ascii: "P")) + 1), modifiers))
    case UInt8(ascii: "a")...UInt8(ascii: "d"):
      return cursorKey(final - 0x20).map { .key(Key($0, modifiers.union(.shift))) }
    case UInt8(ascii: "~") where first == 27 && parameters.count == 3:
      return typed(parameters[2], modifiers)
    case UInt8(ascii: "~"), UInt8(ascii: "^"):
      let control: Modifiers = final == UInt8(ascii: "^") ? .control : []
      return numbered(first).map { .key(Key($0, modifiers.union(control))) }
    case UInt8(ascii: "u"): return typed(first, modifiers)
    default: return cursorKey(final).map { .key(Key($0, modifiers)) }
    }
  }

  private static func cursorKey(_ byte: UInt8) -> Key.Code? {
    switch byte {
    case UInt8(ascii: "A"): .up
    case UInt8(ascii: "B"): .down
    case UInt8(ascii: "C"): .right
    case UInt8(ascii: "D"): .left
    case UInt8(ascii: "F"): .end
    case UInt8(ascii: "H"): .home
    default: nil
    }
  }

  /// The keys of `ESC [ n ~`.
  private static func numbered(_ number: Int) -> Key.Code? {
    switch number {
    case 1, 7: .home
    case 2: .insert
    case 3: .delete
    case 4, 8: .end
    case 5: .pageUp
    case 6: .pageDown
    case 11...15: .function(number - 10)
    case 17...21: .function(number - 11)
    case 23...24: .function(number - 12)
    default: nil
    }
  }

  /// A key given by its code point (kitty's `u`, xterm's modifyOtherKeys).
  private static func typed(_ codePoint: Int, _ modifiers: Modifiers) -> TerminalEvent? {
    // From U+E000 on, kitty numbers its modifier and media keys.
    guard !(0xE000..<0xF900 ~= codePoint), let scalar = Unicode.Scalar(UInt32(codePoint)),
      let key = key(of: scalar, adding: modifiers)
    else { return nil }
    return .key(key)
  }
}

extension Modifiers {
  /// Xterm's parameter: 1 plus one bit each for Shift, Alt, Control and Meta.
  fileprivate init(parameter: Int) {
    let bits = max(parameter, 1) - 1
    var modifiers: Modifiers = []
    if bits & 1 != 0 { modifiers.insert(.shift) }
    if bits & (2 | 8) != 0 { modifiers.insert(.alt) }
    if bits & 4 != 0 { modifiers.insert(.control) }
    self = modifiers
  }
}

extension Mouse {
  /// `ESC [ < button ; column ; row M` or, for a release, `m`.
  fileprivate init?(_ parameters: [Int], final: UInt8) {
    guard parameters.count == 3, final == UInt8(ascii: "M") || final == UInt8(ascii: "m") else {
      return nil
    }
    let code = parameters[0]
    guard code < 128 else { return nil }
    position = Position(column: max(parameters[1] - 1, 0), row: max(parameters[2] - 1, 0))
    var modifiers: Modifiers = []
    if code & 4 != 0 { modifiers.insert(.shift) }
    if code & 8 != 0 { modifiers.insert(.alt) }
    if code & 16 != 0 { modifiers.insert(.control) }
    self.modifiers = modifiers
    if code & 64 != 0 {
      guard code & 3 < 2 else { return nil }
      button = .none
      action = code & 1 == 0 ? .wheelUp : .wheelDown
      return
    }
    button =
      switch code & 3 {
      case 0: .left
      case 1: .middle
      case 2: .right
      default: .none
      }
    action = final == UInt8(ascii: "m") ? .release : code & 32 != 0 ? .drag : .press
  }
}
