import ExactTime
import Libav
import MediaFacts
import MediaFiles
import Trimming

/// An output that passes on what FFmpeg's muxer writes, and corrects its mistakes.
protocol CorrectedOutput: ByteOutput {
  /// Called when the muxer has written everything.
  func finish() throws(OutputFault)
}

extension PacketWriter {
  /// The output through which the muxer of a container writes; `nil` where nothing needs
  /// correction.
  ///
  /// - Parameters:
  ///   - length: the end of what is shown.
  ///   - chunks: what is added to a WAV or AIFF.
  func corrected(
    _ output: any ByteOutput, of tracks: [OutputTrack], lasting length: MediaTime,
    tagged: Int, adding chunks: [AddedChunk] = []
  ) -> (any CorrectedOutput)? {
    switch container {
    case .mpegts, .m2ts:
      let times = rules.times.hasArrivalTimes ? ArrivalTimes(output) : nil
      let filling = NullPackets(
        times ?? output, least: rules.limits.leastByteCount,
        unit: rules.times.hasArrivalTimes ? 32 : 1,
        before: times)
      let clocked: any CorrectedOutput =
        tracks.contains { $0.video != nil } ? EntryClocks(filling) : filling
      let packed = tracks.indices.filter { tracks[$0].codec(in: source) == .pcmBluRay }
      return packed.isEmpty ? clocked : BluRayMap(clocked, packed: Set(packed))
    case .wav:
      let stated = ExtensibleWAV(source.file.head)
      let isPartial = stated.map { $0.validBits < $0.storedBits } == true
      let head = CorrectedHead(
        output, stated.flatMap { isPartial ? ValidBits(source: $0) : nil } ?? PlainSamples())
      return chunks.isEmpty ? head : AppendedChunks(output, after: head, chunks)
    case .aiff: return chunks.isEmpty ? nil : AppendedChunks(output, after: nil, chunks)
    case .mp3: return CorrectedHead(output, FewFrames(tagged: tagged))
    case .flv: return CorrectedHead(output, FlashLength(length: length))
    case .avi:
      let largest = tracks.map { $0.packets.map(\.byteCount).max() ?? 0 }
      return CorrectedHead(output, AudioBlocks(largest: largest))
    case .mp4, .mov, .m4a, .threeGP, .matroska, .webm, .mpegps, .adts, .flac, .ogg, .opus, .amr,
      .caf, .ac3, .eac3, .dts, .mp2:
      return nil
    }
  }
}
