package import Libav

/// WAVE_FORMAT_EXTENSIBLE with PCM: the number of valid bits per sample (`wValidBitsPerSample`),
/// and of stored bits (`wBitsPerSample`); the valid ones are the upper ones (Microsoft, “Multiple
/// Channel Audio Data and WAVE Files”).
///
/// FFmpeg mistakes the valid bits for the stored ones: it reads 24 of 32 as floating point, and 20 of
/// 32 as three-byte samples.
package struct ExtensibleWAV: Hashable {
  package let storedBits: Int
  package let validBits: Int
  /// True where the older header says as much: one or two channels in their usual places, and no bits
  /// that are not valid.
  package let isPlain: Bool
  /// The offset of the stored bit count, which is followed by a two-byte length and the valid bit
  /// count.
  private let place: Int

  /// - Parameter head: the first bytes of the file.
  /// - Returns: `nil` for any other.
  package init?(_ head: [UInt8]) {
    guard ["RIFF", "RF64", "BW64"].contains(where: { head.starts(with: $0.utf8) }),
      head.dropFirst(8).starts(with: "WAVE".utf8)
    else { return nil }
    func number(_ place: Int, _ count: Int) -> Int {
      head[place..<place + count].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
    var chunk = 12
    while chunk + 48 <= head.count, !head[chunk...].starts(with: "fmt ".utf8) {
      let size = number(chunk + 4, 4)
      chunk += 8 + size + size % 2
    }
    guard chunk + 48 <= head.count, number(chunk + 4, 4) >= 40, number(chunk + 8, 2) == 0xFFFE,
      head[chunk + 32..<chunk + 48].elementsEqual(Self.pcm)
    else { return nil }
    let channels = number(chunk + 10, 2)
    guard channels > 0, number(chunk + 20, 2) % channels == 0 else { return nil }
    // A block contains one sample of each channel.
    storedBits = number(chunk + 20, 2) / channels * 8
    validBits = number(chunk + 26, 2)
    place = chunk + 22
    let speakers = number(chunk + 28, 4)
    // Front center; front left and front right (dwChannelMask).
    isPlain =
      validBits == storedBits && (1...2).contains(channels)
      && [0, channels == 1 ? 4 : 3].contains(speakers)
    guard [8, 16, 24, 32].contains(storedBits), (1...storedBits).contains(validBits) else {
      return nil
    }
  }

  /// KSDATAFORMAT_SUBTYPE_PCM.
  private static let pcm: [UInt8] = [
    1, 0, 0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71,
  ]

  /// The tag of the older header (WAVE_FORMAT_PCM), and its offset in the file.
  package var plainTag: (bytes: [UInt8], place: Int64) { ([1, 0], Int64(place - 14)) }

  /// The bytes of both numbers, and their offset in the file.
  package func fields(validBits: Int) -> (bytes: [UInt8], place: Int64) {
    ([UInt8(storedBits), 0, 22, 0, UInt8(validBits), 0], Int64(place))
  }

  /// The file with all stored bits marked as valid, where FFmpeg would assume a different sample
  /// size; `nil` for any other.
  package static func input(of file: InputFile) -> (any ByteInput)? {
    guard let wave = ExtensibleWAV(file.head), (wave.validBits + 7) / 8 < wave.storedBits / 8 else {
      return nil
    }
    let (bytes, place) = wave.fields(validBits: wave.storedBits)
    return OverlaidInput(file, bytes, at: place)
  }
}
