import SafeText

/// Kitty's graphics protocol: pictures in real pixels, which a terminal draws over its cells.
///
/// Each slot has one image with one placement: a picture replaces the previous one, and the
/// terminal's memory does not grow. Only the query is answered.
enum KittyGraphics {
  /// The image IDs, chosen to leave images of other programs alone: "trim" in ASCII, and those
  /// following it.
  static let image = 0x7472_696D

  static func image(_ slot: CellImage.Slot) -> Int { image + Int(slot.rawValue) }

  /// The maximum size of an encoded chunk.
  static let chunkLimit = 4096

  /// Queries protocol support: one pixel is checked and not stored.
  ///
  /// Terminals without support do not answer, so nothing waits for the answer.
  static let question = command("i=\(image),s=1,v=1,a=q,t=d,f=24", payload: Array("AAAA".utf8))

  /// Deletes an image and frees its memory.
  static func deletion(_ slot: CellImage.Slot) -> [UInt8] {
    command("a=d,d=I,i=\(image(slot)),q=2", payload: [])
  }

  /// Deletes all images.
  static let deletion = CellImage.Slot.allCases.reversed().flatMap(deletion)

  /// Terminates a truncated command, and does nothing else.
  static let terminator: [UInt8] = [ControlSequence.escape, UInt8(ascii: "\\")]

  /// Shows a picture at the cursor, which does not move.
  static func show(_ picture: CellImage) -> [UInt8] {
    // No chunk splits a pixel, at three or four bytes per pixel.
    let limit = chunkLimit / 4 * 3
    let pixels = picture.pixelsWithHole
    var bytes: [UInt8] = []
    bytes.reserveCapacity(pixels.count / 3 * 4 + pixels.count / limit * 16 + 256)
    var start = 0
    repeat {
      let end = min(start + limit, pixels.count)
      let more = end < pixels.count ? 1 : 0
      let keys = start == 0 ? firstKeys(picture) + ",m=\(more)" : "m=\(more)"
      begin(keys, &bytes)
      Base64.append(pixels[start..<end], to: &bytes)
      bytes += terminator
      start = end
    } while start < pixels.count
    return bytes
  }

  private static func firstKeys(_ picture: CellImage) -> String {
    // Send both columns and rows: with only one, a terminal rounds the other up, and stretches.
    "a=T,q=2,t=d,f=\(picture.hole == nil ? 24 : 32),s=\(picture.width),v=\(picture.height),"
      + "i=\(image(picture.slot)),p=1,C=1,c=\(picture.columns),r=\(picture.rows)"
  }

  private static func command(_ keys: String, payload: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = []
    begin(keys, &bytes)
    return bytes + payload + terminator
  }

  private static func begin(_ keys: String, _ bytes: inout [UInt8]) {
    bytes += [ControlSequence.escape, UInt8(ascii: "_"), UInt8(ascii: "G")]
    bytes += keys.utf8
    bytes.append(UInt8(ascii: ";"))
  }
}
