/// What the configuration of a sound codec says.
struct AudioHeader: Hashable {
  var profile: String?
  var sampleRate: Int?
  var channels: Int?

  /// AudioSpecificConfig (ISO 14496-3, 1.6.2.1).
  init?(audioSpecificConfig bytes: [UInt8]) {
    var reader = BitReader(bytes)
    guard var objectType = Self.objectType(&reader), let rate = Self.rate(&reader),
      let layout = reader.read(4)
    else { return nil }
    var outputRate = rate
    var isParametric = false
    let hasBandReplication = objectType == 5 || objectType == 29
    if hasBandReplication {
      isParametric = objectType == 29
      guard let extended = Self.rate(&reader), let inner = Self.objectType(&reader) else {
        return nil
      }
      outputRate = extended
      objectType = inner
    }
    switch objectType {
    case 1: profile = "Main"
    case 2: profile = isParametric ? "HE-AACv2" : hasBandReplication ? "HE-AAC" : "LC"
    case 3: profile = "SSR"
    case 4: profile = "LTP"
    case 23: profile = "LD"
    case 39: profile = "ELD"
    default: profile = nil
    }
    sampleRate = outputRate
    channels = isParametric && layout == 1 ? 2 : Self.channelCount(Int(layout))
  }

  private static func objectType(_ reader: inout BitReader) -> Int? {
    guard let type = reader.read(5) else { return nil }
    guard type == 31 else { return Int(type) }
    return reader.read(6).map { 32 + Int($0) }
  }

  private static func rate(_ reader: inout BitReader) -> Int? {
    guard let index = reader.read(4) else { return nil }
    if index == 15 { return reader.read(24).map { Int($0) } }
    let rates = [
      96000, 88200, 64000, 48000, 44100, 32000, 24000, 22050, 16000, 12000, 11025, 8000, 7350,
    ]
    return Int(index) < rates.count ? rates[Int(index)] : nil
  }

  /// Table 1.19; 0 means that a program config element tells.
  private static func channelCount(_ configuration: Int) -> Int? {
    switch configuration {
    case 1...6: configuration
    case 7, 12, 14: 8
    case 11: 7
    default: nil
    }
  }
}

/// FFmpeg's names of the usual layouts, by the number of channels.
enum ChannelLayoutName {
  static func name(channels: Int, codec: String) -> String? {
    switch channels {
    case 1: "mono"
    case 2: "stereo"
    case 3: codec == "aac" ? "3.0" : "2.1"
    case 4: "4.0"
    case 5: codec == "aac" ? "5.0" : "5.0(side)"
    case 6: codec == "aac" || codec == "opus" || codec == "flac" ? "5.1" : "5.1(side)"
    case 8: "7.1"
    default: nil
    }
  }
}
