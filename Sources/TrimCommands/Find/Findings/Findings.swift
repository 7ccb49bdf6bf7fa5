import CommandLineKit
import Detection
import ExactTime
import MediaEngine
import MediaFacts

/// What was found in a file, and what could not be looked at: one value for all commands and screens.
struct Findings: Sendable, Hashable, Codable {
  /// What was not looked for, and why.
  struct Missing: Sendable, Hashable, Codable {
    var kinds: [Finding.Kind]
    /// The error code, such as `noSound`.
    var reason: String
    /// As a clause about the file.
    var message: String
  }

  /// A stretch that could not be decoded.
  struct Unseen: Sendable, Hashable, Codable {
    var track: Int
    var range: MediaTimeRange
  }

  /// What was looked at, counted from the first presented sample.
  var range: MediaTimeRange
  /// What was looked for.
  var options: FindOptions
  /// The tracks that were looked at.
  var tracks: [Int] = []
  /// In order of kind, then of time.
  var findings: [Finding] = []
  var unseen: [Unseen] = []
  var missing: [Missing] = []
  /// The level below which audio was quiet, where it is relative to how loud it is.
  var level: AudioLevel?

  init(_ range: MediaTimeRange, _ options: FindOptions) {
    (self.range, self.options) = (range, options)
  }

  /// Below what audio is quiet; `nil` if that is relative to its loudness, and nothing was measured.
  var quiet: AudioLevel? {
    options.silenceLevel.isRelative ? level : options.silenceLevel.level
  }

  /// Those of one kind, in order of time.
  func ranges(of kind: Finding.Kind) -> [MediaTimeRange] {
    findings.filter { $0.kind == kind }.map(\.range)
  }

  /// Whether it can be what an untrusted process was asked for.
  func canAnswer(_ request: FindRequest) -> Bool {
    let kinds = request.options.kinds
    let known = Set(request.media.facts.tracks.map(\.id))
    func isInside(_ range: MediaTimeRange) -> Bool {
      request.media.part.contains(range) && range.start < range.end
        && (try? range.checkedLength()) != nil
    }
    return range == request.media.part && options == request.options
      && !tracks.isEmpty && known.isSuperset(of: tracks) && Set(tracks).count == tracks.count
      && findings.allSatisfy { kinds.contains($0.kind) && isInside($0.range) && isOfChannel($0) }
      && isInOrder && (level == nil || options.silenceLevel.isRelative && kinds.contains(.silence))
      && level.map { AudioLevel(tenths: $0.tenths) != nil } != false
      && unseen.allSatisfy { tracks.contains($0.track) && isInside($0.range) }
      && missing.count <= kinds.count
      && missing.allSatisfy { one in
        kinds.isSuperset(of: one.kinds) && one.reason.utf8.count < 64
          && one.message.utf8.count < 1024
      }
  }

  private func isOfChannel(_ one: Finding) -> Bool {
    guard options.isPerChannel, one.kind == .silence else { return one.channel == nil }
    return one.channel.map { (1...Self.mostChannels).contains($0) } ?? false
  }
  /// More than FFmpeg decodes.
  private static let mostChannels = 1024

  /// Whether the findings of a kind follow each other, as the detectors report them.
  private var isInOrder: Bool {
    zip(findings, findings.dropFirst()).allSatisfy { one, next in
      one.kind != next.kind || one.channel != next.channel || one.range.end <= next.range.start
    }
  }
}

/// What to look for in a file, and where.
struct FindRequest: Sendable {
  var media: DrawnMedia
  var options: FindOptions
}

