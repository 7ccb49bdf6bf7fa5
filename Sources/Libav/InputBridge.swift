import CFFmpeg
import Synchronization

/// The state behind FFmpeg's read callbacks: the input, the position, and when to stop.
final class InputBridge: Sendable {
  let input: any ByteInput
  private let deadline: ContinuousClock.Instant?
  private let isCancelled: @Sendable () -> Bool
  private let state: Mutex<State>

  private struct State {
    var position: Int64 = 0
    /// How much is read at once: little after a jump, as the next may follow soon.
    var portion = BridgeContext.bufferSize
    var barrenLimit: Int64
    var fault: InputFault?
    /// Bytes read since the last packet, and where that one ended.
    var barrenCount: Int64 = 0
    var barrenStart: Int64 = 0
    var isBarren = false
    /// Where the input was ended for FFmpeg.
    var barrenEnd: Int64 = 0
    /// How long one byte may be repeated; `nil` for no limit.
    var monotonyLimit: Int64?
    /// There is no longer repetition before this position.
    var monotonyEnd: Int64 = 0
    var entries: EntryCount?
    /// The duplicate packets of a transport stream.
    var duplicates: TransportDuplicates?
    /// The processor time that its thread had used when it began to open the input.
    var opening: Duration?
  }

  /// The processor time allowed for opening an input, and how many bytes allow one more second.
  private static var openingTime: Duration { .seconds(4) }
  private static let openedBytesPerSecond: Int64 = 32 << 20
  /// Between the samples of one track there may be much of another's.
  private static let portionAfterJump = 32 << 10

  init(
    _ input: any ByteInput, barrenLimit: Int64, deadline: ContinuousClock.Instant?,
    isCancelled: @escaping @Sendable () -> Bool
  ) {
    self.input = input
    self.deadline = deadline
    self.isCancelled = isCancelled
    state = Mutex(State(barrenLimit: barrenLimit))
  }

  /// The first fault of the input; FFmpeg reports it only as "I/O error".
  var fault: InputFault? { state.withLock { $0.fault } }
  var position: Int64 { state.withLock { $0.position } }

  /// Where the last packet ended.
  var lastPacketEnd: Int64 { state.withLock { $0.barrenStart } }
  /// True once too many bytes contained no packet: for FFmpeg the input ends there.
  var isBarren: Bool { state.withLock { $0.isBarren } }

  /// Records that a packet was found in the bytes read so far.
  ///
  /// - Parameter end: where it ends in the input; `nil` when its demuxer does not report it.
  func foundPacket(endingAt end: Int64?) {
    state.withLock { state in
      // Packets of several streams may end in a different order than they are returned in.
      if let end { state.barrenStart = max(state.barrenStart, end) }
      // Packets that were read ahead are still returned after the end.
      guard !state.isBarren else { return }
      state.barrenCount = 0
      if end == nil { state.barrenStart = state.position }
    }
  }

  /// From now on no more than this many bytes may contain no packet.
  func limitBarren(to limit: Int64) {
    state.withLock { $0.barrenLimit = min($0.barrenLimit, limit) }
  }

  /// From now on the input ends where one byte is repeated for so long that there can be no
  /// packet.
  func endAtMonotony(of limit: Int64) {
    state.withLock { $0.monotonyLimit = limit }
  }

  /// Marks that the streams are known and packets are read from now on.
  ///
  /// A transport stream was already read once to find every stream, and is read again.
  func beginPackets() {
    state.withLock { state in
      state.opening = nil
      guard !state.isBarren || state.position != state.barrenEnd else { return }
      state.barrenCount = 0
      state.isBarren = false
    }
  }

  /// From now on, until ``beginPackets()``, the processor time of its thread is limited.
  func beginOpening() { state.withLock { $0.opening = WorkThread.Clock()?.time } }

  private var hasOpenedTooLong: Duration? {
    let (opening, position) = state.withLock { ($0.opening, $0.position) }
    guard let opening, let now = WorkThread.Clock()?.time else { return nil }
    let most = Self.openingTime + .seconds(position / Self.openedBytesPerSecond)
    return now - opening > most ? most : nil
  }

  /// From now on the metadata entries of a demuxer are counted whenever it reads.
  func watch(_ entries: EntryCount) { state.withLock { $0.entries = entries } }

  func takeDuplicates() -> TransportDuplicates? {
    state.withLock { state in
      defer { state.duplicates = nil }
      return state.duplicates
    }
  }

  /// The PIDs of scrambled packets that were read from a transport stream.
  var scrambledPIDs: Set<Int> { state.withLock { $0.duplicates?.scrambled ?? [] } }

  func put(_ duplicates: TransportDuplicates) {
    state.withLock { $0.duplicates = duplicates }
  }

