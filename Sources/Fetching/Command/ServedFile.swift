import Synchronization

/// One file on a server that speaks HTTP.
final class ServedFile: RangeSource {
  let byteCount: Int64?
  let head: [UInt8]
  private let fetcher: Fetcher
  private let address: RemoteAddress
  private let hasRanges: Bool
  private let version: FileVersion
  private let state: Mutex<State>
  private let slots: Slots
  private let spend: @Sendable (FetchCost) -> Void

  private struct State {
    /// Where the address led to: often a signed address of another server.
    var place: RemoteAddress
    var cost: FetchCost
    /// By when all work with it must be over.
    var deadline: ContinuousClock.Instant?
  }

  /// Asks for the front.
  init(
    _ address: RemoteAddress, _ fetcher: Fetcher, firstBytes: Int,
    _ spend: @escaping @Sendable (FetchCost) -> Void
  ) throws(FetchFault) {
    let asked = 0..<min(Int64(firstBytes), fetcher.limits.rangeBytes)
    let deadline = fetcher.limits.total.map { ContinuousClock.now + $0 }
    var attempts = Attempts(
      fetcher, until: fetcher.limits.end(forBytes: firstBytes, deadline: deadline))
    var cost = FetchCost()
    let count = { (more: FetchCost) in
      cost = cost + more
      fetcher.note(more)
      spend(more)
    }
    var front: Front?
    while front == nil {
      let answer = try FetchHop.follow(
        address, from: address, fetcher,
        FetchHop.Wish(range: asked, takesWhole: true), attempts.end, count)
      do throws(FetchTrouble) {
        front = try Front(answer.answer, asked: asked, at: answer.place)
      } catch {
        try attempts.again(after: error)
      }
    }
    guard let front else { throw Fetcher.lost }
    byteCount = front.byteCount
    head = front.bytes
    hasRanges = front.hasRanges
    version = front.version
    self.address = address
    self.fetcher = fetcher
    self.spend = spend
    state = Mutex(State(place: front.place, cost: cost, deadline: deadline))
    slots = Slots(fetcher.limits.requestsPerSource)
  }

  var mostRequests: Int { fetcher.limits.requestsPerSource }

  func restart() {
    state.withLock { $0.deadline = fetcher.limits.total.map { ContinuousClock.now + $0 } }
  }

  var cost: FetchCost { state.withLock { $0.cost } }

  private func count(_ more: FetchCost) {
    fetcher.note(more)
    spend(more)
    state.withLock { $0.cost = $0.cost + more }
  }

  func bytes(in range: Range<Int64>) throws(FetchFault) -> [UInt8] {
    guard range.lowerBound >= 0, range.upperBound <= byteCount ?? .max else {
      throw FetchFault(.internalError, "bytes were asked for that it does not have")
    }
    if range.upperBound <= Int64(head.count) {
      return Array(head[Int(range.lowerBound)..<Int(range.upperBound)])
    }
    guard hasRanges else {
      throw FetchFault(
        .rangesMissing,
        "its server sends no ranges of it (it does not support 'Range'), and more than the first "
          + "\(head.count) bytes are needed",
        hint: "Download it, or put it on a server that supports ranges.")
    }
    var found: [UInt8] = []
    found.reserveCapacity(range.count)
    var place = range.lowerBound
    while place < range.upperBound {
      let end = min(range.upperBound, place + fetcher.limits.rangeBytes)
      found += try piece(place..<end)
      place = end
    }
    return found
  }

  private func piece(_ range: Range<Int64>) throws(FetchFault) -> [UInt8] {
    try slots.using(fetcher.isInterrupted) { () throws(FetchFault) in
      let deadline = state.withLock { $0.deadline }
      var attempts = Attempts(
        fetcher, until: fetcher.limits.end(forBytes: range.count, deadline: deadline))
      var found: [UInt8] = []
      while true {
        let rest = range.lowerBound + Int64(found.count)..<range.upperBound
        do throws(FetchTrouble) {
          found += try once(rest, attempts.end)
          if found.count == range.count { return found }
        } catch {
          found += error.arrived
          if found.count == range.count { return found }
          guard found.count < range.count else { throw RangeAnswer.longer.fault }
          try attempts.again(after: error)
        }
      }
    }
  }

