#if FFmpeg
  import Libav
  import MediaFiles
  import Synchronization

  /// States in an AVI how large packets of MP3 and MP2 may be, where FFmpeg's muxer states too little: readers count
  /// a packet that is larger than `nBlockAlign` as several (WAVEFORMATEX), and all that follow come later.
  ///
  /// An output that passes everything on and remembers the beginning of the file.
  final class SoundBlocks: CorrectedOutput {
    private let output: any ByteOutput
    /// The largest packet of each track, in bytes.
    private let largest: [Int]
    private let head = Mutex(WrittenHead(most: SoundBlocks.headSize))

    /// The list of headers with the indices that FFmpeg leaves room for in it.
    private static let headSize = 1 << 18
    /// WAVE_FORMAT_MPEG and WAVE_FORMAT_MPEGLAYER3.
    private static let mpeg = [0x50, 0x55]

    /// - Parameter largest: the largest packet of each track, in bytes.
    init(_ output: any ByteOutput, largest: [Int]) {
      self.output = output
      self.largest = largest
    }

    func write(_ bytes: UnsafeRawBufferPointer, at position: Int64) throws(OutputFault) {
      try output.write(bytes, at: position)
      head.withLock { $0.write(bytes, at: position) }
    }

    func finish() throws(OutputFault) {
      let head = head.withLock(\.bytes)
      for (size, format) in zip(largest, Self.formats(in: head)) {
        guard format + 14 <= head.count, Self.mpeg.contains(head.number(format, 2)),
          head.number(format + 12, 2) < size,
          let stated = UInt16(exactly: size)
        else { continue }
        try output.write(
          [UInt8(truncatingIfNeeded: stated), UInt8(stated >> 8)], at: Int64(format + 12))
      }
    }

    /// Where the format of each stream stands (`strf` in `strl` in `hdrl`; AVI RIFF File Reference).
    private static func formats(in head: [UInt8]) -> [Int] {
      var found: [Int] = []
      var place = 12
      while place + 20 <= head.count {
        let name = head[place..<place + 4]
        if name.elementsEqual("LIST".utf8) {
          guard !head[place + 8..<place + 12].elementsEqual("movi".utf8) else { break }
          place += 12
          continue
        }
        let size = head.number(place + 4, 4)
        if name.elementsEqual("strf".utf8) {
          guard place + 8 + size <= head.count else { break }
          found.append(place + 8)
        }
        place += 8 + size + size % 2
      }
      return found
    }
  }

  extension [UInt8] {
    /// A little-endian number.
    fileprivate func number(_ place: Int, _ count: Int) -> Int {
      self[place..<place + count].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
  }
#endif
