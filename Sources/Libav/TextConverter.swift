import CFFmpeg
package import MediaFacts

/// Converts text subtitles from one codec to another.
///
/// FFmpeg's text decoders and encoders exchange lines of Advanced SubStation Alpha, in which
/// styles and positions on the screen are kept as far as both support them.
@safe package final class TextConverter {
  /// FFmpeg's name of the output codec.
  package let codec: Codec
  private let decoder: UnsafeMutablePointer<AVCodecContext>
  private let encoder: UnsafeMutablePointer<AVCodecContext>
  private let log: LibavLog
  /// The packet buffer: far more than fits on a screen; 3GPP TS 26.245, 5.17, has a 16-bit
  /// length.
  private var buffer = [UInt8](repeating: 0, count: 1 << 18)

  /// - Throws: ``LibavError`` of kind `notAllowed` where a codec is not text or has no encoder
  ///   here.
  @unsafe init(
    _ parameters: UnsafePointer<AVCodecParameters>, into codec: Codec, log: LibavLog
  ) throws(LibavError) {
    guard let own = unsafe avcodec_find_decoder(parameters.pointee.codec_id),
      unsafe AllowList.textDecoders.contains(String(cString: own.pointee.name))
    else { throw LibavError(.notAllowed, "its codec is not a supported text codec") }
    guard AllowList.textEncoders.contains(codec.rawValue) else {
      throw LibavError(.notAllowed, "text cannot be encoded as \(codec)")
    }
    let target = unsafe try OpenEncoder.codec(named: codec.rawValue)
    var opened = unsafe avcodec_alloc_context3(own)
    var made = unsafe avcodec_alloc_context3(target)
    do throws(LibavError) {
      guard let decoder = unsafe opened, let encoder = unsafe made else {
        throw LibavError(.outOfMemory, "no memory for a text decoder")
      }
      var code = unsafe avcodec_parameters_to_context(decoder, parameters)
      unsafe decoder.pointee.pkt_timebase = Self.tick
      if code >= 0 { code = log.collecting { unsafe avcodec_open2(decoder, own, nil) } }
      if code >= 0 { code = unsafe Self.copyHeader(of: decoder, to: encoder) }
      unsafe encoder.pointee.time_base = Self.tick
      if code >= 0 { code = log.collecting { unsafe avcodec_open2(encoder, target, nil) } }
      guard code >= 0 else {
        throw LibavError(code: code, doing: "its text cannot be converted to \(codec)", log: log)
      }
      unsafe self.decoder = unsafe decoder
      unsafe self.encoder = unsafe encoder
      self.codec = codec
      self.log = log
    } catch {
      unsafe avcodec_free_context(&opened)
      unsafe avcodec_free_context(&made)
      throw error
    }
  }

  deinit {
    var decoder: UnsafeMutablePointer<AVCodecContext>? = unsafe decoder
    unsafe avcodec_free_context(&decoder)
    var encoder: UnsafeMutablePointer<AVCodecContext>? = unsafe encoder
    unsafe avcodec_free_context(&encoder)
  }

  /// A placeholder time base: FFmpeg does not handle the times here.
  private static var tick: AVRational { AVRational(num: 1, den: 1000) }

  /// Copies the style header from the decoder.
  @unsafe private static func copyHeader(
    of decoder: UnsafeMutablePointer<AVCodecContext>,
    to encoder: UnsafeMutablePointer<AVCodecContext>
  ) -> Int32 {
    guard let header = unsafe decoder.pointee.subtitle_header else { return 0 }
    let size = unsafe max(0, decoder.pointee.subtitle_header_size)
    guard let copy = unsafe av_mallocz(Int(size) + 1) else { return trim_ERROR_MEMORY }
    unsafe UnsafeMutableRawPointer(copy).copyMemory(from: header, byteCount: Int(size))
    unsafe encoder.pointee.subtitle_header = copy.assumingMemoryBound(to: UInt8.self)
    unsafe encoder.pointee.subtitle_header_size = size
    return 0
  }

  /// The codec parameters of the output, for a container.
  package var parameters: CodecParameters {
    get throws(LibavError) { unsafe try CodecParameters(of: encoder) }
  }

  /// A line of text with its leading fields; equal to others with the same text.
  package struct Line: Sendable {
    fileprivate var head: String
    fileprivate var text: String
    /// The text without style codes.
    package let plain: String

    /// `nil` where it is a drawing and not text (Advanced SubStation Alpha, `\p`).
    fileprivate init?(head: String, text: String) {
      let pieces = StyledPieces(text)
      guard !pieces.draws else { return nil }
      self.head = head
      self.text = text
      plain = pieces.plain
    }
  }

  /// The lines of a packet; none where it shows nothing.
  ///
  /// - Throws: ``LibavError`` for bytes that are not valid text in its codec.
  package func lines(of bytes: [UInt8]) throws(LibavError) -> [Line] {
    guard !bytes.isEmpty else { return [] }
    let packet = try OwnedPacket(bytes)
    var subtitle = unsafe AVSubtitle()
    defer { unsafe avsubtitle_free(&subtitle) }
    var isThere: Int32 = 0
    let code = log.collecting {
      unsafe avcodec_decode_subtitle2(decoder, &subtitle, &isThere, packet.pointer)
    }
    guard code >= 0 else {
      throw LibavError(code: code, doing: "text cannot be decoded", log: log)
    }
    guard isThere != 0 else { return [] }
    var lines: [Line] = []
    for place in unsafe 0..<Int(subtitle.num_rects) {
      guard let rect = unsafe subtitle.rects[place], let ass = unsafe rect.pointee.ass else {
        continue
      }
      // ReadOrder, Layer, Style, Name, three margins and Effect precede the text.
      let fields = unsafe String(cString: ass).split(
        separator: ",", maxSplits: 8, omittingEmptySubsequences: false)
      guard fields.count == 9, !fields[8].isEmpty else { continue }
      if let line = Line(head: fields[..<8].joined(separator: ","), text: String(fields[8])) {
        lines.append(line)
      }
    }
    return lines
  }

  /// Encodes some lines, one below the other, as a packet.
  ///
  /// - Throws: ``LibavError`` where they do not fit in a packet of the codec.
  package func packet(of lines: [Line]) throws(LibavError) -> [UInt8] {
    guard !lines.isEmpty else { return [] }
    var subtitle = unsafe AVSubtitle()
    defer { unsafe avsubtitle_free(&subtitle) }
    let size = unsafe MemoryLayout<UnsafeMutablePointer<AVSubtitleRect>?>.stride * lines.count
    guard let list = unsafe av_mallocz(size) else {
      throw LibavError(.outOfMemory, "no memory for text")
    }
    unsafe subtitle.rects = unsafe list.bindMemory(
      to: UnsafeMutablePointer<AVSubtitleRect>?.self, capacity: lines.count)
    for (place, line) in lines.enumerated() {
      guard let rect = unsafe av_mallocz(MemoryLayout<AVSubtitleRect>.stride) else {
        throw LibavError(.outOfMemory, "no memory for text")
      }
      unsafe subtitle.rects[place] = unsafe rect.bindMemory(to: AVSubtitleRect.self, capacity: 1)
      unsafe subtitle.num_rects += 1
      unsafe subtitle.rects[place]?.pointee.type = SUBTITLE_ASS
      // Encoders concatenate texts.
      let text =
        (place > 0 ? "\\N" : "")
        + (codec == .webVTT ? StyledPieces(line.text).escaped : line.text)
      guard let copy = unsafe av_strdup(line.head + "," + text) else {
        throw LibavError(.outOfMemory, "no memory for text")
      }
      unsafe subtitle.rects[place]?.pointee.ass = unsafe copy
    }
    let count = log.collecting {
      unsafe avcodec_encode_subtitle(encoder, &buffer, Int32(buffer.count), &subtitle)
    }
    guard count != trim_ERROR_MEMORY else {
      throw LibavError(.outOfMemory, "no memory for text")
    }
    guard count >= 0 else {
      throw LibavError(
        .muxing,
        "a text of \(lines.reduce(0) { $0 + $1.text.utf8.count }) bytes is too long for \(codec)")
    }
    return Array(buffer.prefix(Int(count)))
  }
}

extension TextConverter.Line: Hashable {
  package static func == (left: Self, right: Self) -> Bool { left.plain == right.plain }
  package func hash(into hasher: inout Hasher) { hasher.combine(plain) }
}

extension Demuxer {
  /// - Parameter codec: FFmpeg's name of a text encoder.
  /// - Throws: ``LibavError`` of kind `notAllowed` where one of the codecs is not a supported
  ///   text codec.
  package func textConverter(
    forStream index: Int, into codec: Codec
  ) throws(LibavError) -> TextConverter {
    guard let stream = unsafe stream(index), let parameters = unsafe stream.pointee.codecpar
    else {
      throw LibavError(.notAllowed, "there is no stream \(index)")
    }
    return unsafe try TextConverter(parameters, into: codec, log: LibavLog())
  }
}