extension Findings {
  /// Looks in this process.
  ///
  /// Blocking.
  ///
  /// - Throws: ``MediaError``; where something can be looked for, what cannot is ``missing``.
  init(
    _ request: FindRequest, isCancelled: @escaping @Sendable () -> Bool,
    progress: @Sendable (CutProgress) -> Void = { _ in }
  ) throws(MediaError) {
    let (media, options) = (request.media, request.options)
    self.init(media.part, options)
    var failure: MediaError?
    func look(
      for kinds: [Finding.Kind], _ work: () throws(MediaError) -> Void
    ) throws(MediaError) {
      guard !kinds.isEmpty else { return }
      do throws(MediaError) {
        try work()
      } catch {
        guard Self.lacks.contains(error.code) else { throw error }
        missing.append(
          Missing(kinds: kinds, reason: error.code.rawValue, message: error.message))
        failure = failure ?? error
      }
    }
    let kinds = Finding.Kind.allCases.filter(options.kinds.contains)
    let share = FindingShare(kinds)
    try look(for: kinds.filter(\.isHeard)) { () throws(MediaError) in
      let track = try AudioTrack(
        media.path, facts: media.facts, origin: media.origin, deadline: media.deadline,
        isCancelled: isCancelled)
      let found = try track.findings(in: media.part, options.silence) { time in
        progress(share.step(to: time, in: media.part, isPictures: false))
      }
      if options.silenceLevel.isRelative { level = found.level }
      add(found, of: track.trackID)
    }
    try look(for: kinds.filter { !$0.isHeard }) { () throws(MediaError) in
      guard media.facts.tracks.contains(where: { $0.kind == .video && $0.isPresented }) else {
        throw MediaError(
          .noPicture, "it has no video", hint: "'trim probe' shows what it contains.")
      }
      let track = try PictureTrack(
        media.path, origin: media.origin, deadline: media.deadline, isCancelled: isCancelled)
      let found = try track.findings(
        in: media.part, options.pictures, threads: Self.threads
      ) { time in progress(share.step(to: time, in: media.part, isPictures: true)) }
      add(found, of: track.trackID)
    }
    if tracks.isEmpty, let failure {
      let isBare = missing.count == 2 && missing.map(\.reason) == Self.bare
      throw isBare
        ? MediaError(.noSound, "it has no audio and no video", hint: failure.hint) : failure
    }
  }

  private mutating func add(_ found: TrackFindings, of track: Int) {
    tracks.append(track)
    findings += found.findings
    unseen += found.unseen.map { Unseen(track: track, range: $0) }
  }

  /// What a file can lack while the rest of it can be looked at.
  private static let lacks: [MediaErrorCode] = [
    .noSound, .noPicture, .notDecoded, .encrypted, .damaged,
  ]
  private static let bare = [MediaErrorCode.noSound, .noPicture].map(\.rawValue)
  /// Half of the largest machines' cores gain nothing here.
  private static let threads = 2
}

/// How much of the work is done.
struct FindingShare: Sendable {
  /// How long audio and pictures take, in thousandths of all.
  private let (sound, pictures): (Int64, Int64)

  init(_ kinds: [Finding.Kind]) {
    let isBoth = kinds.contains(where: \.isHeard) && kinds.contains { !$0.isHeard }
    // Pictures take about fifty times as long.
    (sound, pictures) = isBoth ? (20, 980) : (1000, 1000)
  }

  /// - Parameter time: up to where it has looked in the range.
  func step(to time: MediaTime, in range: MediaTimeRange, isPictures: Bool) -> CutProgress {
    let units = isPictures ? pictures : sound
    let before = isPictures ? 1000 - pictures : 0
    guard let done = try? time.distance(from: range.start).seconds,
      let all = try? range.checkedLength().seconds, all.isPositive,
      let share = try? done.divided(by: all).multiplied(by: Rational(units)).rounded(.down)
    else { return CutProgress(done: before, total: 1000) }
    return CutProgress(done: before + min(max(0, share), units), total: 1000)
  }
}

extension Findings.Missing {
  /// Where it cannot be done without.
  var failure: PlayedMedia.Failure {
    let names = kinds.map(\.option).joined(separator: ", ")
    return PlayedMedia.Failure(
      message: "\(names) cannot be looked for: \(ForeignText.shown(message))",
      status: MediaErrorCode(rawValue: reason).exitStatus, code: reason)
  }
}

extension Finding.Kind {
  /// Whether it is found in audio.
  var isHeard: Bool { self == .silence }
}
