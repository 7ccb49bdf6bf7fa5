package import Libav

/// Counts the metadata entries of a file before FFmpeg reads it.
///
/// FFmpeg searches all entries for each one it adds, so its time is quadratic in their number
/// (measured: 10,000 take 1.5 s, 100,000 over 300 s). The count stops at the limit and reads only
/// the parts that contain entries, in formats whose entries FFmpeg reads in one step that cannot be
/// observed. In all others they are counted as FFmpeg adds them (``DemuxerLimits/entries``).
package struct MetadataCensus {
  package var reader: CensusReader
  package let limit: Int
  private var count = 0
  private var steps = 0
  private var headerSteps = 0

  /// The most boxes, elements and chunks that are examined; a file could consist of only empty
  /// ones.
  private static let mostSteps = 300_000

  /// Whether there are more header parts than in real media; what follows them would not be
  /// counted.
  private var isEndless = false

  private var isOver: Bool { count > limit || isEndless }

  /// Whether a file has more entries than the limit.
  package static func exceeds(_ limit: Int, in input: any ByteInput) -> Bool {
    var census = MetadataCensus(reader: CensusReader(input), limit: limit)
    census.run()
    return census.isOver
  }

  package mutating func add(_ entries: Int = 1) { count += entries }

  /// Counts one more box, element or chunk; false to stop.
  package mutating func goesOn() -> Bool {
    steps += 1
    return !isOver && steps <= Self.mostSteps
  }

  /// The same for parts of a header: a file in which they do not end is rejected.
  package mutating func goesOnInHeader() -> Bool {
    headerSteps += 1
    if headerSteps > Self.mostSteps { isEndless = true }
    return !isOver
  }

  private mutating func run() {
    var start: Int64 = 0
    // FFmpeg reads all consecutive tags (libavformat/id3v2.c).
    while reader.bytes(at: start, count: 3).map({ Array($0) }) == Array("ID3".utf8),
      goesOnInHeader()
    {
      start = countID3(at: start)
    }
    guard let magic = reader.bytes(at: start, count: 12) else { return }
    switch Array(magic[0..<4]) {
    case [0x1A, 0x45, 0xDF, 0xA3]: countMatroska()
    case Array("RIFF".utf8), Array("RF64".utf8): countRIFF()
    case Array("fLaC".utf8): countFLAC(at: start + 4)
    case Array("OggS".utf8): countOgg()
    default: if Self.isISO(magic) { countISO() }
    }
  }

  // MARK: Numbers

  /// Reads a big-endian number; 0 beyond the end.
  package mutating func number(at position: Int64, bytes: Int) -> Int64 {
    guard let field = reader.bytes(at: position, count: bytes) else { return 0 }
    return field.reduce(0) { ($0 & 0x7F_FFFF_FFFF_FFFF) << 8 | Int64($1) }
  }

  package mutating func littleEndian32(at position: Int64) -> Int64 {
    guard let field = reader.bytes(at: position, count: 4) else { return 0 }
    return field.reversed().reduce(0) { $0 << 8 | Int64($1) }
  }
}

/// Reads small fields through one buffer.
package struct CensusReader {
  private let input: any ByteInput
  private var buffer: [UInt8] = []
  private var start: Int64 = 0
  package let byteCount: Int64
  let isReadSparingly: Bool

  private static let size = 16 << 10

  package init(_ input: any ByteInput) {
    self.input = input
    byteCount = input.byteCount ?? .max
    isReadSparingly = (input as? InputFile)?.isReadSparingly == true
  }

  /// Reads some bytes; `nil` where there are fewer.
  package mutating func bytes(at position: Int64, count: Int) -> ArraySlice<UInt8>? {
    guard position >= 0, position <= byteCount - Int64(count) else { return nil }
    if position < start || position + Int64(count) > start + Int64(buffer.count) {
      fill(from: position)
    }
    let first = Int(position - start)
    guard first + count <= buffer.count else { return nil }
    let found = buffer[first..<first + count]
    return ArraySlice(Array(found))
  }

  private mutating func fill(from position: Int64) {
    start = position
    buffer = [UInt8](unsafeUninitializedCapacity: Self.size) { buffer, filled in
      filled = (try? input.read(into: UnsafeMutableRawBufferPointer(buffer), at: position)) ?? 0
    }
  }
}
