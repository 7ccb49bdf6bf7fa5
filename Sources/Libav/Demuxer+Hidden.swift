import CFFmpeg

extension Demuxer {
  /// Frames of a stream that are not shown, kept for the packet of the next shown frame.
  struct HeldFrames {
    var frames: [ArraySlice<UInt8>] = []
    var isKey = false
    var place: Int64 = -1
  }

  /// Keeps a packet that shows nothing, and prepends what was kept to the next one.
  ///
  /// - Returns: false for a packet that is not to be returned.
  mutating func showsSomething(
    _ packet: UnsafeMutablePointer<AVPacket>, ofStream index: Int
  ) -> Bool {
    guard let coding = hiddenCoding(ofStream: index),
      let data = unsafe packet.pointee.data
    else { return true }
    let bytes = unsafe UnsafeRawBufferPointer(
      start: data, count: Int(max(0, packet.pointee.size)))
    let isKey = unsafe packet.pointee.flags & AV_PKT_FLAG_KEY != 0
    guard unsafe !HiddenFrames.isHidden(bytes, coding) else {
      var kept = held[index] ?? HeldFrames()
      if isKey || kept.frames.isEmpty {
        kept = unsafe HeldFrames(isKey: isKey, place: packet.pointee.pos)
      }
      kept.frames.append(unsafe Array(bytes)[...])
      // More than that is damage.
      kept.frames = kept.frames.suffix(HiddenFrames.limit - 1)
      held[index] = kept
      return false
    }
    guard let kept = held.removeValue(forKey: index), !isKey, unsafe !bytes.isEmpty else {
      return true
    }
    let whole = unsafe Array(bytes)
    let shown = unsafe HiddenFrames.frames(of: bytes, coding).map { whole[$0] }
    let frames = (kept.frames + shown).suffix(HiddenFrames.limit)
    guard let joined = try? OwnedPacket(HiddenFrames.joined(Array(frames), coding)),
      unsafe av_packet_copy_props(joined.pointer, packet) >= 0
    else { return true }
    joinedStreams.insert(index)
    if kept.isKey { unsafe joined.pointer.pointee.flags |= AV_PKT_FLAG_KEY }
    unsafe joined.pointer.pointee.pos = kept.place
    unsafe av_packet_unref(packet)
    unsafe av_packet_move_ref(packet, joined.pointer)
    return true
  }

  private func hiddenCoding(ofStream index: Int) -> HiddenFrames.Coding? {
    // Whether encrypted frames are shown is not known.
    if tracks[index].isEncrypted { return nil }
    return switch unsafe parameters(ofStream: index)?.pointee.codec_id {
    case AV_CODEC_ID_VP8: .vp8
    case AV_CODEC_ID_VP9: .vp9
    default: nil
    }
  }
}
