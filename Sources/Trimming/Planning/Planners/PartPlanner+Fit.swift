import MediaFacts

extension PartPlanner {
  /// Whether a container holds a track.
  func fits(_ index: Int, _ rules: ContainerRules) -> Bool {
    let track = tracks[index]
    if track.isChapterTrack || track.isTimecode { return true }
    // The sample entry can be carried over.
    if facts.isISO, rules.isISO, facts.isQuickTime == rules.isQuickTime { return true }
    if rules.hasFixedFrameRate {
      // Readers of this format do not know which of its frames are keyframes.
      if track.codec == .hevc { return false }
      // A reader must guess the presentation times of reordered frames, unless the source has the same
      // container.
      if track.codec == .h264, facts.format != rules.container.rawValue, track.coded.isReordered {
        return false
      }
    }
    if rules.holdsSamplesAlone, !SoundCodec.isLinear(track.codec) { return false }
    if track.kind == .audio, rules.isRIFF, !SoundCodec.isSoundOfRIFF(track.codec),
      // AVI has a place for the configuration of AAC.
      !rules.hasFixedFrameRate || track.codec != .aac
    {
      return false
    }
    if let codecs = rules.codecs, !codecs.contains(track.codec) { return false }
    if let rates = rules.soundRates[track.codec], let rate = track.sampleRate,
      !rates.contains(rate)
    {
      return false
    }
    return isHeld(index, rules)
  }

  /// Whether re-encoded audio can be described: the source's boxes describe only its own packets.
  func isDescribable(_ index: Int) -> Bool { !rules.isISO || isHeld(index, rules) }

  private func isHeld(_ index: Int, _ rules: ContainerRules) -> Bool {
    guard let holders = facts.learned[index]?.holders else {
      questions.missing.insert(.holders(source: part.source, track: index))
      return true
    }
    return holders.contains(rules.container)
  }

  /// Why the written track could not be read back; `nil` where it could.
  func undescribed(_ track: SourceFacts.Track) -> String? {
    if rules.hasFixedFrameRate, !track.statesReordering, track.coded.isReordered {
      return "its headers do not state the reorder depth, and readers of \(rules.ending) would "
        + "have to guess"
    }
    guard facts.isISO, track.codec == .aac, !track.isConfigured,
      !rules.isISO || facts.isQuickTime != rules.isQuickTime
    else { return nil }
    return "its configuration is missing"
  }

  /// A hint naming the containers a track could be copied to; `nil` if there are none.
  func otherHolders(of index: Int) -> String? {
    let track = tracks[index]
    let others = OutputContainer.allCases.map(\.rules).filter { other in
      // Nobody expects video there.
      let isMeant = track.kind == .audio || !other.soundEndings.contains(other.nameEndings[0])
      let isOther = other.muxer != rules.muxer || other.codecs != rules.codecs
      return isOther && other.isProposed && isMeant
        && (fits(index, other) || unpacks(index, other))
    }
    guard !others.isEmpty else { return nil }
    return "These can hold it: \(others.map(\.ending).joined(separator: ", "))."
  }

  func doesNotFit(_ index: Int) -> PlanRefusal {
    let track = tracks[index]
    var hints = otherHolders(of: index).map { [$0] } ?? []
    let converted = convertedCodec(of: track)
    if track.kind == .audio, !convertsSound, isDecodable(index), hasEncoder(for: converted) {
      hints.append(
        "Re-encoding the audio (audio: reencode) would make it \(converted), which "
          + "\(rules.ending) can hold.")
    }
    // Nothing could be cut there either that is not copied from a keyframe on.
    if track.kind == .video, !isEncodable(index), isDecodable(index) {
      hints.append("For any other, convert it first: ffmpeg -i IN -c:v ffv1 OUT.mkv")
    }
    if track.hasUnknownCodec {
      return PlanRefusal(
        .codecDoesNotFit, "the codec of track \(track.id) (\(track.kind.rawValue)) is not known",
        hint: "This track cannot be written.")
    }
    if hints.isEmpty {
      let others = tracks.contains { $0.isPresented && $0.id != track.id }
      hints.append(
        "No container that is written here can hold it."
          + (others ? " Leave the track out." : ""))
    }
    return PlanRefusal(
      .codecDoesNotFit, "\(rules.ending) cannot hold \(track.codec) (track \(track.id))",
      hint: hints.joined(separator: " "))
  }
}
