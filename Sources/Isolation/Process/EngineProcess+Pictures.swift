import ExactTime
import JSON
import MediaEngine

extension EngineProcess {
  func perform(
    _ operation: EngineOperation, _ arguments: some Encodable, body: [UInt8] = [],
    files: EngineFiles = EngineFiles(), descriptors: [Int32] = [], isCancelled: @escaping () -> Bool
  ) throws(EngineFailure) -> EngineMessage {
    try perform(
      Request(
        operation: .engine(operation), arguments: try Self.encoded(arguments), body: body,
        files: files,
        descriptors: descriptors, isCancelled: isCancelled))
  }

  func picture(
    _ asked: EngineArguments.Picture, isCancelled: @escaping () -> Bool
  ) throws(EngineFailure) -> GrabbedPicture {
    let answer = try perform(.picture, asked, isCancelled: isCancelled)
    let made: EngineResults.Picture = try Self.decoded(answer.head)
    return GrabbedPicture(
      frame: made.frame,
      picture: try Self.picture(made.width, made.height, answer.body[...]),
      isToneMapped: made.isToneMapped)
  }

  func segment(
    _ asked: EngineArguments.Segment, isCancelled: @escaping () -> Bool
  ) throws(EngineFailure) -> PreviewSegment? {
    let answer = try perform(.segment, asked, isCancelled: isCancelled)
    let made: EngineResults.Segment? = try Self.decoded(answer.head)
    guard let made else { return nil }
    // It becomes a header field of a response to a browser.
    guard made.type.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }), made.type.utf8.count < 200
    else {
      throw EngineFailure(MediaError(.internalError, "the sealed process sent an invalid segment"))
    }
    var segment = PreviewSegment(bytes: answer.body, type: made.type, range: made.range)
    segment.start = made.start
    return segment
  }

  func thumbnails(
    _ asked: EngineArguments.Thumbnails, isCancelled: @escaping () -> Bool
  ) throws(EngineFailure) -> [Picture] {
    let answer = try perform(.thumbnails, asked, isCancelled: isCancelled)
    let made: EngineResults.Thumbnails = try Self.decoded(answer.head)
    var pixels = answer.body[...]
    var pictures: [Picture] = []
    for size in made.sizes {
      let count = Self.byteCount(size.width, size.height) ?? .max
      pictures.append(try Self.picture(size.width, size.height, pixels.prefix(count)))
      pixels = pixels.dropFirst(count)
    }
    return pictures
  }

  func levels(
    _ asked: EngineArguments.Levels, isCancelled: @escaping () -> Bool
  ) throws(EngineFailure) -> [Float] {
    let bytes = try perform(.levels, asked, isCancelled: isCancelled).body
    return stride(from: 0, to: bytes.count - bytes.count % 4, by: 4).map { place in
      let bits = bytes[place..<place + 4].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      let level = Float(bitPattern: bits)
      return level.isFinite ? level : 0
    }
  }

  private static func byteCount(_ width: Int, _ height: Int) -> Int? {
    let sides = 1...16_384
    return sides.contains(width) && sides.contains(height) ? width * height * 3 : nil
  }

  /// Checks the size claimed by the process against the bytes received.
  private static func picture(
    _ width: Int, _ height: Int, _ pixels: ArraySlice<UInt8>
  ) throws(EngineFailure) -> Picture {
    guard byteCount(width, height) == pixels.count else {
      throw EngineFailure(MediaError(.internalError, "the sealed process sent an invalid picture"))
    }
    return Picture(width: width, height: height, pixels: Array(pixels))
  }
}