  /// True when work must stop; remembers why.
  func shouldStop() -> Bool {
    let kind: InputFault.Kind
    if isCancelled() {
      kind = .cancelled
    } else if let deadline, ContinuousClock.now > deadline {
      kind = .timedOut
    } else {
      return false
    }
    note(kind)
    return true
  }

  private func note(_ kind: InputFault.Kind) {
    state.withLock { state in
      if state.fault == nil { state.fault = InputFault(kind, at: state.position) }
    }
  }

  /// The read callback of an `AVIOContext`.
  func read(_ buffer: UnsafeMutableRawBufferPointer) -> Int32 {
    if shouldStop() { return trim_ERROR_EXIT }
    if let entries = state.withLock({ $0.entries }), entries.isOverLimit {
      note(.entries(entries.limit))
      return trim_ERROR_EXIT
    }
    if let time = hasOpenedTooLong {
      note(.computing(time))
      return trim_ERROR_EXIT
    }
    let (position, isBarren) = state.withLock { state in
      if state.barrenCount >= state.barrenLimit, !state.isBarren {
        state.isBarren = true
        state.barrenEnd = state.position
      }
      return (state.position, state.isBarren)
    }
    if isBarren { return trim_ERROR_EOF }
    let portion = state.withLock { state in
      defer { state.portion = min(state.portion * 2, BridgeContext.bufferSize) }
      return min(state.portion, buffer.count)
    }
    do {
      let count = unsafe try input.read(
        into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<portion]), at: position)
      guard count > 0 else { return trim_ERROR_EOF }
      unsafe hideDuplicates(
        in: UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]), at: position)
      let filled = unsafe UnsafeRawBufferPointer(rebasing: buffer[..<count])
      if let start = unsafe monotony(in: filled, at: position) {
        state.withLock { state in
          state.position += Int64(start)
          state.isBarren = true
          state.barrenEnd = state.position
        }
        return start > 0 ? Int32(start) : trim_ERROR_EOF
      }
      state.withLock { state in
        // The input has bytes up to here, so the position fits in 64 bits.
        state.position += Int64(count)
        state.barrenCount += Int64(count)
      }
      return Int32(count)
    } catch {
      state.withLock { state in
        if state.fault == nil { state.fault = error }
      }
      return trim_ERROR_IO
    }
  }

  /// Where a run of one byte without packets begins in the bytes read.
  private func monotony(in bytes: UnsafeRawBufferPointer, at position: Int64) -> Int? {
    let (limit, end) = state.withLock { ($0.monotonyLimit, $0.monotonyEnd) }
    guard let limit, position >= end else { return nil }
    let look = unsafe Monotony.look(
      behind: bytes, at: position, of: input, limit: limit, goesOn: { !shouldStop() })
    if let look { state.withLock { $0.monotonyEnd = look.end } }
    return look?.start
  }

  /// The seek callback of an `AVIOContext`; −1 where the size is requested but not known.
  func seek(_ offset: Int64, _ whence: Int32) -> Int64 {
    let size = input.byteCount
    switch whence & ~AVSEEK_FORCE {
    case AVSEEK_SIZE: return size ?? -1
    case 0: return move(to: offset)
    case 1:
      let (sum, overflow) = position.addingReportingOverflow(offset)
      return overflow ? -1 : move(to: sum)
    case 2:
      guard let size else { return -1 }
      let (sum, overflow) = size.addingReportingOverflow(offset)
      return overflow ? -1 : move(to: sum)
    default: return -1
    }
  }

  private func move(to position: Int64) -> Int64 {
    guard position >= 0 else { return -1 }
    state.withLock { state in
      if state.position != position { state.portion = Self.portionAfterJump }
      state.position = position
    }
    return position
  }
}

extension BridgeContext {
  convenience init(reading bridge: InputBridge) throws(LibavError) {
    try unsafe self.init(bridge, "read") { buffer, size, opaque in
      unsafe avio_alloc_context(
        buffer, size, 0, opaque,
        { opaque, bytes, count in
          guard let opaque = unsafe opaque, let bytes = unsafe bytes, count > 0 else {
            return trim_ERROR_IO
          }
          let bridge = unsafe Unmanaged<InputBridge>.fromOpaque(opaque).takeUnretainedValue()
          return unsafe bridge.read(
            UnsafeMutableRawBufferPointer(start: bytes, count: Int(count)))
        }, nil,
        { opaque, offset, whence in
          guard let opaque = unsafe opaque else { return -1 }
          let bridge = unsafe Unmanaged<InputBridge>.fromOpaque(opaque).takeUnretainedValue()
          return bridge.seek(offset, whence)
        })
    }
  }
}
