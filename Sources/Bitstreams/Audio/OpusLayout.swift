/// How an OpusHead maps coded streams to channels.
package enum OpusLayout {
  /// False for an OpusHead that no decoder accepts: without channels, with more than its mapping family
  /// allows, or with a table that is too short or refers to missing streams (RFC 7845, 5.1.1).
  package static func isValid(_ head: [UInt8]) -> Bool {
    guard head.starts(with: "OpusHead".utf8), head.count >= 19 else { return true }
    let (channels, family) = (Int(head[9]), head[18])
    guard channels > 0 else { return false }
    // 5.1.1.1: one stream of one or two channels, and no table.
    if family == 0 { return channels <= 2 }
    if family == 1, channels > 8 { return false }
    // RFC 8486, 3.2: a matrix replaces the channel numbers.
    guard head.count >= 21 else { return false }
    let (streams, coupled) = (Int(head[19]), Int(head[20]))
    guard streams > 0, coupled <= streams, streams + coupled <= 255 else { return false }
    if family == 3 { return true }
    guard head.count >= 21 + channels else { return false }
    return head[21..<21 + channels].allSatisfy { $0 == 255 || Int($0) < streams + coupled }
  }
}
