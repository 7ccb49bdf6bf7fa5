import Glibc
package import Libav
import Synchronization
import Threads

/// A file on another machine, read by ranges through a cache.
///
/// What was announced is fetched before it is read: several requests are in flight then.
package final class RemoteFile: Sendable {
  /// What it is called wherever it is shown; never its whole address.
  package let name: [UInt8]
  package let byteCount: Int64
  private let source: any RemoteSource
  private let cache: BlockCache
  let number: Int
  private let state: Mutex<State>
  private let firstFault = Mutex<MediaError?>(nil)

  private struct State {
    var plan: RequestPlan
    var flights: [Flight] = []
    /// What was fetched before it was read, and was not read since.
    var ahead: [Range<Int64>] = []
    /// Whether a request failed that nobody waited for: nothing more is fetched before it is read.
    var isCareful = false
  }

  /// What is to be done about bytes that are not in the cache.
  private enum Step {
    case again
    case wait(Flight)
    case fetch(Flight, [Flight])
  }

  package init(_ source: any RemoteSource, name: [UInt8], cache: BlockCache) {
    self.source = source
    self.name = name
    self.cache = cache
    byteCount = source.byteCount
    number = cache.newFile()
    let block = BlockCache.blockBytes
    let head = source.head
    // An incomplete block would look like the end of the file.
    let whole = Int64(head.count) >= byteCount ? head.count : head.count / block * block
    state = Mutex(State(plan: RequestPlan(cacheBytes: cache.most, headBytes: Int64(whole))))
    cache.keep(number, Array(head[..<whole]), from: 0)
  }

  deinit {
    for range in state.withLock({ $0.ahead }) { cache.release(range.count) }
    cache.forget(number)
  }

  /// Why it could not be read: everything that was made of it is then worthless.
  package var fault: MediaError? { firstFault.withLock { $0 } }

  /// Another use of it begins: time limits count from now on.
  func restart() { source.restart() }

  /// Makes it a ``fault`` if what was read is not all of one version.
  package func confirm() {
    guard fault == nil else { return }
    do throws(MediaError) { try source.confirm() } catch { fail(error) }
  }

  private func fail(_ error: MediaError) { firstFault.withLock { known in known = known ?? error } }

  private func step(at position: Int64, count: Int) -> Step {
    state.withLock { state in
      settle(position, &state)
      let place = BlockCache.block(of: position)
      // Another reader may have fetched it meanwhile.
      if cache.holds(number, place...place) { return .again }
      if let flight = state.flights.first(where: { $0.range.contains(position) }) {
        return .wait(flight)
      }
      let block = Int64(BlockCache.blockBytes)
      let most = min(state.plan.most, Int64(count))
      let wanted = place * block..<min(byteCount, (position + most + block - 1) / block * block)
      let range = missing(state.plan.request(for: wanted), from: place, state.flights)
      let flight = Flight(range, isAhead: false)
      cache.reserve(range.count, atAnyRate: true)
      state.flights.append(flight)
      return .fetch(flight, ahead(of: position, &state))
    }
  }

  /// The part of a range that neither is there nor on its way.
  ///
  /// - Parameter place: a block that is missing, in the range.
  private func missing(
    _ range: Range<Int64>, from place: Int64, _ flights: [Flight]
  ) -> Range<Int64> {
    let block = Int64(BlockCache.blockBytes)
    let start = place * block
    var lower = BlockCache.block(of: range.lowerBound) * block
    var upper = min(range.upperBound, byteCount)
    for flight in flights {
      if flight.range.upperBound <= start { lower = max(lower, flight.range.upperBound) }
      if flight.range.lowerBound > start { upper = min(upper, flight.range.lowerBound) }
    }
    var first = BlockCache.block(of: lower)
    while first < place, cache.holds(number, first...first) { first += 1 }
    // What follows is left out as far as it is there already.
    let blocks = first...max(place, BlockCache.block(of: upper - 1))
    let last = cache.lastMissing(number, blocks, gap: Int(RequestPlan.gap / block)) ?? place
    return first * block..<min(byteCount, (max(last, place) + 1) * block)
  }

  /// Requests for what was announced, as many as may be in flight and as the cache has room for.
  private func ahead(of position: Int64, _ state: inout State) -> [Flight] {
    var found: [Flight] = []
    while !state.isCareful, state.flights.count < source.mostRequests,
      let next = state.plan.next(after: position)
    {
      guard let place = firstMissing(in: next, state.flights) else { continue }
      let range = missing(
        place * Int64(BlockCache.blockBytes)..<next.upperBound, from: place, state.flights)
      guard cache.reserve(range.count) else {
        state.plan.announce(next)
        break
      }
      let flight = Flight(range, isAhead: true)
      state.flights.append(flight)
      state.ahead.append(range)
      found.append(flight)
    }
    return found
  }

  private func firstMissing(in range: Range<Int64>, _ flights: [Flight]) -> Int64? {
    let block = Int64(BlockCache.blockBytes)
    let upper = min(range.upperBound, byteCount)
    guard range.lowerBound < upper else { return nil }
    return (BlockCache.block(of: range.lowerBound)...BlockCache.block(of: upper - 1)).first {
      place in
      !cache.holds(number, place...place)
        && !flights.contains { $0.range.contains(place * block) }
    }
  }

  /// Notes that what was fetched ahead is being read.
  ///
  /// - Returns: whether there is room for more.
  @discardableResult private func settle(_ position: Int64, _ state: inout State) -> Bool {
    guard let place = state.ahead.firstIndex(where: { $0.contains(position) }) else { return false }
    let range = state.ahead.remove(at: place)
    cache.release(range.count)
    cache.settle(
      number, BlockCache.block(of: range.lowerBound)...BlockCache.block(of: range.upperBound - 1))
    return true
  }

  /// Fetches on threads of their own.
  private func send(_ flights: [Flight]) {
    for flight in flights where !WaitingThread.run({ [self] in _ = fetch(flight) }) {
      end(flight, nil, isFetched: false)
    }
  }

  private func fetch(_ flight: Flight) -> Result<[UInt8], MediaError> {
    let result = Result { () throws(MediaError) in try bytes(of: flight.range) }
    switch result {
    case .success(let bytes):
      cache.keep(number, bytes, from: flight.range.lowerBound, isAhead: flight.isAhead)
      end(flight, nil, isFetched: true)
    case .failure(let error):
      end(flight, error, isFetched: false)
    }
    return result
  }

  private func end(_ flight: Flight, _ error: MediaError?, isFetched: Bool) {
    state.withLock { state in
      state.flights.removeAll { $0 === flight }
      if !flight.isAhead {
        cache.release(flight.range.count)
      } else if !isFetched {
        state.isCareful = true
        settle(flight.range.lowerBound, &state)
      }
    }
    flight.end(with: error)
  }

  private func bytes(of range: Range<Int64>) throws(MediaError) -> [UInt8] {
    let bytes = try source.bytes(in: range)
    guard bytes.count == range.count else {
      throw MediaError(
        .readFailed, "the server sent \(bytes.count) bytes of a range of \(range.count)")
    }
    return bytes
  }
}

