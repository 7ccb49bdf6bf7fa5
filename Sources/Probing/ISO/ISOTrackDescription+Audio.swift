import Bitstreams
package import ISOMedia
package import MediaFacts

extension ISOTrackDescription {
  package static func audio(
    _ entry: ISOSampleEntry.Audio, _ description: ISOSampleEntry, _ facts: inout TrackFacts
  ) -> AudioFacts {
    var audio = AudioFacts(
      sampleRate: entry.sampleRate, channels: entry.channels > 0 ? entry.channels : nil)
    if let header = audioHeader(of: description, codec: facts.codec) {
      facts.profile = header.profile
      audio.sampleRate = header.sampleRate ?? audio.sampleRate
      audio.channels = header.channels ?? audio.channels
      audio.channelLayout = header.channelLayout
    } else {
      if monophonic.contains(facts.codec) { audio.channels = 1 }
      audio.channelLayout = audio.channels.flatMap(ChannelLayoutName.name)
    }
    audio.sampleRate = onlyRates[facts.codec] ?? audio.sampleRate
    return audio
  }

  /// Codecs that state their channels reliably only in each frame.
  package static let statedByFrames: Set<Codec> = [.mp3, .dts]

  package static func audio(
    _ audio: AudioFacts, codec: Codec, firstFrame frame: [UInt8]
  ) -> AudioFacts {
    guard let header = AudioHeader(codec: codec, configuration: frame) else { return audio }
    var audio = audio
    audio.sampleRate = header.sampleRate ?? audio.sampleRate
    audio.channels = header.channels
    audio.channelLayout = header.channelLayout
    return audio
  }

  /// Codecs that are always mono, whatever the sample entry states (ETSI TS 126 244, 6.5).
  private static let monophonic: Set<Codec> = [.amrNB, .amrWB, .qcelp, .evrc]

  /// Codecs with a single sample rate, whatever the sample entry states, which in 3GP is the time
  /// scale (RFC 4867, 3.1 and 3.2; RFC 2658, 2; TIA IS-127).
  private static let onlyRates: [Codec: Int] = [
    .amrNB: 8000, .amrWB: 16_000, .qcelp: 8000, .evrc: 8000, .smv: 8000,
  ]

  private static func audioHeader(of entry: ISOSampleEntry, codec: Codec) -> AudioHeader? {
    let types: [FourCC] = ["dOps", "dac3", "dec3", "dmlp", "dfLa", "alac"]
    let box = types.lazy.compactMap { entry.configuration($0) }.first
    guard let bytes = box ?? entry.elementaryStream?.decoderConfiguration else { return nil }
    return AudioHeader(codec: codec, configuration: bytes)
  }
}
