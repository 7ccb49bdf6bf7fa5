import Libav
import MediaFacts
import MediaFiles

extension Prober {
  /// Does work inside FFmpeg on a separate thread, within the time limits.
  func watched<Value: Sendable>(
    _ deadline: ContinuousClock.Instant, _ progress: (ProbeProgress) -> Bool,
    _ body: @escaping @Sendable (Prober, WatchedWork<Value>) throws(MediaError) -> Value
  ) throws(MediaError) -> Value {
    try WatchedWork.run(
      deadline: deadline, stepLimit: limits.step, isCancelled: isCancelled, progress: progress
    ) { [self] work throws(MediaError) in
      var prober = self
      prober.isCancelled = { work.shouldStop() || isCancelled() }
      return try body(prober, work)
    }
  }

  func scan(
    _ file: InputFile, _ options: ProbeOptions, _ deadline: ContinuousClock.Instant,
    _ progress: (ProbeProgress) -> Bool
  ) throws(MediaError) -> MediaFacts {
    do {
      if let chain = OggChain(file, sums: options.depth != .header) {
        return try scan(chain, of: file, options, deadline, progress)
      }
      if let end = StatedAudio.end(of: file), let whole = file.byteCount {
        var facts = try scan(
          SlicedInput(file, 0..<end), of: file, garbage: 0, options, deadline, progress)
        facts.notes.append(
          Note(
            .trailingBytes,
            "\(whole - end) bytes follow the audio whose size the header states."))
        return facts
      }
      let input = options.depth == .header ? file.readableHeaders : file.readable
      var facts = try scan(input, of: file, garbage: 0, options, deadline, progress)
      if let input = input as? SplicedInput {
        for index in facts.damage.indices {
          facts.damage[index].byteOffset = facts.damage[index].byteOffset.map(input.place)
        }
      }
      return facts
    } catch  where error.code == .notMedia {
      guard let start = MPEGAudioSearch.firstFrame(in: file), start > 0 else { throw error }
      let rest = ShiftedInput(file, by: start)
      return try scan(rest, of: file, garbage: start, options, deadline, progress)
    }
  }

  /// Scans an Ogg file, each run of links separately.
  ///
  /// FFmpeg reads consecutive links with one matching stream each as a single stream. It
  /// stops at the first link that differs or has several streams, so each run is read as a
  /// separate file.
  func scan(
    _ chain: OggChain, of file: InputFile, _ options: ProbeOptions,
    _ deadline: ContinuousClock.Instant, _ progress: (ProbeProgress) -> Bool
  ) throws(MediaError) -> MediaFacts {
    let runs = chain.runs
    guard runs.count > 1, runs.count <= OggChain.mostRuns else {
      var facts = try scan(
        file, of: file, garbage: 0, link: chain.onlyRun, options, deadline, progress)
      facts.damage += chain.damage
      if runs.count > 1 {
        facts.notes.append(
          Note(
            .limitReached,
            "The file is a chain of \(runs.count) different streams; only the first are read."))
      }
      return facts
    }
    var facts: MediaFacts?
    for (number, run) in runs.enumerated() {
      let codecs = run.streams.map(\.codec.rawValue).joined(separator: " and ")
      do throws(MediaError) {
        var next = try scan(
          SlicedInput(file, run.range), of: file, garbage: 0, link: run.moved, options, deadline,
          progress)
        ChainedFacts.move(&next, by: run.range.lowerBound)
        if var whole = facts {
          ChainedFacts.append(next, to: &whole)
          facts = whole
        } else {
          facts = next
        }
        guard number > 0 else { continue }
        facts?.notes.append(
          run.streams == runs[number - 1].streams
            ? Note(
              .timestampDiscontinuity,
              "At byte \(run.range.lowerBound) the streams (\(codecs)) start over; they are shown "
                + "one after the other.")
            : Note(
              .chainedStreamsDiffer,
              "From byte \(run.range.lowerBound) on, the file contains other streams "
                + "(\(codecs)), presented after the earlier ones."))
      } catch  where error.code == .notMedia || error.code == .damaged {
        guard number > 0 else { throw error }
        facts?.damage.append(
          Damage(
            .garbage, at: run.range.lowerBound,
            "The streams from byte \(run.range.lowerBound) on (\(codecs)) cannot be read: "
              + "\(error.message)."))
      }
    }
    guard var facts else { throw MediaError(.notMedia, "it contains no stream") }
    facts.damage += chain.damage
    // Each link declares its own duration; nothing declares the total.
    facts.durations.declared = nil
    facts.durations.track = nil
    for index in facts.tracks.indices { facts.tracks[index].durations.track = nil }
    facts.refreshDurationNotes()
    return facts
  }

