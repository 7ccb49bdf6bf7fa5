package import MediaFacts

extension AudioHeader {
  /// AudioSpecificConfig (ISO 14496-3, 1.6.2.1).
  package init?(audioSpecificConfig bytes: [UInt8]) {
    var reader = BitReader(bytes)
    guard var objectType = Self.objectType(&reader), let rate = Self.rate(&reader),
      let configuration = reader.read(4)
    else { return nil }
    self.init()
    var outputRate = rate
    var isParametric = false
    var isReplicated = objectType == 5 || objectType == 29
    if isReplicated {
      isParametric = objectType == 29
      guard let extended = Self.rate(&reader), let inner = Self.objectType(&reader) else {
        return nil
      }
      outputRate = extended
      objectType = inner
    }
    let general = Self.general(&reader, objectType: objectType, configuration: Int(configuration))
    if !isReplicated, general != nil, let extended = Self.extensionRate(&reader) {
      isReplicated = true
      outputRate = extended.rate
      isParametric = extended.isParametric
    }
    profile = Self.profile(objectType, isReplicated, isParametric)
    sampleRate = outputRate
    channels = Self.channelCount(Int(configuration)) ?? general?.channels
    channelLayout = Self.layout(Int(configuration))
    if isParametric, configuration == 1 { (channels, channelLayout) = (2, "stereo") }
    if let length = general?.frameLength {
      samplesPerPacket = isReplicated && outputRate == 2 * rate ? 2 * length : length
    }
  }

  private static func profile(
    _ objectType: Int, _ isReplicated: Bool, _ isParametric: Bool
  ) -> String? {
    switch objectType {
    case 1: "Main"
    case 2: isParametric ? "HE-AACv2" : isReplicated ? "HE-AAC" : "LC"
    case 3: "SSR"
    case 4: "LTP"
    case 6: "Scalable"
    case 17: "ER LC"
    case 19: "ER LTP"
    case 20: "ER Scalable"
    case 22: "ER BSAC"
    case 23: "LD"
    case 36: "ALS"
    case 39: "ELD"
    case 42: "xHE-AAC"
    default: nil
    }
  }

  /// The codec of a configuration whose object type is no form of AAC (table 1.17), by FFmpeg's name, or
  /// where it has none of its own, that of the standard.
  package static func otherCodec(audioSpecificConfig bytes: [UInt8]) -> Codec? {
    var reader = BitReader(bytes)
    return switch objectType(&reader) {
    case 36: .mp4ALS
    case 42: .usac
    default: nil
    }
  }

  static func objectType(_ reader: inout BitReader) -> Int? {
    guard let type = reader.read(5) else { return nil }
    guard type == 31 else { return Int(type) }
    return reader.read(6).map { 32 + Int($0) }
  }

  static func rate(_ reader: inout BitReader) -> Int? {
    guard let index = reader.read(4) else { return nil }
    if index == 15 { return reader.read(24).map { Int($0) } }
    return rate(ofIndex: Int(index))
  }

  /// Table 1.18.
  package static func rate(ofIndex index: Int) -> Int? {
    let rates = [
      96000, 88200, 64000, 48000, 44100, 32000, 24000, 22050, 16000, 12000, 11025, 8000, 7350,
    ]
    return rates.indices.contains(index) ? rates[index] : nil
  }

  /// GASpecificConfig (4.4.1): the frame length, and the channels where only it gives them.
  private static func general(
    _ reader: inout BitReader, objectType: Int, configuration: Int
  ) -> (frameLength: Int, channels: Int?)? {
    guard [1, 2, 3, 4, 23, 39].contains(objectType), let isShort = reader.flag() else {
      return nil
    }
    let isLowDelay = objectType == 23 || objectType == 39
    let length = isLowDelay ? (isShort ? 480 : 512) : (isShort ? 960 : 1024)
    guard objectType != 39, let hasCore = reader.flag(), reader.skip(hasCore ? 14 : 0),
      reader.skip(1)
    else { return (length, nil) }
    return (length, configuration == 0 ? programChannels(&reader) : nil)
  }

  /// program_config_element (4.4.1.1).
  private static func programChannels(_ reader: inout BitReader) -> Int? {
    guard reader.skip(10), let front = reader.read(4), let side = reader.read(4),
      let back = reader.read(4), let lowFrequency = reader.read(2), reader.skip(7)
    else { return nil }
    for bits in [4, 4, 3] {
      guard let hasMixdown = reader.flag(), reader.skip(hasMixdown ? bits : 0) else { return nil }
    }
    var count = Int(lowFrequency)
    for _ in 0..<(front + side + back) {
      guard let isPair = reader.flag(), reader.skip(4) else { return nil }
      count += isPair ? 2 : 1
    }
    return count > 0 ? count : nil
  }

  /// The extension that older decoders ignore (1.6.5.3).
  private static func extensionRate(_ reader: inout BitReader) -> (rate: Int, isParametric: Bool)? {
    guard reader.read(11) == 0x2B7, objectType(&reader) == 5, reader.flag() == true,
      let extended = rate(&reader)
    else { return nil }
    return (extended, reader.read(11) == 0x548 && reader.flag() == true)
  }

  /// Table 1.19; 0 means that a program config element gives it.
  private static func channelCount(_ configuration: Int) -> Int? {
    switch configuration {
    case 1...6: configuration
    case 7, 12, 14: 8
    case 11: 7
    case 13: 24
    default: nil
    }
  }

  private static func layout(_ configuration: Int) -> String? {
    switch configuration {
    case 1: "mono"
    case 2: "stereo"
    case 3: "3.0"
    case 4: "4.0"
    case 5: "5.0"
    case 6: "5.1"
    case 7, 12: "7.1"
    case 11: "6.1(back)"
    case 13: "22.2"
    default: nil
    }
  }
}
