/// Windows Media Audio 1 and 2.
package enum WindowsMediaAudio {
  /// Whether frames may begin in one packet and end in the next, as a flag in the configuration says
  /// (that of the bit reservoir, libavcodec/wma.c).
  package static func sharesFrames(_ codec: String, configuration: [UInt8]) -> Bool {
    guard let flags = ["wmav1": 2, "wmav2": 4][codec] else { return false }
    return configuration.count >= flags + 2 && configuration[flags] & 2 != 0
  }

  /// How many samples a frame has, of which ASF puts several into a packet, by the rate alone; `nil`
  /// for other codecs, by FFmpeg's names.
  package static func frameLength(of codec: String, sampleRate: Int?) -> Int? {
    guard ["wmav1", "wmav2"].contains(codec) else { return nil }
    let rate = sampleRate ?? 48_000
    if rate <= 16_000 { return 512 }
    return rate <= 22_050 || rate <= 32_000 && codec == "wmav1" ? 1024 : 2048
  }
}
