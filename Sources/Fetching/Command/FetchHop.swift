import SafeText

/// A request through all of its redirects.
enum FetchHop {
  /// What is asked for.
  struct Wish {
    var range: Range<Int64>
    /// The value of `If-Range`.
    var condition: String?
    /// Whether an answer without ranges is of use.
    var takesWhole = false
  }

  /// Asks, and follows redirects.
  ///
  /// - Parameters:
  ///   - address: where it begins.
  ///   - first: the address that was given, whose credentials are for its own server only.
  /// - Throws: ``FetchFault`` for what no other attempt changes.
  static func follow(
    _ address: RemoteAddress, from first: RemoteAddress, _ fetcher: Fetcher, _ wish: Wish,
    _ end: ContinuousClock.Instant, _ count: (FetchCost) -> Void
  ) throws(FetchFault) -> (answer: Fetcher.Answer, place: RemoteAddress) {
    var fields = [
      "Range: bytes=\(wish.range.lowerBound)-\(wish.range.upperBound - 1)",
      "Accept-Encoding: identity", "User-Agent: trim",
    ]
    if let condition = wish.condition { fields.append("If-Range: \(condition)") }
    let credentials = first.userInfo.map { (first.origin, $0) }
    var place = address
    var redirects = 0
    while true {
      let answer: Fetcher.Answer
      do throws(FetchFault) {
        answer = try fetcher.ask(
          place, fields, credentials: credentials, bodyLimit: Int64(wish.range.count),
          wholeLimit: wish.takesWhole ? fetcher.limits.wholeBytes : 0, until: end, count)
      } catch {
        guard error.code == .serverUnreachable || error == Fetcher.lost else { throw error }
        return (
          Fetcher.Answer(head: WireHead(), body: [], end: WireEnd(result: .dropped), fault: error),
          place
        )
      }
      guard [301, 302, 303, 307, 308].contains(answer.head.status), answer.end.isWhole else {
        return (answer, place)
      }
      guard let target = answer.head.value("location") else {
        throw FetchFault(.answerInvalid, "its server redirects (\(answer.head.status)) to nowhere")
      }
      redirects += 1
      guard redirects <= fetcher.limits.redirects else {
        throw FetchFault(
          .answerInvalid, "its server redirects more than \(fetcher.limits.redirects) times")
      }
      let next: RemoteAddress
      do throws(FetchFault) {
        next = try place.redirected(
          to: target.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) })
      } catch {
        guard error.code == .addressInvalid else { throw error }
        throw FetchFault(.answerInvalid, "its server redirects to something that is no address")
      }
      guard next.origin.isSecure || !place.origin.isSecure else {
        throw FetchFault(
          .addressRefused,
          "its server redirects from https:// to http://, where anybody could change what arrives")
      }
      place = next
    }
  }

  /// Why an answer is of no use; `nil` for one with bytes.
  static func trouble(_ answer: Fetcher.Answer) -> FetchTrouble? {
    if let fault = answer.fault { return FetchTrouble(fault, isPassing: true) }
    let status = answer.head.status
    if status != 0, ![200, 206, 416].contains(status) {
      return FetchTrouble(
        StatusFault.of(status), isPassing: StatusFault.isPassing(status),
        pause: answer.head.value("retry-after").flatMap {
          RetryAfter.pause($0, sent: answer.head.value("date"))
        })
    }
    if let coding = answer.head.values("content-encoding").first(where: {
      $0.lowercased() != "identity"
    }) {
      return FetchTrouble(
        FetchFault(
          .answerInvalid,
          "its server sends it compressed (\(ForeignText.shown(String(coding.prefix(40))))), "
            + "although that was excluded, and bytes of that are not bytes of the file"))
    }
    var trouble = trouble(answer.end)
    if status == 206, trouble?.isPassing ?? false {
      trouble?.isOfEnd = true
      trouble?.arrived = answer.body
    }
    return trouble
  }

  private static func trouble(_ end: WireEnd) -> FetchTrouble? {
    switch end.result {
    case .done, .longer: nil
    case .dropped, .needsConnection:
      FetchTrouble(
        FetchFault(
          .serverBusy, "the connection to its server broke off before everything had arrived"),
        isPassing: true)
    case .failed:
      FetchTrouble(FetchFault(.serverBusy, "fetching it failed: \(text(end))"), isPassing: true)
    case .stalled:
      FetchTrouble(
        FetchFault(.stalled, "its server sends too slowly, or has stopped sending"), isPassing: true
      )
    case .timedOut: FetchTrouble(FetchFault(.timedOut, "it was not fetched in time"))
    case .headTooLong:
      FetchTrouble(FetchFault(.answerInvalid, "the header fields of its server are too long"))
    case .noHTTP:
      FetchTrouble(FetchFault(.answerInvalid, "what answers there does not speak HTTP"))
    case .tls:
      FetchTrouble(
        FetchFault(.tlsFailed, "no secure connection to its server is possible: \(text(end))"))
    }
  }

  private static func text(_ end: WireEnd) -> String {
    ForeignText.shown(String(end.text.prefix(200)))
  }
}

extension WireEnd {
  /// Whether the answer is what the server wanted to send, as far as it was wanted.
  var isWhole: Bool { result == .done || result == .longer }
}