  func scan(
    _ input: any ByteInput, of file: InputFile, garbage: Int64, link: OggChain.Link? = nil,
    _ options: ProbeOptions, _ deadline: ContinuousClock.Instant,
    _ progress: (ProbeProgress) -> Bool
  ) throws(MediaError) -> MediaFacts {
    var demuxer = try demuxer(input, deadline)
    var probe = PacketProbe(
      demuxer, file: file, wantsKeyframes: options.wantsKeyframes, link: link)
    probe.wantsFrames = options.wantsFrames
    if garbage > 0 { probe.noteGarbage(bytes: garbage) }
    if options.depth != .header {
      try probe.scan(&demuxer, progress: progress)
    }
    var facts = probe.finished()
    if options.depth == .frames {
      try decode(
        &facts, input, byteCount: file.byteCount, cutShort: probe.cutShortFrames,
        times: probe.filled, repeats: probe.repeats, pauses: probe.pauses, link: link, deadline,
        progress)
      facts.finishDecoded()
    }
    return probe.following(facts) ?? facts
  }

  /// The facts of a file that was read natively, completed by what only its audio frames show.
  func revealed(
    _ header: MediaFacts, _ file: InputFile, _ deadline: ContinuousClock.Instant
  ) throws(MediaError) -> MediaFacts {
    do throws(MediaError) {
      var facts = header
      let demuxer = try demuxer(file, deadline)
      HiddenReplication.reveal(in: &facts, as: demuxer.tracks)
      return facts
    } catch  where [.damaged, .notMedia, .engineMissing].contains(error.code) {
      // Its header describes it well enough.
      return header
    }
  }

  /// The facts of a file that was read natively, completed by a packet scan or a decode.
  func deepened(
    _ header: MediaFacts, _ timelines: [Int: TrackTimeline], _ file: InputFile,
    _ options: ProbeOptions, _ deadline: ContinuousClock.Instant, _ work: WatchedWork<MediaFacts>
  ) throws(MediaError) -> MediaFacts {
    var facts = header
    // A wrong timescale is corrected for FFmpeg too.
    let isWrong = header.damage.contains { $0.kind == .invalidStructure }
    let input: any ByteInput = isWrong ? file.readable : file
    do throws(MediaError) {
      if options.depth == .packets {
        // The streams are already described; only their packets are needed.
        var demuxer = try demuxer(input, deadline, .headers, editLists: .ignored)
        var probe = PacketProbe(demuxer, file: file, wantsKeyframes: false)
        try probe.scan(&demuxer) { work.report($0) }
        probe.check(&facts, timelines: timelines)
      } else {
        let lengths = timelines.mapValues { $0.mediaEnd &- $0.mediaLast }
        try decode(
          &facts, input, byteCount: file.byteCount, lastLengths: lengths,
          times: timelines.mapValues(\.strays), deadline
        ) {
          work.report($0)
        }
        facts.finishDecoded()
      }
      return facts
    } catch  where error.code == .damaged || error.code == .notMedia {
      // The facts read from its own structures still hold.
      facts = header
      facts.damage.append(
        Damage(
          .invalidStructure,
          "FFmpeg reads none of its packets (\(error.message)); what follows comes from the "
            + "headers only."))
      return facts
    }
  }

  private func decode(
    _ facts: inout MediaFacts, _ input: any ByteInput, byteCount: Int64?,
    lastLengths: [Int: Int64] = [:], cutShort: [Int: Int64] = [:],
    times: [Int: [Int: Int64]] = [:], repeats: [Int: Int64] = [:],
    pauses: [Int: [StreamPause]] = [:], link: OggChain.Link? = nil,
    _ deadline: ContinuousClock.Instant,
    _ progress: (ProbeProgress) -> Bool
  ) throws(MediaError) {
    if facts.tracks.contains(where: \.isEncrypted) {
      throw MediaError(
        .encrypted, "its samples are encrypted and cannot be decoded",
        hint: "Probe it without decoding, or decrypt it first.")
    }
    var demuxer = try demuxer(input, deadline)
    var frames = FrameProbe(times: times, repeats: repeats, pauses: pauses)
    try frames.run(
      &demuxer, tracks: facts.tracks.filter(\.isPresented),
      mayJump: facts.container.rules.mayResetClock,
      isBare: facts.container.rules.isBareSound,
      lastLengths: lastLengths, cutShort: cutShort, link: link, limits: limits,
      byteCount: byteCount,
      heartbeat: { _ = isCancelled() },
      progress: progress)
    frames.complete(&facts)
  }

  /// How much of a large file at an address is fetched to recognize its streams: FFmpeg's own standard.
  private static let mostFetched: Int64 = 5_000_000

  func demuxer(
    _ file: any ByteInput, _ deadline: ContinuousClock.Instant,
    _ preparation: Demuxer.Preparation = .streams, editLists: Demuxer.EditLists = .applied,
    mostProbed: Int64? = nil
  ) throws(MediaError) -> Demuxer {
    do {
      try LibavLibrary.limitAllocations(to: limits.allocation)
      var bounds = limits.demuxer
      let isSparing = (file as? InputFile)?.isReadSparingly == true
      if let most = mostProbed ?? (isSparing ? Self.mostFetched : nil) {
        bounds.probeBytes = min(bounds.probeBytes, most)
      }
      return try Demuxer(
        file, preparation: preparation, editLists: editLists, limits: bounds,
        deadline: deadline, isCancelled: isCancelled)
    } catch {
      throw MediaError(error)
    }
  }
}
