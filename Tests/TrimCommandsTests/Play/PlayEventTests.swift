import CommandLineKit
import ExactTime
import MediaEngine
import MediaFacts
import TerminalUI
import Testing
import Threads

@testable import TrimCommands

/// Runs the tool on a thread that may wait for the main actor.
private func play(
  _ words: [String], environment: [String: String] = ["LANG": "C.UTF-8"]
) async throws -> ToolRun {
  try await WaitingThread.value {
    ToolRun(
      (["play", "walk.mp4"] + words).map { ArgumentText($0) },
      clips: ["walk.mp4": .success(PlayStage.facts)], environment: environment)
  }
}

extension ToolRun {
  fileprivate func lines(_ event: String) -> [String] {
    out.split(separator: "\n").map(String.init).filter { $0.hasPrefix(#"{"event":"\#(event)","#) }
  }
}

@Suite(.timeLimit(.minutes(1))) struct `Given trim play without a screen` {
  @Suite struct `When a part plays three times on a virtual clock` {
    private func run(_ more: String...) async throws -> ToolRun {
      let words = "--from 1 --to 60 --clock virtual --loops 3 --events".split(separator: " ")
      return try await play(words.map(String.init) + more)
    }

    @Test func `then it restarts exactly three times, from 60 s to 1 s, once every 59 s`()
      async throws
    {
      let run = try await run()
      #expect(run.status == 0)
      #expect(run.err.isEmpty)
      let restarts = run.lines("restarted")
      #expect(
        restarts
          == [59, 118, 177].enumerated().map { number, at in
            #"{"event":"restarted","at":{"value":"\#(at)","seconds":\#(at)},"#
              + #""position":{"value":"1","seconds":1},"after":{"value":"60","seconds":60},"#
              + #""passes":1,"loops":\#(number + 1)}"#
          })
      #expect(
        run.out.hasSuffix(
          #""reason":"loops","position":{"value":"1","seconds":1},"loops":3}"# + "\n"))
    }

    @Test func `then it starts with the file, its range and the verdict, in this order`()
      async throws
    {
      let events = try await run().out.split(separator: "\n").map {
        $0.split(separator: "\"")[2 + 1]
      }
      #expect(Array(events.prefix(3)) == ["opened", "range", "validity"])
      #expect(events.firstIndex(of: "position") ?? 0 > events.firstIndex(of: "phase") ?? .max)
      #expect(events.last == "ended")
    }

    @Test func `then the bytes are the same every time`() async throws {
      let (first, second) = (try await run(), try await run())
      #expect(first.out == second.out)
    }

    @Test func `then no position is outside the part`() async throws {
      let positions = try await run().lines("position")
      #expect(positions.count == 3 * 59 - 2)
      #expect(!positions.contains { $0.contains(#""position":{"value":"60""#) })
    }

    @Test func `then the tutorial is shown only once, on the first run`() async throws {
      #expect(try await run().lines("tutorial").isEmpty)
      let shown = ["false", "true"].map { visible in
        #"{"event":"tutorial","at":{"value":"0","seconds":0},"visible":\#(visible)}"#
      }
      #expect(try await run("--first-run").lines("tutorial") == shown)
    }
  }

  @Test func `a stop time on the clock ends it exactly there`() async throws {
    let run = try await play(["--clock", "virtual", "--stop-after", "2.5", "--speed", "4"])
    #expect(run.status == 0)
    let last = run.lines("ended")
    #expect(last.first?.contains(#""at":{"value":"5/2","seconds":2.5},"reason":"time""#) == true)
    #expect(last.first?.contains(#""position":{"value":"10","seconds":10}"#) == true)
  }

  @Test func `a part that is too long shows the excess`() async throws {
    let run = try await play(["--clock", "virtual", "--loops", "1", "--to", "60.6"])
    #expect(
      run.lines("validity").first?.contains(
        #""is_video_length_valid":false,"verdict":"too_long","by":{"value":"1/10","seconds":0.1}"#)
        == true)
  }

  @Test(arguments: [
    ["--for", "59", "--from", "1"], ["--from", "1", "--to", "+59"],
    ["--from", "k1", "--to", "1:00"],
  ])
  func `the part can be written in many ways`(_ words: [String]) async throws {
    let run = try await play(["--clock", "virtual", "--loops", "1"] + words)
    #expect(run.lines("range").first?.contains(#""to":{"value":"60","seconds":60}"#) == true)
  }

  @Test func `a media fragment is a part`() {
    let run = ToolRun(
      "play", "walk.mp4#t=300,301", "--loops", "1",
      clips: ["walk.mp4": .success(PlayStage.facts)])
    #expect(run.status == 64)
    #expect(run.err.contains("outside the file"))
  }

  /// A command line that is refused, and a word from the reason.
  struct Refusal: CustomTestStringConvertible, Sendable {
    let words: [String]
    let reason: String

    init(_ words: String, _ reason: String) {
      self.words = words.split(separator: " ").map(String.init)
      self.reason = reason
    }

    var testDescription: String { words.joined(separator: " ") }
  }

  @Test(arguments: [
    Refusal("walk.mp4", "--loops"), Refusal("walk.mp4 --events", "--stop-after"),
    Refusal("walk.mp4 --clock virtual", "--loops"), Refusal("--loops 1", "<file>"),
    Refusal("walk.mp4 --loops 0", "--loops"), Refusal("walk.mp4 --loops -1", "--loops"),
    Refusal("walk.mp4 --loops 1 --speed 0", "--speed"),
    Refusal("walk.mp4 --loops 1 --speed 1001", "--speed"),
    Refusal("walk.mp4 --loops 1 --speed 1:00", "--speed"),
    Refusal("walk.mp4 --loops 1 --speed 1/0", "--speed"),
    Refusal("walk.mp4 --stop-after 0", "--stop-after"),
    Refusal("walk.mp4 --stop-after 9223372036854775807", "--stop-after"),
    Refusal("walk.mp4 --loops 1 --to 5 --for 5", "--for"),
    Refusal("walk.mp4 --loops 1 --from +5", "--from"),
    Refusal("walk.mp4 --loops 1 --from 1:x", "--from"),
    Refusal("walk.mp4 --loops 1 --from 50 --to 40", "not after"),
    Refusal("walk.mp4 --loops 1 --from 300", "not after"),
    Refusal("walk.mp4 --loops 1 --from k99", "keyframe"),
    Refusal("walk.mp4#t=1,x --loops 1", "#"),
    Refusal("walk.mp4#t=1,2 --loops 1 --from 1", "twice"),
  ])
  func `an invalid command line exits with 64 and the reason`(_ refusal: Refusal) {
    let run = ToolRun(
      (["play"] + refusal.words).map { ArgumentText($0) },
      clips: ["walk.mp4": .success(PlayStage.facts)])
    #expect(run.status == 64, "\(run.err)")
    #expect(run.err.contains(refusal.reason), "\(run.err)")
    #expect(run.out.isEmpty)
  }

  @Test func `a file that is not media has its own exit status and a clear error`() {
    let error = MediaError(.notMedia, "the content is not recognized as media", hint: "Look.")
    let run = ToolRun(
      "play", "walk.mp4", "--loops", "1", clips: ["walk.mp4": .failure(error)])
    #expect(run.status == 65)
    #expect(run.out.isEmpty)
    #expect(run.err == "trim: walk.mp4: the content is not recognized as media\n  Look.\n")
  }

  @Test func `a file without a length cannot be played`() {
    let nothing = MediaFacts(
      container: ContainerFacts(format: "wav", longName: "WAV"), depth: .header)
    let run = ToolRun(
      "play", "walk.mp4", "--loops", "1", clips: ["walk.mp4": .success(nothing)])
    #expect(run.status == 65)
    #expect(run.err.contains("nothing is presented"))
  }
}
