package import MediaFacts

/// MPEG-1 and MPEG-2 video, which share one syntax (ISO/IEC 11172-2; ISO/IEC 13818-2, D.9).
package enum MPEGVideo {
  /// FFmpeg's names of the codecs.
  package static let codecs: Set<Codec> = [.mpeg1Video, .mpeg2Video]
}
