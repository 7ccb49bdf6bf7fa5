/// A picture that is shown later than it is decoded.
struct WaitingPicture {
  /// Its number among the epoch's pictures, in decode order.
  var place: Int
  var dts: Int64
  /// Whether its packet has a PTS.
  var isStamped: Bool
}

extension StreamScan.Epoch {
  /// Gives reordered pictures without a PTS their time: each is shown when the next reordered
  /// picture is decoded (ISO 13818-2, 6.1.1.11).
  mutating func stampWaiting() {
    defer { waiting = [] }
    // Where none has a PTS, it is not known which are reordered.
    let untimed = waiting.count { !$0.isStamped }
    guard untimed > 0, untimed < pts.count else { return }
    keepStated()
    for (number, picture) in waiting.enumerated() where !picture.isStamped {
      let next = number + 1 < waiting.count ? waiting[number + 1].dts : nil
      pts[picture.place] = next ?? (lastDTS ?? picture.dts) &+ max(1, lastDuration)
    }
    for place in keys.indices { keys[place].pts = pts[keys[place].decodeIndex] }
    // Hidden pictures precede all others, also where they are decoded after the first keyframe.
    let shown = pts.inPresentationOrder.dropFirst(hiddenCount)
    guard let first = shown.first, let last = shown.last else { return }
    (firstPTS, lastPTS) = (first, last)
  }
}
