extension TrackPlan {
  /// Why something is not copied, or not exact; spelled as in JSON.
  ///
  /// New ones may be added; none changes its meaning.
  public enum Reason: String, Hashable, Sendable, Codable, CaseIterable {
    /// The container holds no alpha channel.
    case alphaNotWritten = "alpha_not_written"
    /// Re-encoding was requested.
    case askedFor = "asked_for"
    /// It begins later than the range, which the container cannot express.
    case beginsLate = "begins_late"
    /// It begins with the start of the frame that is on screen at the in point.
    case beginsWithFrame = "begins_with_frame"
    /// It begins with the first packet that begins in the range; the end is exact.
    case beginsWithNextPacket = "begins_with_next_packet"
    /// It begins with the packet in which the range begins; the end is exact.
    case beginsWithPacket = "begins_with_packet"
    /// The codec that its pictures are converted to has no place for the captions in them.
    case captionsNotWritten = "captions_not_written"
    /// The codec's bitstream cannot be joined seamlessly.
    case cannotBeJoined = "cannot_be_joined"
    /// The container cannot hold the source's codec.
    case codecDoesNotFit = "codec_does_not_fit"
    /// It plays to the end of its last packet, of which the container cannot hide a part.
    case endsWithPacket = "ends_with_packet"
    /// It is one stream, since copied packets would be late after each seam.
    case exactAtTheSeams = "exact_at_the_seams"
    /// It is re-encoded without loss, to begin and end with the exact sample.
    case exactToTheSample = "exact_to_the_sample"
    /// Its interlaced pictures become frames of which the output does not state the fields.
    case fieldOrderNotWritten = "field_order_not_written"
    /// It has so few packets that some players do not recognize the file.
    case fewPackets = "few_packets"
    /// Gaps in the source are filled with silence.
    case gapsFilled = "gaps_filled"
    /// Its packets leave gaps or overlap, which the container cannot express.
    case gapsOrOverlaps = "gaps_or_overlaps"
    /// There is no encoder for its own codec.
    case noEncoder = "no_encoder"
    /// The mastering display, light levels or dynamic metadata (HDR) of its pictures are not those of the format
    /// that they are converted to.
    case hdrMetadataNotWritten = "hdr_metadata_not_written"
    /// The source has none, and black ones are shown.
    case noPictures = "no_pictures"
    /// No random access point lies inside the range.
    case noRandomAccessPoint = "no_random_access_point"
    /// Its keyframes are no IDR pictures, to which Chromium cannot seek in this container.
    case openGOPKeyframes = "open_gop_keyframes"
    /// Its pictures are joined with those of another source, whose format is another.
    case otherFormat = "other_format"
    /// Packets that overlap those after them in the source are left out.
    case overlapsLeftOut = "overlaps_left_out"
    /// Some players show frames that the edit list hides.
    case playersDiffer = "players_differ"
    /// The container cannot store the rotation.
    case rotationNotWritten = "rotation_not_written"
    /// Its samples are kept, in other packets.
    case samplesRepacked = "samples_repacked"
    /// Re-encoded pictures lose their second layer (another view, or alpha).
    case secondLayerNotEncoded = "second_layer_not_encoded"
    /// Its parameter sets change, and are stored in-band.
    case setsInSamples = "sets_in_samples"
    /// A source has no such track: there is silence.
    case silenceInserted = "silence_inserted"
    /// The sources' audio is coded differently.
    case soundDiffers = "sound_differs"
    /// Its packets contain audio from outside a range that is strict.
    case strictRange = "strict_range"
    /// The container cannot store the source's timecode.
    case timecodeNotWritten = "timecode_not_written"
    /// Its upper band begins later, with the first SBR header (ISO/IEC 14496-3, 4.4.2.8).
    case upperBandLater = "upper_band_later"
    /// It is cut between packets, since the container cannot hide samples.
    case wholePackets = "whole_packets"
  }
}
