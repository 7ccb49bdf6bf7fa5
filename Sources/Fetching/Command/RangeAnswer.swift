/// What an answer to a range says and contains, checked against what was asked.
enum RangeAnswer {
  static let longer = FetchTrouble(
    FetchFault(.answerInvalid, "its server sends more bytes than it states"))

  /// - Throws: ``FetchTrouble`` where there is no range that could be the one that was asked for.
  static func check(_ head: WireHead, asked: Range<Int64>) throws(FetchTrouble) -> ContentRange {
    let values = head.values("content-range")
    guard values.count == 1, let stated = ContentRange(values[0]), let bytes = stated.bytes else {
      throw FetchTrouble(
        FetchFault(.answerInvalid, "its server sends a range without a valid 'Content-Range'"))
    }
    if let length = try length(head), length != Int64(bytes.count) {
      throw FetchTrouble(
        FetchFault(
          .answerInvalid,
          "its server contradicts itself: 'Content-Length' is \(length), and 'Content-Range' has "
            + "\(bytes.count) bytes"))
    }
    return stated
  }

  static func wrong(_ stated: ContentRange, asked: Range<Int64>) -> FetchTrouble {
    let sent = stated.bytes.map { "\($0.lowerBound)–\($0.upperBound - 1)" } ?? "none"
    return FetchTrouble(
      FetchFault(
        .answerInvalid,
        "its server sends other bytes than were asked for: \(sent), not "
          + "\(asked.lowerBound)–\(asked.upperBound - 1)"))
  }

  /// `Content-Length` (RFC 9110, 8.6).
  static func length(_ head: WireHead) throws(FetchTrouble) -> Int64? {
    let values = head.values("content-length")
    guard let first = values.first else { return nil }
    guard values.allSatisfy({ $0 == first }), let length = ContentRange.number(first) else {
      throw FetchTrouble(
        FetchFault(.answerInvalid, "its server sends no valid 'Content-Length'"))
    }
    return length
  }

  /// The body, of exactly that many bytes.
  static func body(
    of answer: Fetcher.Answer, byteCount: Int
  ) throws(FetchTrouble) -> [UInt8] {
    if answer.end.result == .longer || answer.body.count > byteCount { throw longer }
    guard answer.body.count == byteCount else {
      throw FetchTrouble(
        FetchFault(
          .serverBusy,
          "its server ended an answer early, after \(answer.body.count) of \(byteCount) bytes"),
        isPassing: true, arrived: answer.body)
    }
    return answer.body
  }
}
