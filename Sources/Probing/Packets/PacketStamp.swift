package import MediaFacts

/// The timing of one packet, independent of any library's types.
package struct PacketStamp {
  /// In ticks of the stream's time base; `nil` where the container states none.
  package var pts: Int64?
  package var dts: Int64?
  /// In ticks; zero where it is not known.
  package var duration: Int64
  package var isKey = false
  /// The keyframe's kind according to the bitstream, where it was read.
  package var access = RandomAccessKind.unknown
  package var isCorrupt = false
  /// Decoded samples a player drops from the start of this packet, and from its end.
  package var skippedAtStart = 0
  package var skippedAtEnd = 0
  /// Exact number of samples the packet decodes to, where its header states it.
  package var sampleCount: Int?
  /// The rate of these samples, where it is not the stream's.
  package var ownRate: Int64?
  package var byteOffset: Int64?
  package var byteCount = 0
  /// True for the second field of a frame whose first field is the packet before.
  package var isSecondField = false
  /// True for a frame at the start that cannot be decoded for lack of earlier frames.
  package var isHidden = false
  /// True for a packet that by specification decodes to nothing: a codec header, the first Vorbis
  /// packet.
  package var isSilent = false
  /// True for the first header of a chained stream: its clock starts here.
  package var startsClock = false
  /// The sample rate that a chained stream's header announces: its ticks
  /// are its own samples.
  package var clockRate: Int64?
}
