import Bitstreams
import Libav
package import MediaFacts
package import MediaFiles

/// The links of an Ogg file, read page by page: logical streams that follow
/// one another, each group with headers of its own (RFC 3533, 4 and 6).
package struct OggChain {
  /// A group of streams that begin together.
  package struct Link: Equatable {
    package var range: Range<Int64>
    package var streams: [Stream]
    /// How many there are with those that describe others.
    package var streamCount = 0

    /// True where what was set up for one goes on with the other: FFmpeg does so for a stream that is
    /// alone.
    package func isOneStream(with other: Link) -> Bool {
      streams == other.streams && streamCount == 1 && other.streamCount == 1
    }
  }

  /// What the first packet of a stream says of it.
  package struct Stream: Equatable {
    package var codec: String
    package var rate: Int?
    package var channels: Int?
  }

  package private(set) var links: [Link] = []
  /// Where the last page begins, if the file ends inside of it.
  package private(set) var brokenPage: Int64?
  /// Where pages begin that do not match their checksum, as many as are told, and how many there are.
  package private(set) var falsePages: [Int64] = []
  private var falsePageCount = 0

  /// Pages that are walked over; more make a file of this kind no media.
  private static let mostPages = 20_000_000
  private static let mostLinks = 10_000
  private static let mostTold = 20

  /// - Parameter sums: whether the contents of pages are read too, and held against their checksums:
  ///   a page that does not match its own is none to a decoder, which goes on at the next (RFC 3533, 6).
  /// - Returns: `nil` for anything but Ogg.
  package init?(_ file: InputFile, sums: Bool = false) {
    guard file.head.starts(with: "OggS".utf8), let end = file.byteCount else { return nil }
    var position: Int64 = 0
    var isInHeaders = false
    for _ in 0..<Self.mostPages where end - position >= 27 {
      let head = file.bytes(in: position..<min(end, position + 27 + 255), atMost: 282)
      guard head.starts(with: "OggS".utf8) else {
        guard let next = Self.nextPage(in: file, behind: position, end) else { break }
        position = next
        continue
      }
      let count = Int(head[26])
      guard head.count >= 27 + count else {
        brokenPage = position
        break
      }
      let body = head[27..<27 + count].reduce(0) { $0 + Int64($1) }
      let next = position + 27 + Int64(count) + body
      if next > end { brokenPage = position }
      if sums, next <= end,
        !Self.matchesChecksum(file.bytes(in: position..<next, atMost: Int(next - position)))
      {
        falsePageCount += 1
        if falsePages.count < Self.mostTold { falsePages.append(position) }
        // Its lengths may be what is wrong.
        guard let next = Self.nextPage(in: file, behind: position, end) else { break }
        position = next
        continue
      }
      let begins = head[5] & 2 != 0
      if begins {
        if !isInHeaders {
          guard links.count < Self.mostLinks else { break }
          links.append(Link(range: position..<end, streams: []))
          if links.count > 1 {
            links[links.count - 2].range = links[links.count - 2].range.lowerBound..<position
          }
        }
        let start = position + 27 + Int64(count)
        if !links.isEmpty { links[links.count - 1].streamCount += 1 }
        if let stream = Stream(file.bytes(in: start..<min(end, next), atMost: 64)),
          !links.isEmpty
        {
          links[links.count - 1].streams.append(stream)
        }
      }
      isInHeaders = begins
      position = next
    }
  }

  /// The sum is taken over the page with zeros in its place.
  private static func matchesChecksum(_ page: [UInt8]) -> Bool {
    guard page.count >= 27 else { return false }
    let stated = page[22..<26].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    var page = page
    page.replaceSubrange(22..<26, with: [0, 0, 0, 0])
    return Checksum.crc32(page[...]) == stated
  }

  private static func nextPage(
    in file: InputFile, behind position: Int64, _ end: Int64
  ) -> Int64? {
    let bytes = file.bytes(in: position + 1..<max(position + 1, end), atMost: 1 << 17)
    let mark = Array("OggS".utf8)
    guard bytes.count > 4 else { return nil }
    for index in 0..<bytes.count - 4 where bytes[index] == mark[0] {
      if bytes[index..<index + 4].elementsEqual(mark) { return position + 1 + Int64(index) }
    }
    return nil
  }

  /// Runs of links that are one stream each, in order.
  package var runs: [Link] {
    var runs: [Link] = []
    for link in links {
      if let last = runs.last, last.isOneStream(with: link) {
        runs[runs.count - 1].range = last.range.lowerBound..<link.range.upperBound
      } else {
        runs.append(link)
      }
    }
    return runs
  }

  package var damage: [Damage] {
    var damage = falsePages.map {
      Damage(
        .invalidStructure, at: $0, count: 1,
        "The page at byte \($0) does not match its checksum; nothing of it is presented.")
    }
    let untold = falsePageCount - falsePages.count
    if untold > 0 {
      damage.append(
        Damage(
          .invalidStructure, count: untold,
          "Of \(untold) more pages the checksum does not match."))
    }
    if let brokenPage {
      damage.append(
        Damage(
          .truncated, at: brokenPage,
          "The file ends inside its last page, which begins at byte \(brokenPage)."))
    }
    return damage
  }
}

extension OggChain.Stream {
  /// `nil` for a stream that describes others (Skeleton).
  package init?(_ packet: [UInt8]) {
    func little(_ offset: Int, _ count: Int) -> Int? {
      guard packet.count >= offset + count else { return nil }
      return (0..<count).reduce(0) { $0 | Int(packet[offset + $1]) << (8 * $1) }
    }
    let names: [(mark: [UInt8], codec: String)] = [
      (Array("\u{1}vorbis".utf8), "vorbis"), (Array("OpusHead".utf8), "opus"),
      (Array("\u{7F}FLAC".utf8), "flac"), ([0x80] + Array("theora".utf8), "theora"),
      (Array("Speex   ".utf8), "speex"),
    ]
    if packet.starts(with: "fishead".utf8) { return nil }
    codec = names.first { packet.starts(with: $0.mark) }?.codec ?? "unknown"
    switch codec {
    case "vorbis": (rate, channels) = (little(12, 4), little(11, 1))
    case "opus": (rate, channels) = (48_000, little(9, 1))
    case "flac":
      guard packet.count > 31 else { break }
      let fields = Int(packet[27]) << 16 | Int(packet[28]) << 8 | Int(packet[29])
      (rate, channels) = (fields >> 4, (fields >> 1 & 7) + 1)
    case "speex": (rate, channels) = (little(36, 4), little(48, 4))
    default: break
    }
  }
}
