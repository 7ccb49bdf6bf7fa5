import Bitstreams
import Trimming

extension AudioDescriptions.Run {
  /// What an ADTS header states, from the packet at a place on.
  init(place: Int, _ header: ADTSHeader) {
    self.init(
      place: place, configuration: header.audioSpecificConfig, sampleRate: header.sampleRate,
      channels: header.channels)
  }
}
