import Bitstreams
import MediaFacts
import Trimming

extension PartsAssembly {
  /// Reads the video format at the entry points of every part.
  ///
  /// The format at the start of the first part is the one the output states.
  func settleFormats(_ assemblies: inout [CutAssembly]) throws(CutError) {
    guard !source.isISO else { return }
    // Read all parts in one pass over the file.
    try source.prepare(
      assemblies.reduce(into: [:]) { $0.merge($1.needed, uniquingKeysWith: +) })
    for number in assemblies.indices {
      for track in assemblies[number].part.tracks {
        guard let cut = track.video, !source.isRefitted(track.source) else { continue }
        var formats = try EntryFormats(cut, of: source, track: track.source)
        if plan.container.isISO, !source.tracks[track.source].isReframed {
          try formats.checkCopied(cut, of: source, track: track.source)
        }
        assemblies[number].formats[track.source] = formats
        try checkSlots(cut, formats, track.source)
        if number > 0 {
          try checkFormats(formats, behind: assemblies[0].formats[track.source], track.source)
        } else if let format = formats.main, let place = formats.place,
          let stated = try CodedFormat(ofFirst: track.source, of: source), stated != format
        {
          try source.describe(track.source, as: format, at: place)
        }
      }
    }
  }

  /// Refuses format changes in containers without timestamps (AVI).
  ///
  /// There, timing follows from the number of decoded pictures. An edge with its own SPS may have
  /// a different reordering delay, and FFmpeg's MPEG-2 decoder drops the picture it holds at a
  /// change, so that all later ones are early.
  private func checkSlots(
    _ cut: VideoCut, _ formats: EntryFormats, _ track: Int
  ) throws(CutError) {
    let container = plan.container
    guard container.rules.pictures.hasFixedFrameRate else { return }
    var changes = formats.isHeadSeparate || formats.isTailSeparate
    if source.tracks[track].facts.codec.isMPEG12 {
      try source.prepare([track: [cut.copied]])
      if try CodedFormat.change(in: cut.copied, of: source, track: track) != nil {
        changes = true
      }
    }
    guard changes else { return }
    throw CutError(
      .notCuttable,
      "\(container.rules.ending) cannot hold video that changes its size, aspect ratio or pixel format",
      hint: "Write .mkv, or choose a range without the change.")
  }

  private func checkFormats(
    _ formats: EntryFormats, behind first: EntryFormats?, _ track: Int
  ) throws(CutError) {
    guard source.tracks[track].facts.codec.usesNALUnits,
      let format = formats.main, let other = first?.main, format != other
    else { return }
    throw CutError(
      .notCuttable,
      "the parts differ in size, aspect ratio or pixel format",
      hint: "Cut them into separate files.")
  }
}
