import MediaFacts

/// Looks for damage in Opus packets by the rules of RFC 6716, 3.4: the number of frames, and that their
/// lengths fill the packet and are within limits.
package enum OpusPacket {
  /// R2: the most that one or two length bytes can state.
  private static let mostBytes = 1275

  /// Whether packets contain only one stream; those with several have a different frame format (RFC 7845, 3).
  ///
  /// - Parameter configuration: OpusHead (5.1), or dOps as in MP4 (Opus in ISOBMFF, 4.3.2).
  package static func isOneStream(_ configuration: [UInt8]) -> Bool {
    let family = configuration.starts(with: "OpusHead".utf8) ? 18 : 10
    guard configuration.count > family + 1, configuration[family] != 0 else { return true }
    return configuration[family + 1] <= 1
  }

  package static func fault(in packet: [UInt8]) -> PacketFault? {
    guard let toc = packet.first else { return .structure("it is empty") }
    let body = packet.dropFirst()
    switch toc & 3 {
    case 0: return longFault(body.count)
    // R3: both frames have the same length.
    case 1:
      guard body.count % 2 == 0 else { return .structure("two equal frames do not fill it") }
      return longFault(body.count / 2)
    case 2:
      guard let (length, size) = length(body), length + size <= body.count else {
        return .structure("its first frame is longer than the packet")
      }
      return longFault(body.count - size - length)
    default: return severalFault(body, toc)
    }
  }

  private static func longFault(_ count: Int) -> PacketFault? {
    count <= mostBytes ? nil : .structure("a frame in it is longer than allowed")
  }

  private static func severalFault(_ body: ArraySlice<UInt8>, _ toc: UInt8) -> PacketFault? {
    guard let head = body.first else { return .structure("it ends before its frame count") }
    let count = Int(head & 0x3F)
    // R5: no more than 120 ms.
    guard count > 0,
      case .samples = AudioFrameLength.samples(
        codec: .opus, [toc, head], frameSize: 0)
    else { return .header("it contains more than 120 ms") }
    var rest = body.dropFirst()
    var padding = 0
    if head & 0x40 != 0 {
      while true {
        guard let byte = rest.popFirst() else { return .structure("its padding has no end") }
        padding += byte == 255 ? 254 : Int(byte)
        if byte != 255 { break }
      }
    }
    guard padding <= rest.count else { return .structure("its padding is longer than the packet") }
    rest = rest.dropLast(padding)
    guard head & 0x80 != 0 else {
      guard rest.count % count == 0 else { return .structure("equal frames do not fill it") }
      return longFault(rest.count / count)
    }
    var total = 0
    for _ in 0..<(count - 1) {
      guard let (length, size) = length(rest) else {
        return .structure("the lengths of its frames end early")
      }
      rest = rest.dropFirst(size)
      total += length
    }
    guard total <= rest.count else { return .structure("its frames are longer than the packet") }
    return longFault(rest.count - total)
  }

  /// A frame length in one or two bytes (3.2.1).
  private static func length(_ bytes: ArraySlice<UInt8>) -> (length: Int, size: Int)? {
    guard let first = bytes.first else { return nil }
    guard first >= 252 else { return (Int(first), 1) }
    guard bytes.count > 1 else { return nil }
    return (Int(bytes[bytes.startIndex + 1]) * 4 + Int(first), 2)
  }
}
