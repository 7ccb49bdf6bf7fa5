/// Kitty's graphics protocol: pictures in their own pixels, which a terminal lays over its cells.
///
/// Each slot has one image with one placement: a picture takes the place of the one before, and
/// the terminal's memory does not grow. Nothing but the question is answered.
enum KittyGraphics {
  /// Of our own, so that images of other programs stay: "trim" in ASCII, and those after it.
  static let image = 0x7472_696D

  static func image(_ slot: CellImage.Slot) -> Int { image + Int(slot.rawValue) }

  /// What a chunk may hold, once it is encoded.
  static let chunkLimit = 4096

  /// Asks whether the protocol is known: one pixel is looked at and not kept.
  ///
  /// Who does not know it says nothing, so nobody waits for the answer.
  static let question = command("i=\(image),s=1,v=1,a=q,t=d,f=24", payload: Array("AAAA".utf8))

  /// Takes an image away and frees its memory.
  static func deletion(_ slot: CellImage.Slot) -> [UInt8] {
    command("a=d,d=I,i=\(image(slot)),q=2", payload: [])
  }

  /// Takes all images away.
  static let deletion = CellImage.Slot.allCases.reversed().flatMap(deletion)

  /// Ends a command that was cut off in the middle, and does nothing else.
  static let terminator: [UInt8] = [ControlSequence.escape, UInt8(ascii: "\\")]

  /// Shows a picture where the cursor is, which stays there.
  static func show(_ picture: CellImage) -> [UInt8] {
    // Of both three and four bytes a pixel no chunk has a rest.
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
    // Both columns and rows: with one of them a terminal rounds the other up, and stretches.
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