  private func once(
    _ range: Range<Int64>, _ end: ContinuousClock.Instant
  ) throws(FetchTrouble) -> [UInt8] {
    let from = state.withLock { $0.place }
    let reached: (answer: Fetcher.Answer, place: RemoteAddress)
    do throws(FetchFault) {
      reached = try FetchHop.follow(
        from, from: address, fetcher, FetchHop.Wish(range: range, condition: version.condition),
        end, count)
    } catch {
      throw FetchTrouble(error)
    }
    let head = reached.answer.head
    if from != address, [401, 403, 404, 410].contains(head.status) {
      // Where it led to was valid for a time: it is asked where to again.
      state.withLock { $0.place = address }
      throw FetchTrouble(StatusFault.of(head.status), isPassing: true, pause: .zero)
    }
    // What arrived before a break is of use if it is what was asked for.
    let ended = FetchHop.trouble(reached.answer)
    if let ended, !ended.isOfEnd { throw ended }
    switch head.status {
    case 206: break
    case 200 where version.isKnown && version.isSame(as: FileVersion(head)):
      throw FetchTrouble(
        FetchFault(.rangesMissing, "its server has stopped sending ranges of it"))
    default: throw FetchTrouble(.inputChanged)
    }
    guard version.isSame(as: FileVersion(head)) else { throw FetchTrouble(.inputChanged) }
    let stated = try RangeAnswer.check(head, asked: range)
    if let total = stated.total, let byteCount, total != byteCount {
      throw FetchTrouble(.inputChanged)
    }
    if stated.bytes != range { throw RangeAnswer.wrong(stated, asked: range) }
    state.withLock { $0.place = reached.place }
    if let ended { throw ended }
    return try RangeAnswer.body(of: reached.answer, byteCount: range.count)
  }
}

extension FetchFault {
  static var inputChanged: FetchFault {
    FetchFault(.inputChanged, "the file on the server changed while it was being read")
  }
}

/// What the first answer tells about a file.
private struct Front {
  var byteCount: Int64?
  var bytes: [UInt8]
  var hasRanges = true
  var version: FileVersion
  var place: RemoteAddress

  init(
    _ answer: Fetcher.Answer, asked: Range<Int64>, at place: RemoteAddress
  ) throws(FetchTrouble) {
    // Where the answer was wrong already, nothing is gained by waiting for its end again.
    let ended = FetchHop.trouble(answer)
    if let ended, !ended.isOfEnd { throw ended }
    version = FileVersion(answer.head)
    self.place = place
    switch answer.head.status {
    case 206:
      let stated = try RangeAnswer.check(answer.head, asked: asked)
      guard let total = stated.total else {
        throw FetchTrouble(
          FetchFault(.answerInvalid, "its server does not say how long it is ('Content-Range')"))
      }
      guard stated.bytes == 0..<min(asked.upperBound, total) else {
        throw RangeAnswer.wrong(stated, asked: asked)
      }
      if let ended { throw ended }
      byteCount = total
      bytes = try RangeAnswer.body(of: answer, byteCount: Int(min(asked.upperBound, total)))
    case 416:
      // Of a file without bytes, no range can be satisfied (RFC 9110, 14.1.2).
      let stated = answer.head.value("content-range").flatMap { ContentRange($0) }
      guard stated?.bytes == nil, stated?.total == 0 else {
        throw FetchTrouble(
          FetchFault(.answerInvalid, "its server refuses a range from byte 0 on (416)"))
      }
      byteCount = 0
      bytes = []
    default:
      hasRanges = false
      bytes = answer.body
      byteCount = try Self.wholeSize(answer)
    }
  }

  private static func wholeSize(_ answer: Fetcher.Answer) throws(FetchTrouble) -> Int64? {
    if answer.end.result == .done { return Int64(answer.body.count) }
    guard let length = try RangeAnswer.length(answer.head) else { return nil }
    guard length > answer.body.count else { throw RangeAnswer.longer }
    return length
  }
}
