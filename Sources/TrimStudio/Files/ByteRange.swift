/// The part of a file that a `Range` field requests (RFC 9110, 14.1.2).
package enum ByteRange: Equatable, Sendable {
  case whole
  case part(Range<UInt64>)
  /// None of its bytes exist.
  case unsatisfiable

  /// Multiple ranges and invalid fields are answered with the whole file, as the standard allows.
  package init(_ field: String?, size: UInt64) {
    self = .whole
    guard let field, field.hasPrefix("bytes="), !field.contains(",") else { return }
    let sides = field.dropFirst("bytes=".count)
      .split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    guard sides.count == 2, sides.allSatisfy({ $0.utf8.allSatisfy(Self.isDigit) }) else { return }
    switch (UInt64(sides[0]), UInt64(sides[1])) {
    case (nil, let count?) where sides[0].isEmpty:
      self = count == 0 || size == 0 ? .unsatisfiable : .part(size - min(count, size)..<size)
    case (let first?, let last) where last != nil || sides[1].isEmpty:
      guard last.map({ $0 >= first }) ?? true else { return }
      guard first < size else {
        self = .unsatisfiable
        return
      }
      self = .part(first..<min(last ?? size - 1, size - 1) + 1)
    default: return
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}

extension HTTPResponse {
  /// The maximum sent at once from a file in pieces; a browser requests the rest.
  private static let mostOfPieces: UInt64 = 2 << 20

  /// Creates a response with a file, or the requested part of it.
  ///
  /// - Throws: `VideoFailure` if it is no longer the file that was opened.
  init(_ media: StudioMedia, range: String?) async throws {
    switch media.source {
    case .file(let open):
      let opened = try open()
      self.init(ByteRange(range, size: opened.size), of: opened.size, type: media.type) { part in
        .file(
          descriptor: opened.descriptor, offset: part.lowerBound,
          size: part.upperBound - part.lowerBound)
      }
    case .pieces(let size, let read):
      var wanted = ByteRange(range, size: size)
      if case .part(let part) = wanted {
        let end = min(part.upperBound, part.lowerBound + Self.mostOfPieces)
        wanted = .part(part.lowerBound..<end)
      }
      var bytes: [UInt8] = []
      switch wanted {
      case .part(let part): bytes = try await read(part)
      case .whole where size <= Self.mostOfPieces: bytes = try await read(0..<size)
      case .whole:
        self.init(refusing: 400, "Only range requests are answered here.")
        return
      case .unsatisfiable: break
      }
      let body = bytes
      self.init(wanted, of: size, type: media.type) { _ in .bytes(body) }
    }
  }

  private init(
    _ wanted: ByteRange, of size: UInt64, type: String, _ body: (Range<UInt64>) -> Body
  ) {
    let fields = [(name: "Accept-Ranges", value: "bytes")]
    switch wanted {
    case .whole: self.init(200, type: type, body(0..<size), fields: fields)
    case .part(let part):
      self.init(
        206, type: type, body(part),
        fields: fields + [
          ("Content-Range", "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(size)")
        ])
    case .unsatisfiable:
      // The server closes the descriptor along with the response.
      self.init(
        416, type: nil, body(0..<0), fields: fields + [("Content-Range", "bytes */\(size)")])
    }
  }
}
