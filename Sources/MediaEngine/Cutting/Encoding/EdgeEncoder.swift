#if FFmpeg
  import CSystem
  import Libav
  import MediaFacts
  import Trimming

  /// Decodes the frames at the edges of a cut and encodes them anew.
  struct EdgeEncoder {
    let source: any CutSource
    let track: Int
    let settings: Encoder.Settings
    let limits: Limits
    let isCancelled: @Sendable () -> Bool

    /// A frame coded anew.
    struct Picture {
      /// The packet of the source whose frame it shows.
      var place: Int
      var packet: EncodedPacket
    }

    /// One run of frames, each following the one before.
    struct Run {
      /// In the order in which they are shown.
      var places: [Int]
      /// Those that stand alone.
      var intra: Set<Int> = []
      /// Packets to decode.
      var source: Range<Int>
    }

    /// Encodes a run.
    ///
    /// - Parameter emit: takes the pictures in order, with the encoder's configuration.
    /// - Throws: ``CutError``: a frame that does not decode, no encoder, or it was cancelled.
    func encode(
      _ run: Run, emit: (Picture, _ configuration: [UInt8]) throws(CutError) -> Void
    ) throws(CutError) {
      guard !run.places.isEmpty else { return }
      // The frames of decoder and encoder: 100 MiB in 1080p.
      defer { trim_return_memory() }
      var start = run.source.lowerBound
      // At the end of the film a decoder that has entered an open group keeps its last frames.
      let isAtEnd =
        run.source.upperBound + Self.longestDelay >= source.tracks[track].coded.packets.count
      if isAtEnd, source.access(ofTrack: track, start) == .recoveryPoint {
        start = keyframe(before: start) ?? start
      }
      while true {
        let missing = try attempt(run, from: start, emit: emit)
        guard missing else { return }
        // What the bitstream calls an entry point did not do: the one before it may.
        guard let earlier = keyframe(before: start) else {
          throw CutError(
            .damaged, "frames at the edge of the range cannot be decoded",
            hint: "Try another range, or --mode copy.")
        }
        start = earlier
      }
    }

    /// Packets: no decoder holds more than sixteen frames of two fields.
    static let longestDelay = 32

    private func keyframe(before place: Int) -> Int? {
      let packets = source.tracks[track].coded.packets
      guard place > 0 else { return nil }
      return (0..<place).last { packets[$0].isKey } ?? 0
    }

    /// - Returns: true when the first frame did not come, and nothing was emitted.
    private func attempt(
      _ run: Run, from start: Int,
      emit: (Picture, [UInt8]) throws(CutError) -> Void
    ) throws(CutError) -> Bool {
      let packets = source.tracks[track].coded.packets
      var encoding = Encoding(run, packets, settings)
      let described = source.tracks[track]
      let stream = described.stream
      let extradata = described.isReframed ? described.configuration : nil
      let limits = limits
      let decoder = try source.withDemuxer { (demuxer) throws(CutError) -> DecoderBox in
        do throws(LibavError) {
          return DecoderBox(
            try demuxer.decoder(
              forStream: stream, threads: 2, limits: limits.demuxer, extradata: extradata))
        } catch {
          throw CutError(error)
        }
      }
      // A decoder lets frames go as others come in; told that nothing follows, it may keep some.
      // So it is given what follows, for as long as it must be.
      let behind = min(packets.count, run.source.upperBound + Self.longestDelay)
      try source.prepare([track: [start..<behind]])
      // On the long way there, only what others refer to is decoded; the last stretch is whole,
      // since decoders learn from it how pictures are reordered.
      let whole = (run.places.min() ?? start) - Self.longestDelay
      for place in start..<behind {
        if isCancelled() { throw CutError(.cancelled, "it was cancelled") }
        let packet = packets[place]
        let bytes = try source.bytes(ofTrack: track, place)
        decoder.value.skipFrames(place < whole ? .unreferenced : .nothing)
        var result = try decoder.send(bytes, packet)
        while result == .full {
          try encoding.drain(decoder.value, emit)
          result = try decoder.send(bytes, packet)
        }
        try encoding.drain(decoder.value, emit)
        if encoding.isAtFault { return true }
        if encoding.isComplete { break }
      }
      if !encoding.isComplete {
        decoder.value.finish()
        try encoding.drain(decoder.value, emit)
      }
      if !encoding.isComplete, !encoding.hasBegun { return true }
      try encoding.finish(emit)
      return false
    }
  }

  /// An owner that cannot be copied, where a closure must return it.
  final class DecoderBox {
    let value: Decoder

    init(_ value: consuming Decoder) { self.value = value }

    func send(_ bytes: [UInt8], _ packet: CodedPacket) throws(CutError) -> Decoder.SendResult {
      do throws(LibavError) {
        return try value.send(bytes, pts: packet.pts, dts: packet.dts, isKey: packet.isKey)
      } catch {
        throw CutError(error)
      }
    }
  }

  /// The frames of a run on their way from the decoder to the encoder.
  private struct Encoding {
    private let run: EdgeEncoder.Run
    private let settings: Encoder.Settings
    private let wanted: [Int64: Int]
    private let packets: ContiguousArray<CodedPacket>
    private var encoder: EncoderBox?
    private var sent: [Int] = []
    private var received = 0
    /// A wanted frame was passed over.
    private(set) var isAtFault = false

    private final class EncoderBox {
      let value: Encoder
      init(_ value: consuming Encoder) { self.value = value }
    }

    init(
      _ run: EdgeEncoder.Run, _ packets: ContiguousArray<CodedPacket>,
      _ settings: Encoder.Settings
    ) {
      self.run = run
      self.settings = settings
      self.packets = packets
      wanted = Dictionary(
        run.places.map { (packets[$0].pts, $0) }, uniquingKeysWith: { first, _ in first })
    }

    var isComplete: Bool { sent.count == run.places.count }
    var hasBegun: Bool { !sent.isEmpty }

    mutating func drain(
      _ decoder: borrowing Decoder, _ emit: (EdgeEncoder.Picture, [UInt8]) throws(CutError) -> Void
    ) throws(CutError) {
      while !isComplete, !isAtFault {
        var failure: CutError?
        let output = decoder.receive { frame in
          do throws(CutError) {
            try take(frame)
          } catch {
            failure = error
          }
        }
        if let failure { throw failure }
        switch output {
        case .frame: try receive(emit)
        case .failed: continue
        case .needsInput, .ended: return
        }
      }
    }

    private mutating func take(_ frame: borrowing DecodedFrame) throws(CutError) {
      guard let time = frame.time, let place = wanted[time] else { return }
      guard place == run.places[sent.count] else {
        // The one that should have come was not decoded.
        if sent.isEmpty {
          isAtFault = true
          return
        }
        throw CutError(
          .damaged, "a frame at the edge of the range cannot be decoded",
          hint: "Try another range, or --mode copy.")
      }
      do throws(LibavError) {
        let encoder: EncoderBox
        if let opened = self.encoder {
          encoder = opened
        } else {
          encoder = EncoderBox(try Encoder(settings, matching: frame))
          self.encoder = encoder
        }
        try encoder.value.send(
          frame, pts: Int64(sent.count), isKey: sent.isEmpty || run.intra.contains(place))
      } catch {
        throw CutError(error)
      }
      sent.append(place)
    }

    private mutating func receive(
      _ emit: (EdgeEncoder.Picture, [UInt8]) throws(CutError) -> Void
    ) throws(CutError) {
      guard let encoder else { return }
      while true {
        let packet: EncodedPacket?
        do throws(LibavError) {
          packet = try encoder.value.receive()
        } catch {
          throw CutError(error)
        }
        guard let packet else { return }
        guard received < sent.count else {
          throw CutError(.internalError, "the encoder made more frames than it was given")
        }
        try emit(
          EdgeEncoder.Picture(place: sent[received], packet: packet), encoder.value.extradata)
        received += 1
      }
    }

    mutating func finish(
      _ emit: (EdgeEncoder.Picture, [UInt8]) throws(CutError) -> Void
    ) throws(CutError) {
      encoder?.value.finish()
      try receive(emit)
      guard isComplete, received == sent.count else {
        throw CutError(
          .damaged, "of \(run.places.count) frames at the edge, \(received) could be encoded",
          hint: "Try another range, or --mode copy.")
      }
    }
  }
#endif
