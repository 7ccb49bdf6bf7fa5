import ExactTime
import Libav
import MediaFiles
import Trimming

extension CutSource {
  /// A decoder of a track's packets, as this source delivers them; the parameters are those of
  /// the same method of ``Demuxer``.
  func decoder(
    ofTrack index: Int, threads: Int32 = 1, limits: DemuxerLimits, tick: Rational? = nil,
    log: LibavLog? = nil, size: (width: Int, height: Int)? = nil, keepsPadding: Bool = false,
    keepsLead: Bool = false
  ) throws(MediaError) -> DecoderBox {
    let track = tracks[index]
    let extradata = track.isReframed ? track.configuration : nil
    return try withDemuxer { (demuxer) throws(MediaError) -> DecoderBox in
      do throws(LibavError) {
        return DecoderBox(
          try demuxer.decoder(
            forStream: track.stream, threads: threads, limits: limits, extradata: extradata,
            tick: tick, log: log, size: size, keepsPadding: keepsPadding,
            waitsLongest: track.leavesReorderingOpen, keepsLead: keepsLead))
      } catch {
        throw MediaError(cutting: error)
      }
    }
  }
}

/// Wraps a noncopyable value that a closure must return.
final class DecoderBox {
  let value: Decoder

  init(_ value: consuming Decoder) { self.value = value }

  func send(_ bytes: [UInt8], _ packet: CodedPacket) throws(MediaError) -> Decoder.SendResult {
    do throws(LibavError) {
      return try value.send(bytes, pts: packet.pts, dts: packet.dts, isKey: packet.isKey)
    } catch {
      throw MediaError(cutting: error)
    }
  }
}
