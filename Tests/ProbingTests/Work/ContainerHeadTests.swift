import MediaFacts
import Support
import Testing

@testable import MediaFiles
@testable import Probing

private func head(_ bytes: [UInt8]) throws -> ContainerHead {
  let folder = try ScratchFolder()
  let path = try folder.write(bytes, to: "clip")
  return ContainerHead(try InputFile(path: Array(path.utf8)))
}

@Suite struct `Given the first bytes of a container` {
  /// Advanced Systems Format, 2.1: identifiers, and sizes of eight bytes that include them.
  @Suite struct `When it is ASF` {
    private static let name: [UInt8] = [
      0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11, 0xA6, 0xD9, 0x00, 0xAA, 0x00, 0x62, 0xCE, 0x6C,
    ]
    private static let properties: [UInt8] = [
      0xA1, 0xDC, 0xAB, 0x8C, 0x47, 0xA9, 0xCF, 0x11, 0x8E, 0xE4, 0x00, 0xC0, 0x0C, 0x20, 0x53,
      0x65,
    ]

    private static func size(_ value: Int) -> [UInt8] {
      (0..<8).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    private func clip(flags: UInt8 = 0, data: Int = 500) -> [UInt8] {
      let properties =
        Self.properties + Self.size(104) + [UInt8](repeating: 0, count: 64) + [flags]
        + [UInt8](repeating: 0, count: 15)
      return [0x30] + Self.name + Self.size(30 + 104) + [1, 0, 0, 0, 1, 2] + properties + [0x36]
        + Self.name + Self.size(data) + [UInt8](repeating: 0, count: 476)
    }

    @Test func `then complete data is not damage`() throws {
      #expect(try head(clip()).damage.isEmpty)
    }

    @Test func `then one byte less is damage, at the byte where the file ends`() throws {
      let bytes = Array(clip().dropLast())
      let damage = try head(bytes).damage
      #expect(damage.map(\.kind) == [.truncated])
      #expect(damage.first?.byteOffset == Int64(bytes.count))
    }

    @Test func `then a broadcast claims nothing, nor does an impossible size`() throws {
      #expect(try head(clip(flags: 1, data: 9000)).damage.isEmpty)
      #expect(try head(clip(data: 0)).damage.isEmpty)
    }

    @Test func `then any prefix of it is read without a trap`() throws {
      let bytes = clip()
      for count in 0...bytes.count { _ = try head(Array(bytes.prefix(count))) }
      for place in 16..<24 {
        var odd = bytes
        odd[place] = 0x7F
        _ = try head(odd)
      }
    }
  }

  @Suite struct `When it is Matroska` {
    /// RFC 8794: a header, then a segment of a stated size; eight bytes of size each.
    private func clip(
      docType: String = "matroska", size: [UInt8]? = nil, content: Int = 100
    ) -> [UInt8] {
      let header = EBMLBuilder.element(
        0x1A45_DFA3, EBMLBuilder.element(0x4282, Array(docType.utf8)))
      let segment = EBMLBuilder.element(0x1853_8067, [UInt8](repeating: 0, count: content))
      guard let size else { return header + segment }
      return header + segment.prefix(4) + size + segment.dropFirst(12)
    }

    @Test func `then its document type identifies WebM`() throws {
      #expect(try head(clip(docType: "webm")).isWebM)
      #expect(try !head(clip()).isWebM)
      #expect(try !head(clip(docType: "web")).isWebM)
    }

    @Test func `then a complete segment is not damage`() throws {
      #expect(try head(clip()).damage.isEmpty)
    }

    @Test func `then one byte less is damage, at the byte where the file ends`() throws {
      let bytes = Array(clip().dropLast())
      let damage = try head(bytes).damage
      #expect(damage.map(\.kind) == [.truncated])
      #expect(damage.first?.byteOffset == Int64(bytes.count))
      #expect(damage.first?.text.contains("byte \(bytes.count + 1)") == true)
    }

    @Test func `then a segment of unknown size claims nothing`() throws {
      let unknown: [UInt8] = [1] + [UInt8](repeating: 0xFF, count: 7)
      #expect(try head(clip(size: unknown)).damage.isEmpty)
      #expect(try head(clip(size: [0xFF])).damage.isEmpty)
    }

    @Test func `then the largest possible size is damage, without a trap`() throws {
      let huge: [UInt8] = [1] + [UInt8](repeating: 0xFF, count: 6) + [0xFE]
      #expect(try head(clip(size: huge)).damage.map(\.kind) == [.truncated])
    }

    @Test func `then any prefix of it is read without a trap`() throws {
      let bytes = clip(docType: "webm")
      for count in 0...bytes.count { _ = try head(Array(bytes.prefix(count))) }
    }
  }

  @Suite struct `When it is RIFF` {
    private func clip(stated: Int, content: Int) -> [UInt8] {
      Array("RIFF".utf8) + RIFFBuilder.little(stated) + Array("WAVE".utf8)
        + [UInt8](repeating: 0, count: content - 4)
    }

    @Test func `then a correct size is not damage, nor is a byte of padding`() throws {
      #expect(try head(clip(stated: 100, content: 100)).damage.isEmpty)
      #expect(try head(clip(stated: 100, content: 99)).damage.isEmpty)
      #expect(try head(clip(stated: 100, content: 5000)).damage.isEmpty)
    }

    @Test func `then two bytes less are damage`() throws {
      let damage = try head(clip(stated: 100, content: 98)).damage
      #expect(damage.map(\.kind) == [.truncated])
      #expect(damage.first?.byteOffset == 106)
    }

    @Test(arguments: [0, 0xFFFF_FFFF])
    func `then the sizes of a stream that was never finished claim nothing`(_ stated: Int) throws {
      #expect(try head(clip(stated: stated, content: 100)).damage.isEmpty)
    }
  }

  @Suite struct `When it is anything else` {
    @Test func `then nothing is reported`() throws {
      for bytes in [[], Array("RIFF".utf8), [0x1A, 0x45, 0xDF, 0xA3], [UInt8](0...255)] {
        let found = try head(bytes)
        #expect(!found.isWebM)
        #expect(found.damage.isEmpty)
      }
    }
  }
}
