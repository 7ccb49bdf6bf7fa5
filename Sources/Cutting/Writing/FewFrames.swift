import Bitstreams

/// In an MP3 of a few frames, states the bit rate of the first frame, which holds its tag.
///
/// FFmpeg's muxer writes 0 there. Followed by a delay of 2048 to 2111 samples, that looks like
/// the start code of an H.263 picture, and for so short a file FFmpeg's probe then scores H.263
/// as high as MP3.
struct FewFrames: HeadCorrection {
  /// Covers the other tags, the frames, and the pictures in the tags.
  let headSize: Int

  /// - Parameter tagged: total size in bytes of the pictures in the tags before it.
  init(tagged: Int) { headSize = (1 << 16) + tagged }

  func corrections(of head: [UInt8]) -> [(place: Int, bytes: [UInt8])] {
    var start = 0
    if head.count > 10, head.starts(with: "ID3".utf8) {
      // ID3v2, 3.1: the size is four bytes of seven bits each.
      start = 10 + head[6..<10].reduce(0) { $0 << 7 | Int($1 & 0x7F) }
    }
    guard head.count < headSize,
      let frame = MPEGAudioInfo.withLowestBitRate(head.dropFirst(start))
    else { return [] }
    return [(start, Array(frame))]
  }
}
