/// A chunk of a RIFF file (AVI or WAVE) to be written.
package enum RIFFBuilder {
  package static func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
    Array(type.utf8) + little(content.count) + content + (content.count % 2 == 1 ? [0] : [])
  }

  package static func list(_ type: String, _ content: [UInt8]) -> [UInt8] {
    chunk("LIST", Array(type.utf8) + content)
  }

  /// Four bytes, least significant first.
  package static func little(_ value: Int) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }

  /// An AVI with one stream, 25 packets a second.
  ///
  /// - Parameters:
  ///   - type: the stream type, as in its header: `vids`, `txts`.
  ///   - format: the contents of `strf`.
  ///   - name: the chunk ID of the packets: `00dc`, `00tx`.
  package static func clip(
    type: String, codec: [UInt8] = [0, 0, 0, 0], format: [UInt8], packets: [[UInt8]],
    named name: String
  ) -> [UInt8] {
    let header = [40_000, 0, 0, 0x10, packets.count, 0, 1, 0, 0, 0, 0, 0, 0, 0].flatMap(little)
    let stream =
      Array(type.utf8) + codec + [0, 0, 0, 1, 25, 0, packets.count, 0, 0, 0, 0, 0].flatMap(little)
    let streams = list("strl", chunk("strh", stream) + chunk("strf", format))
    let body =
      list("hdrl", chunk("avih", header) + streams)
      + list("movi", packets.flatMap { chunk(name, $0) })
    return chunk("RIFF", Array("AVI ".utf8) + body)
  }

  /// The format of a video stream (`BITMAPINFOHEADER`).
  package static func bitmap(width: Int, height: Int, codec: String) -> [UInt8] {
    [40, width, height].flatMap(little) + [1, 0, 24, 0] + Array(codec.utf8)
      + [0, 0, 0, 0, 0].flatMap(little)
  }
}
