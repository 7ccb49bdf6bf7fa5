import CommandLineKit
import ExactTime
import MediaFacts
import Trimming

/// Prints events as lines of JSON: `{"event": …, "at": …}`, with clock time in `at`.
///
/// Positions count from the first presented sample, as `--from` reads them.
struct EventPrinter {
  let out: OutputStream
  let limit: LengthLimit
  /// The time since the run began.
  let elapsed: () -> Duration

  private func write(_ event: String, _ members: KeyValuePairs<String, JSONValue> = [:]) {
    let head = JSONValue.members([
      "event": .string(event), "at": .time(Self.microseconds(elapsed())),
    ])
    out.write(JSONWriter.write(.object(head + JSONValue.members(members)), .line))
  }

  func opened(_ media: PlayedMedia, speed: Rational) {
    let track = media.facts.tracks.first { $0.kind == .video && $0.isPresented }
    write(
      "opened",
      [
        "schema": .integer(RecordHead.schema), "location": .string(media.location),
        "presented": .time(media.bounds.length),
        "frame_rate": .ratio(track?.video?.nominalFrameRate), "speed": .ratio(speed),
      ])
  }

  func range(_ range: MediaTimeRange) {
    write(
      "range",
      ["from": .time(range.start), "to": .time(range.end), "length": .time(range.length)])
  }

  func validity(_ verdict: LengthVerdict) {
    write(
      "validity",
      [
        "is_video_length_valid": .bool(verdict == .valid),
        "verdict": .string(verdict.identifier), "by": .time(verdict.distance),
        "max_length": .time(limit.maximum),
      ])
  }

  func position(_ position: MediaTime, frame: Int?, loops: Int) {
    write(
      "position",
      ["position": .time(position), "frame": .optional(frame), "loops": .integer(loops)])
  }

  func ended(_ reason: EndReason, position: MediaTime, loops: Int) {
    write(
      "ended",
      [
        "reason": .string(reason.rawValue), "position": .time(position),
        "loops": .integer(loops),
      ])
  }

  /// - Parameters:
  ///   - range: the range at the time of the event.
  ///   - loops: the number of passes that have ended.
  func report(_ event: SessionEvent, range: MediaTimeRange, loops: Int) {
    switch event {
    case .restartedVideo(let restart):
      write(
        "restarted",
        [
          "position": .time(restart.position), "after": .time(range.end),
          "passes": .integer(restart.passes), "loops": .integer(loops),
        ])
    case .tutorialVisibilityDidChange(let isVisible):
      write("tutorial", ["visible": .bool(isVisible)])
    case .timeRangeDidChange(let range): self.range(range)
    case .validityDidChange(let verdict): validity(verdict)
    case .phaseDidChange(let phase): self.phase(phase)
    case .playingDidChange(let isPlaying): write("playing", ["playing": .bool(isPlaying)])
    case .seek(let position): write("seek", ["position": .time(position)])
    case .partsDidChange(let list): parts(list)
    case .findingsDidChange(let found):
      let found = found.map { one in
        JSONValue.object([
          "kind": .string(one.kind.rawValue), "from": .time(one.range.start),
          "to": .time(one.range.end),
        ])
      }
      write("findings", ["findings": .array(found)])
    case .exportDidFinish(let locations):
      write("exported", ["locations": .array(locations.map(JSONValue.string))])
    case .alertDidAppear(let alert): write("alert", ["message": .string(alert.message)])
    case .diagnostic(let text): write("diagnostic", ["message": .string(text)])
    case .logged(let log): self.log(log)
    }
  }

  private func parts(_ list: PartList) {
    let parts = list.parts.map { part in
      JSONValue.object([
        "from": .time(part.range.start), "to": .time(part.range.end), "name": .string(part.name),
      ])
    }
    write(
      "parts",
      [
        "parts": .array(parts), "selected": .integer(list.selectedIndex),
        "joined": .bool(list.joins),
      ])
  }

  private func phase(_ phase: Phase) {
    switch phase {
    case .loading: write("phase", ["phase": .string("loading")])
    case .ready: write("phase", ["phase": .string("ready")])
    case .failed(let failure):
      write(
        "phase",
        [
          "phase": .string("failed"), "message": .string(failure.message),
          "hint": .optional(failure.hint),
        ])
    }
  }

  private func log(_ event: LogEvent) {
    let parameters = event.parameters.map { parameter in
      JSONValue.Member(key: parameter.key, value: Self.value(parameter.value))
    }
    write("log", ["name": .string(event.name.rawValue), "parameters": .object(parameters)])
  }

  private static func value(_ value: LogEvent.Value) -> JSONValue {
    switch value {
    case .time(let time): .time(time)
    case .length(let length): .time(length)
    case .count(let count): .integer(count)
    case .flag(let flag): .bool(flag)
    case .text(let text): .string(text)
    }
  }

  /// Clock time in microseconds.
  private static func microseconds(_ duration: Duration) -> Rational {
    let (seconds, attoseconds) = duration.components
    let microseconds = Int128(seconds) * 1_000_000 + Int128(attoseconds / 1_000_000_000_000)
    return (try? Rational(checked: microseconds, over: 1_000_000)) ?? .zero
  }
}

/// Why a run ended.
enum EndReason: String, Sendable {
  case loops
  case time
  case interrupted
  /// The reader of the events is gone.
  case closed
}
