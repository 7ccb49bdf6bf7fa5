import Bitstreams
import Libav
package import MediaFacts
package import MediaFiles

/// The links of an Ogg file, read page by page: consecutive groups of logical streams, each with
/// its own headers (RFC 3533, 4 and 6).
package struct OggChain {
  /// A group of streams that begin together.
  package struct Link: Equatable {
    package var range: Range<Int64>
    package var streams: [Stream]
    /// The number of streams, including those that describe others.
    package var streamCount = 0
    /// The serial numbers of all of them.
    package var serials: [UInt32] = []
    /// Where its only stream begins, if not at zero.
    package var begin: Begin?
    /// How many empty packets follow the last picture of its only Theora stream, each of which
    /// repeats that picture (Theora I, 7.1).
    package var repeats: Int64?
    /// Where later links begin that continue its only stream at position zero again.
    package var joints: [Int64] = []
    fileprivate var theoraCount = 0

    /// True where a decoder set up for one continues with the other, as in FFmpeg where a link has
    /// only one stream.
    package func isOneStream(with other: Link) -> Bool {
      streams == other.streams && streamCount == 1 && other.streamCount == 1
    }

    /// The link with byte offsets counted from where it begins.
    package var moved: Link {
      var link = self
      link.begin?.page -= range.lowerBound
      link.joints = joints.map { $0 - range.lowerBound }
      return link
    }

    /// True where FFmpeg takes the next Opus link for a continuation of this: its positions are
    /// later, or its serial number is the same; then its priming is heard.
    fileprivate func isTakenForMore(_ other: Link) -> Bool {
      streams.first?.codec == .opus && (other.begin != nil || other.serials == serials)
    }
  }

  /// The first data page of a stream whose positions do not begin at zero.
  package struct Begin: Equatable {
    package var position: Int64
    package var page: Int64
  }

  /// The description of a stream in its first packet.
  package struct Stream: Equatable {
    package var codec: Codec
    package var rate: Int?
    package var channels: Int?
  }

  private let checksSums: Bool
  package private(set) var links: [Link] = []
  /// Where the last page begins, if it is truncated.
  package private(set) var brokenPage: Int64?
  /// Where pages with a wrong checksum begin, as many as are reported, and their total number.
  package private(set) var falsePages: [Int64] = []
  private var falsePageCount = 0
  /// The number of gaps with missing pages, and where the page after the first gap begins.
  private var gapCount = 0
  private var firstGap: Int64?
  /// The logs by serial number.
  private var logs: [UInt32: OggStreamLog] = [:]
  private static let mostLogs = 10_000

  /// The most pages that are read; a file with more is not real media.
  private static let mostPages = 20_000_000
  private static let mostLinks = 10_000
  private static let mostReported = 20

  /// - Parameter sums: whether page contents are also read and checked against their checksums: a
  ///   decoder ignores a page with a wrong checksum and continues at the next (RFC 3533, 6).
  /// - Returns: `nil` for anything but Ogg.
  package init?(_ file: InputFile, sums: Bool = false) {
    guard file.head.starts(with: "OggS".utf8), let end = file.byteCount else { return nil }
    checksSums = sums
    var position: Int64 = 0
    var isInHeaders = false
    for _ in 0..<Self.mostPages {
      guard end - position >= 27 else { break }
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
        if falsePages.count < Self.mostReported { falsePages.append(position) }
        // Its lengths may be wrong too.
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
        let stream = Stream(file.bytes(in: start..<min(end, next), atMost: 64))
        if let stream, !links.isEmpty { links[links.count - 1].streams.append(stream) }
        open(head, codec: stream?.codec ?? .unknown)
      }
      if next <= end { log(head, at: position, of: file, up: next) }
      isInHeaders = begins
      position = next
    }
    for log in logs.values { close(log) }
    logs = [:]
  }

  private mutating func open(_ head: [UInt8], codec: Codec) {
    let serial = OggStreamLog.serial(head)
    if let log = logs[serial] { close(log) }
    guard !links.isEmpty, logs.count < Self.mostLogs else { return }
    links[links.count - 1].serials.append(serial)
    logs[serial] = OggStreamLog(codec: codec, link: links.count - 1, head: head)
  }

  private mutating func log(_ head: [UInt8], at place: Int64, of file: InputFile, up end: Int64) {
    let start = place + 27 + Int64(head[26])
    let isGap = logs[OggStreamLog.serial(head)]?.add(
      head, at: place, falsePages: falsePageCount,
      body: { file.bytes(in: start..<end, atMost: Int(end - start)) })
    guard isGap == true else { return }
    gapCount += 1
    firstGap = firstGap ?? place
  }

  private mutating func close(_ log: OggStreamLog) {
    if links[log.link].streamCount == 1 { links[log.link].begin = log.begin }
    guard log.codec == .theora else { return }
    links[log.link].theoraCount += 1
    links[log.link].repeats = links[log.link].theoraCount == 1 ? log.emptyPackets : nil
  }

  /// Compares the checksum, which is computed over the page with the checksum field set to zero.
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

  /// The most runs that are read one by one.
  package static let mostRuns = 200

  /// Runs of links that continue one stream each, in order.
  package var runs: [Link] {
    let runs = runs(apart: true)
    return runs.count > Self.mostRuns ? self.runs(apart: false) : runs
  }

  /// The only run, where it is the whole file.
  package var onlyRun: Link? { runs.count == 1 ? runs.first : nil }

  /// - Parameter apart: whether links that FFmpeg takes for a continuation begin a new run.
  private func runs(apart: Bool) -> [Link] {
    var runs: [Link] = []
    for (number, link) in links.enumerated() {
      if number > 0, let last = runs.last, last.isOneStream(with: link),
        !apart || !links[number - 1].isTakenForMore(link)
      {
        runs[runs.count - 1].range = last.range.lowerBound..<link.range.upperBound
        (runs[runs.count - 1].begin, runs[runs.count - 1].repeats) = (nil, nil)
        if link.begin == nil { runs[runs.count - 1].joints.append(link.range.lowerBound) }
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
        "The page at byte \($0) does not match its checksum; none of it is presented.")
    }
    let unreported = falsePageCount - falsePages.count
    if unreported > 0 {
      damage.append(
        Damage(
          .invalidStructure, count: unreported,
          unreported == 1
            ? "One more page does not match its checksum."
            : "\(unreported) more pages do not match their checksums."))
    }
    if gapCount > 0, checksSums {
      damage.append(
        Damage(
          .invalidStructure, at: firstGap, count: gapCount,
          "Pages are missing in \(gapCount == 1 ? "one place" : "\(gapCount) places"), as the "
            + "page numbers show; none of their content is presented."))
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
    let names: [(mark: [UInt8], codec: Codec)] = [
      (Array("\u{1}vorbis".utf8), .vorbis), (Array("OpusHead".utf8), .opus),
      (Array("\u{7F}FLAC".utf8), .flac), ([0x80] + Array("theora".utf8), .theora),
      (Array("Speex   ".utf8), .speex),
    ]
    if packet.starts(with: "fishead".utf8) { return nil }
    codec = names.first { packet.starts(with: $0.mark) }?.codec ?? .unknown
    switch codec {
    case .vorbis: (rate, channels) = (little(12, 4), little(11, 1))
    case .opus: (rate, channels) = (48_000, little(9, 1))
    case .flac:
      guard packet.count > 31 else { break }
      let fields = Int(packet[27]) << 16 | Int(packet[28]) << 8 | Int(packet[29])
      (rate, channels) = (fields >> 4, (fields >> 1 & 7) + 1)
    case .speex: (rate, channels) = (little(36, 4), little(48, 4))
    default: break
    }
  }
}
