import Bitstreams
import Libav

/// Tags between the frames of MPEG audio and ADTS, as in files joined by `cat`: FFmpeg looks for
/// frames in them, and finds what merely resembles one.
enum InnerTags {
  /// The file without them; `nil` if there are none.
  static func input(of file: InputFile) -> (any ByteInput)? {
    let tags = ranges(in: file)
    guard !tags.isEmpty, let size = file.byteCount else { return nil }
    return SplicedInput(
      UncountedXing.input(of: file) ?? file, without: tags,
      before: TrailingTags.beginning(in: file) ?? size)
  }

  /// Where they are, in file order.
  ///
  /// ID3v2 is also found after the last frame, where other readers find only the other kinds.
  static func ranges(in file: InputFile) -> [Range<Int64>] {
    guard let size = file.byteCount, let start = UncountedXing.firstByte(of: file) else {
      return []
    }
    var walk = FrameWalk(file, size: size, from: start)
    return walk.tags()
  }
}

/// Goes from frame to frame by the lengths that their headers state (ISO 11172-3, 2.4.2.3; ISO
/// 14496-3, 1.A.2.2): a tag is looked for only where no frame begins.
private struct FrameWalk {
  private var bytes: ReadAhead
  private let size: Int64
  private var place: Int64
  /// Where the latest frame begins.
  private var latest: Int64?
  /// Where the latest tag ends.
  private var searched: Int64 = 0
  private var search = AudioTag.Search()

  /// How far it looks for frames behind bytes that belong to nothing, and how many of them in
  /// sequence it requires.
  private static let reach: Int64 = 1 << 20
  private static let chain = 3

  init(_ file: InputFile, size: Int64, from start: Int64) {
    bytes = ReadAhead(file)
    self.size = size
    place = start
  }

  mutating func tags() -> [Range<Int64>] {
    guard frameLength(at: place) != nil else { return [] }
    var found: [Range<Int64>] = []
    // How many of them a frame follows.
    var inner = 0
    while place < size {
      if let length = frameLength(at: place) {
        latest = place
        place += length
        inner = found.count
      } else if latest != nil, let end = AudioTag.end(at: place, in: &bytes, size, &search) {
        found.append(place..<end)
        place = end
        searched = end
      } else {
        guard let next = continuation() else { break }
        place = next
      }
    }
    return found.enumerated().filter { number, range in
      number < inner || bytes.starts(with: "ID3", at: range.lowerBound)
    }.map(\.element)
  }

  private mutating func frameLength(at place: Int64) -> Int64? {
    let head = bytes[place, 10]
    if let header = MPEGAudioHeader(head) { return header.byteCount.map { Int64($0) } }
    guard let header = ADTSHeader(Array(head)), header.frameByteCount > header.byteCount else {
      return nil
    }
    return Int64(header.frameByteCount)
  }

  /// Where a tag or frames begin behind bytes that belong to nothing, or inside of the latest
  /// frame, which the tag then cuts short.
  private mutating func continuation() -> Int64? {
    var next = max((latest ?? place) + 1, searched)
    let end = min(size, place + Self.reach)
    while next < end {
      if latest != nil, let behind = AudioTag.end(at: next, in: &bytes, size, &search),
        behind == size || frameLength(at: behind) != nil
          || AudioTag.end(at: behind, in: &bytes, size, &search) != nil
      {
        return next
      }
      if next >= place, isChain(from: next) { return next }
      next += 1
    }
    return nil
  }

  private mutating func isChain(from start: Int64) -> Bool {
    var next = start
    for _ in 0..<Self.chain {
      guard let length = frameLength(at: next) else { return false }
      next += length
      if next == size { return true }
    }
    return true
  }
}
