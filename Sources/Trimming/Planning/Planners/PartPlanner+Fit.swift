import MediaFacts

extension PartPlanner {
  /// Whether a container holds a track.
  func fits(_ index: Int, _ rules: ContainerRules) -> Bool {
    let track = tracks[index]
    if track.isChapterTrack || track.isTimecode { return true }
    // What described it there describes it here.
    if facts.isISO, rules.isISO, facts.isQuickTime == rules.isQuickTime { return true }
    if rules.hasFixedFrameRate {
      // Readers there do not know which pictures of it are keyframes.
      if track.codec == "hevc" { return false }
      // Of pictures that are reordered a reader must guess when they are shown; what came from there has no times.
      if track.codec == "h264", facts.format != rules.container.rawValue, track.coded.isReordered {
        return false
      }
    }
    if track.kind == .audio, rules.isRIFF, !SoundCodec.isSoundOfRIFF(track.codec),
      // AVI has a place for the configuration of AAC.
      !rules.hasFixedFrameRate || track.codec != "aac"
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

  /// Whether re-encoded sound can be described: the boxes of the source describe its own packets only.
  func isDescribable(_ index: Int) -> Bool { !rules.isISO || isHeld(index, rules) }

  private func isHeld(_ index: Int, _ rules: ContainerRules) -> Bool {
    guard let holders = facts.learned[index]?.holders else {
      questions.missing.insert(.holders(source: part.source, track: index))
      return true
    }
    return holders.contains(rules.container)
  }

  /// Why what comes of a track could not be read; `nil` where it could.
  func undescribed(_ track: SourceFacts.Track) -> String? {
    if rules.hasFixedFrameRate, !track.statesReordering, track.coded.isReordered {
      return "its headers do not say how far its pictures are reordered, and a reader of "
        + "\(rules.ending) would have to guess"
    }
    guard facts.isISO, track.codec == "aac", !track.isConfigured,
      !rules.isISO || facts.isQuickTime != rules.isQuickTime
    else { return nil }
    return "its configuration is missing"
  }

  /// Where a track could be copied to; `nil` for nowhere.
  func otherHolders(of index: Int) -> String? {
    let track = tracks[index]
    let others = OutputContainer.allCases.map(\.rules).filter { other in
      // Nobody looks for pictures there.
      let isMeant = track.kind == .audio || !other.soundEndings.contains(other.nameEndings[0])
      let isOther = other.muxer != rules.muxer || other.codecs != rules.codecs
      return isOther && other.isProposed && isMeant && fits(index, other)
    }
    guard !others.isEmpty else { return nil }
    return "These would: \(others.map(\.ending).joined(separator: ", "))."
  }

  func doesNotFit(_ index: Int) -> PlanRefusal {
    let track = tracks[index]
    var hints = otherHolders(of: index).map { [$0] } ?? []
    let converted = convertedCodec(of: track)
    if track.kind == .audio, !convertsSound, isDecodable(index), hasEncoder(for: converted) {
      hints.append("Re-encoded (audio: reencode) it would be \(converted), which fits.")
    }
    if track.hasUnknownCodec {
      return PlanRefusal(
        .codecDoesNotFit, "the codec of track \(track.id) (\(track.kind.rawValue)) is not known",
        hint: "Nothing can be written of it.")
    }
    return PlanRefusal(
      .codecDoesNotFit, "\(rules.ending) does not hold \(track.codec) (track \(track.id))",
      hint: hints.isEmpty ? nil : hints.joined(separator: " "))
  }
}
