#if FFmpeg
  import Libav
  import MediaFiles
  import Synchronization

  /// States in a WAV how many bits of its samples count, as its source does: FFmpeg's muxer states all that
  /// are stored.
  ///
  /// An output that passes everything on and remembers the beginning of the file.
  final class ValidBits: CorrectedOutput {
    private let output: any ByteOutput
    private let source: ExtensibleWAV
    private let head = Mutex(WrittenHead(most: ValidBits.headSize))

    private static let headSize = 4096

    init(_ output: any ByteOutput, of source: ExtensibleWAV) {
      self.output = output
      self.source = source
    }

    func write(_ bytes: UnsafeRawBufferPointer, at position: Int64) throws(OutputFault) {
      try output.write(bytes, at: position)
      head.withLock { $0.write(bytes, at: position) }
    }

    /// Where the samples are stored in as many bits as in the source.
    func finish() throws(OutputFault) {
      guard let wave = ExtensibleWAV(head.withLock(\.bytes)), wave.storedBits == source.storedBits
      else { return }
      let (bytes, place) = wave.fields(validBits: source.validBits)
      try output.write(bytes, at: place)
    }
  }
#endif
