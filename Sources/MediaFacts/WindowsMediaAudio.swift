/// Windows Media Audio 1 and 2.
package enum WindowsMediaAudio {
  /// How many samples a frame has, of which ASF puts several into a packet, by the rate alone; `nil`
  /// for other codecs, by FFmpeg's names.
  package static func frameLength(of codec: String, sampleRate: Int?) -> Int? {
    guard ["wmav1", "wmav2"].contains(codec) else { return nil }
    let rate = sampleRate ?? 48_000
    if rate <= 16_000 { return 512 }
    return rate <= 22_050 || rate <= 32_000 && codec == "wmav1" ? 1024 : 2048
  }
}
