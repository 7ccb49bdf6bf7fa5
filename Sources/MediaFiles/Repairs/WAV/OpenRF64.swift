package import Libav

/// RF64 that was written to a pipe: the sizes in its `ds64` (EBU Tech 3306) stayed zero, and FFmpeg
/// then finds no audio in it.
///
/// Read as RIFF, where a `data` chunk of unknown length continues to the end of the file, it is
/// complete.
package enum OpenRF64 {
  /// The file as RIFF; `nil` for any other.
  package static func input(of file: InputFile) -> (any ByteInput)? {
    let head = file.head.prefix(36)
    // The sizes of the file and of the audio, eight bytes each, after the chunk's header.
    guard head.count == 36, head.starts(with: "RF64".utf8) || head.starts(with: "BW64".utf8),
      head[12..<16].elementsEqual("ds64".utf8), head[20..<36].allSatisfy({ $0 == 0 })
    else { return nil }
    return OverlaidInput(file, Array("RIFF".utf8), at: 0)
  }
}