extension RemoteFile: RangedBytes {
  package func read(
    into buffer: UnsafeMutableRawBufferPointer, at position: Int64
  ) -> Result<Int, InputFault> {
    guard position >= 0, position < byteCount else { return .success(0) }
    let buffer = UnsafeMutableRawBufferPointer(
      rebasing: buffer[..<Int(min(Int64(buffer.count), byteCount - position))])
    var done = 0
    while done < buffer.count {
      let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
      let place = position + Int64(done)
      let kept = cache.copy(number, from: place, into: rest)
      done += kept
      if kept > 0 {
        send(state.withLock { settle(place, &$0) ? ahead(of: place, &$0) : [] })
        continue
      }
      if fault != nil { return .failure(InputFault(.failed(EIO), at: place)) }
      switch step(at: place, count: rest.count) {
      case .again: break
      case .wait(let flight): if let error = flight.wait() { fail(error) }
      case .fetch(let flight, let others):
        send(others)
        switch fetch(flight) {
        case .success(let bytes): done += Self.copy(bytes, from: flight.range, to: rest, at: place)
        case .failure(let error): fail(error)
        }
      }
    }
    return .success(done)
  }

  private static func copy(
    _ bytes: [UInt8], from range: Range<Int64>, to buffer: UnsafeMutableRawBufferPointer,
    at position: Int64
  ) -> Int {
    let offset = Int(position - range.lowerBound)
    let count = min(buffer.count, bytes.count - offset)
    bytes.withUnsafeBytes { bytes in
      UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]).copyMemory(
        from: UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count]))
    }
    return count
  }

  package func expect(_ range: Range<Int64>) {
    let inside = range.clamped(to: 0..<byteCount)
    guard !inside.isEmpty else { return }
    state.withLock { $0.plan.expect(inside) }
  }

  package func announce(_ range: Range<Int64>) {
    let inside = range.clamped(to: 0..<byteCount)
    guard !inside.isEmpty else { return }
    // What is there already may be displaced before the rest is read, and was read by then.
    guard let place = firstMissing(in: inside, []) else { return }
    let start = max(inside.lowerBound, place * Int64(BlockCache.blockBytes))
    state.withLock { $0.plan.announce(start..<inside.upperBound) }
  }

  package func isAtHand(_ range: Range<Int64>) -> Bool {
    let inside = range.clamped(to: 0..<byteCount)
    guard !inside.isEmpty else { return true }
    return cache.holds(
      number,
      BlockCache.block(of: inside.lowerBound)...BlockCache.block(of: inside.upperBound - 1))
  }
}
