/// Turns the bytes a terminal sends into events, without a clock and without a descriptor.
///
/// Bytes may arrive in any chunks. An escape byte may be the Escape key or begin a sequence: after
/// a short silence the caller decides that with ``flush()``. Unknown sequences are consumed whole;
/// whatever arrives, ``flush()`` resets the decoder.
package struct KeyDecoder: Sendable {
  private enum State {
    case ground
    /// After ESC.
    case escape
    /// After ESC [.
    case controlSequence(ControlSequenceCollector)
    /// After ESC O.
    case singleShift(isAlt: Bool)
    /// A string for the terminal (OSC, DCS, APC, PM, SOS), up to BEL or ST.
    case string(introducer: UInt8, isEmpty: Bool, sawEscape: Bool, TerminalAnswer)
    /// The three bytes of an old mouse report.
    case oldMouse(remaining: Int)
    /// ESC [ [ and a letter: F1 to F5 on the Linux console.
    case consoleFunction
    case paste(PasteCollector)
  }

  private var state = State.ground
  private var characters = UTF8Assembler()
  /// After ESC ESC, or before the character that follows an ESC.
  private var isAltPending = false

  package init() {}

  /// Whether more bytes may change the meaning of what has arrived: wait a moment, then
  /// ``flush()``.
  package var isWaiting: Bool {
    if case .ground = state { return characters.isWaiting }
    return true
  }

  /// The events that these bytes complete.
  package mutating func decode(_ bytes: some Sequence<UInt8>) -> [TerminalEvent] {
    var events: [TerminalEvent] = []
    for byte in bytes { take(byte, &events) }
    return events
  }

  /// Handles silence after an unfinished sequence: what has arrived is a key, or nothing.
  package mutating func flush() -> [TerminalEvent] {
    var events: [TerminalEvent] = []
    if let character = characters.flush() { emit(character: character, &events) }
    switch state {
    case .ground, .oldMouse, .consoleFunction: break
    case .escape:
      if isAltPending { events.append(.key(Key(.escape))) }
      events.append(.key(Key(.escape)))
    case .controlSequence(let collector) where collector.isEmpty:
      events.append(.key(Key(.character("["), .alt)))
    case .controlSequence: break
    case .singleShift: events.append(.key(Key(.character("O"), .alt)))
    case .string(let introducer, isEmpty: true, sawEscape: false, _):
      events.append(.key(Key(.character(Character(Unicode.Scalar(introducer))), .alt)))
    case .string: break
    case .paste(let collector): events.append(.pasted(collector.text))
    }
    reset()
    return events
  }

  private mutating func reset() {
    state = .ground
    isAltPending = false
  }

  private mutating func take(_ byte: UInt8, _ events: inout [TerminalEvent]) {
    switch state {
    case .ground: takeGround(byte, &events)
    case .escape: takeEscape(byte, &events)
    case .controlSequence(var collector): takeControl(byte, &collector, &events)
    case .singleShift(let isAlt):
      reset()
      let key = KeyTable.singleShift(byte)
      if let key { events.append(.key(Key(key, isAlt ? .alt : []))) }
    case .string(let introducer, _, let sawEscape, let answer):
      takeString(byte, introducer: introducer, sawEscape: sawEscape, answer, &events)
    case .oldMouse(let remaining):
      state = remaining > 1 ? .oldMouse(remaining: remaining - 1) : .ground
    case .consoleFunction:
      reset()
      if let number = KeyTable.consoleFunction(byte) { events.append(.key(Key(.function(number)))) }
    case .paste(var collector):
      if collector.take(byte) {
        reset()
        events.append(.pasted(collector.text))
      } else {
        state = .paste(collector)
      }
    }
  }

  private mutating func takeGround(_ byte: UInt8, _ events: inout [TerminalEvent]) {
    guard byte == ControlSequence.escape else {
      for character in characters.take(byte) { emit(character: character, &events) }
      return
    }
    if let character = characters.flush() { emit(character: character, &events) }
    state = .escape
  }

  private mutating func takeEscape(_ byte: UInt8, _ events: inout [TerminalEvent]) {
    switch byte {
    case ControlSequence.escape where !isAltPending: isAltPending = true
    case ControlSequence.escape: events.append(.key(Key(.escape)))
    case UInt8(ascii: "["): state = .controlSequence(ControlSequenceCollector())
    case UInt8(ascii: "O"): state = .singleShift(isAlt: isAltPending)
    case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "_"), UInt8(ascii: "^"),
      UInt8(ascii: "X"):
      state = .string(introducer: byte, isEmpty: true, sawEscape: false, TerminalAnswer())
    default:
      if isAltPending { events.append(.key(Key(.escape))) }
      state = .ground
      isAltPending = true
      takeGround(byte, &events)
    }
  }

  private mutating func takeControl(
    _ byte: UInt8, _ collector: inout ControlSequenceCollector, _ events: inout [TerminalEvent]
  ) {
    if collector.isEmpty, byte == UInt8(ascii: "[") {
      state = .consoleFunction
      return
    }
    switch collector.take(byte) {
    case .needsMore: state = .controlSequence(collector)
    case .aborted:
      reset()
      takeGround(byte, &events)
    case .complete where collector.isOldMouse(final: byte): state = .oldMouse(remaining: 3)
    case .complete where collector.beginsPaste(final: byte): state = .paste(PasteCollector())
    case .complete:
      let alt: Modifiers = isAltPending ? .alt : []
      reset()
      if let event = KeyTable.event(of: collector, final: byte, adding: alt) {
        events.append(event)
      }
    }
  }

  private mutating func takeString(
    _ byte: UInt8, introducer: UInt8, sawEscape: Bool, _ answer: TerminalAnswer,
    _ events: inout [TerminalEvent]
  ) {
    let isBell = byte == 0x07
    let isTerminated = sawEscape && byte == UInt8(ascii: "\\")
    // CAN and SUB abort a string (ECMA-48 8.3); so does an ESC that begins something else.
    if isBell || isTerminated || byte == 0x18 || byte == 0x1A || sawEscape {
      reset()
      if let event = answer.event(introducer, isTerminated: isTerminated, isBell: isBell) {
        events.append(event)
      }
      if sawEscape, !isTerminated, !isBell {
        state = .escape
        takeEscape(byte, &events)
      }
    } else {
      var answer = answer
      let isEscape = byte == ControlSequence.escape
      if !isEscape { answer.take(byte) }
      state = .string(introducer: introducer, isEmpty: false, sawEscape: isEscape, answer)
    }
  }

  private mutating func emit(character: Unicode.Scalar, _ events: inout [TerminalEvent]) {
    let alt: Modifiers = isAltPending ? .alt : []
    isAltPending = false
    if let key = KeyTable.key(of: character, adding: alt) { events.append(.key(key)) }
  }
}

extension TerminalAnswer {
  /// Image answers are application program commands (APC), color answers operating system commands
  /// (OSC), and answers about capabilities device control strings (DCS).
  fileprivate func event(
    _ introducer: UInt8, isTerminated: Bool, isBell: Bool
  ) -> TerminalEvent? {
    switch introducer {
    case UInt8(ascii: "_") where isTerminated: showsImages ? .showsImages : nil
    // Some terminals end an OSC with BEL.
    case UInt8(ascii: "]") where isTerminated || isBell:
      hasLastColor ? .has256Colors : background.map { .background($0) }
    case UInt8(ascii: "P") where isTerminated: countsManyColors ? .has256Colors : nil
    default: nil
    }
  }
}
