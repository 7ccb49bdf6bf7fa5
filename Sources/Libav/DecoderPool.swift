/// Several decoders, accessed by index; a collection of noncopyable owners.
package struct DecoderPool: ~Copyable {
  private final class Slot {
    let decoder: Decoder
    init(_ decoder: consuming Decoder) { self.decoder = decoder }
  }

  private var slots: [Slot] = []

  package init() {}

  /// - Returns: the decoder's index.
  package mutating func add(_ decoder: consuming Decoder) -> Int {
    slots.append(Slot(decoder))
    return slots.count - 1
  }

  package func send(from demuxer: borrowing Demuxer, to slot: Int) -> Decoder.SendResult {
    demuxer.send(to: slots[slot].decoder)
  }

  package func receive(_ slot: Int) -> Decoder.Output { slots[slot].decoder.receive() }

  package func finish(_ slot: Int) { slots[slot].decoder.finish() }
}
