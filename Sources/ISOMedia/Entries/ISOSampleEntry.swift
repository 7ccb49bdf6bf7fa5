package import ExactTime

/// One sample description of a track: the codec and what it needs (ISO 14496-12, 8.5.2).
package struct ISOSampleEntry: Sendable {
  /// The four characters as stored: `avc1`, `hev1`, `mp4a`, `encv` and so on.
  package internal(set) var format: FourCC
  /// Where its box begins in the file.
  package internal(set) var offset: Int64 = 0
  /// The original format under encryption or a resource wrapper (`frma`).
  package internal(set) var originalFormat: FourCC?
  /// The protection, where the samples are encrypted.
  package internal(set) var encryption: Encryption?
  package internal(set) var dataReferenceIndex: UInt16 = 0
  package internal(set) var video: Video?
  package internal(set) var audio: Audio?
  /// The parsed `esds`, from the entry itself or from its `wave` box.
  package internal(set) var elementaryStream: ISOElementaryStream?

  /// All boxes that describe the codec, including those in `wave`.
  var boxes: [Box] = []

  /// The format of the samples without protection.
  package var codec: FourCC { originalFormat ?? format }

  /// The bytes of a configuration box without its header: `avcC`, `hvcC`, `av1C`, `vpcC`, `dOps`,
  /// `dac3`, `dfLa`, `alac`, …; `nil` when the entry has none of that type.
  package func configuration(_ type: FourCC) -> [UInt8]? {
    boxes.first { $0.type == type }?.payload.bytes
  }

  /// The offset of such a box in the file.
  package func offset(of type: FourCC) -> Int64? { boxes.first { $0.type == type }?.offset }

  /// The offset in the file of the payload of such a box.
  package func payloadOffset(of type: FourCC) -> Int64? {
    boxes.first { $0.type == type }?.payload.fileOffset
  }

  package struct Encryption: Hashable, Sendable {
    /// `cenc`, `cbcs`, …; `nil` when the scheme box is missing.
    package var scheme: FourCC?
  }

  /// The contents of a visual sample entry (ISO 14496-12, 12.1.3).
  package struct Video: Hashable, Sendable {
    package var width: Int
    package var height: Int
    package var depth: Int
    /// Width of a pixel over its height (`pasp`); `nil` when not stated or not positive.
    package var sampleAspectRatio: Rational?
    package var color: Color?
    /// Number of fields and their order (`fiel`, QuickTime).
    package var fields: Fields?
    package var compressorName: String?
  }

  /// The `colr` box: code points of ITU-T H.273, or an ICC profile.
  package struct Color: Hashable, Sendable {
    package var primaries: UInt16
    package var transfer: UInt16
    package var matrix: UInt16
    /// `nil` in QuickTime's `nclc`, which does not state it.
    package var isFullRange: Bool?
  }

  package struct Fields: Hashable, Sendable {
    /// 1 for progressive, 2 for interlaced.
    package var count: UInt8
    /// 1 and 9: top field first in time; 6 and 14: bottom field first in time.
    package var order: UInt8
  }

  /// The contents of an audio sample entry (ISO 14496-12, 12.2.3, and QuickTime's versions 1 and
  /// 2).
  package struct Audio: Hashable, Sendable {
    package var channels: Int
    /// Bits per uncompressed sample.
    package var sampleSize: Int
    /// Samples per second; `nil` when stated as 0 or not a whole number.
    package var sampleRate: Int?
    /// QuickTime's version of the entry: 0, 1 or 2.
    package var version: UInt16
    /// Samples per packet and bytes per frame as stated in versions 1 and 2; `nil` in version 0.
    package var samplesPerPacket: UInt32?
    package var bytesPerFrame: UInt32?
    /// formatSpecificFlags of QuickTime's version 2; `nil` elsewhere.
    package var formatFlags: UInt32?
  }
}

/// An `esds` box: the descriptor of an MPEG-4 elementary stream (ISO 14496-1, 7.2.6).
package struct ISOElementaryStream: Hashable, Sendable {
  /// 0x20 MPEG-4 video, 0x40 AAC, 0x69 and 0x6B MP3, 0xE1 QCELP and so on.
  package var objectType: UInt8
  package var streamType: UInt8
  package var maximumBitRate: UInt32
  package var averageBitRate: UInt32
  /// The AudioSpecificConfig of AAC, the VOL header of MPEG-4 video, …; empty when absent.
  package var decoderConfiguration: [UInt8]
}
