import ExactTime
import Observation
import Support
import Testing
import Trimming

@MainActor @Suite(.timeLimit(.minutes(1))) struct `Given a screen whose ports are watched` {
  private static func phases(_ reader: AsyncStream<SessionEvent>) async throws -> Phase {
    try await first("a change of the phase", in: reader) { event in
      if case .phaseDidChange(let phase) = event { phase } else { nil }
    }
  }

  @MainActor @Suite struct `When the video is probed` {
    @Test func `then its timings make the screen ready`() async throws {
      let stage = Stage(isReady: false)
      let reader = stage.presenter.events.subscribe()
      stage.presenter.loadVideo()
      await stage.probing.calls(atLeast: 1)
      #expect(stage.probing.calls == ["holiday.mp4"])
      #expect(stage.presenter.phase == .loading)
      stage.probing.answer(0, with: .success(Clip.timings))
      #expect(try await phases(reader) == .ready)
      #expect(stage.presenter.phase == .ready)
      stage.expectLogged([.videoLoaded])
    }

    @Test func `then its error is shown on the screen, and trying again probes again`() async throws
    {
      let stage = Stage(isReady: false)
      var reader = stage.presenter.events.subscribe()
      stage.presenter.loadVideo()
      await stage.probing.calls(atLeast: 1)
      stage.probing.answer(0, with: .failure(Refusal(description: "not a clip")))
      #expect(try await phases(reader) == .failed(VideoFailure("not a clip")))
      stage.presenter.retryDidTap()
      reader = stage.presenter.events.subscribe()
      await stage.probing.calls(atLeast: 2)
      let failure = VideoFailure("still not", hint: "give up")
      stage.probing.answer(1, with: .failure(failure))
      #expect(try await phases(reader) == .failed(failure))
      stage.expectLogged([.videoFailed, .videoRetried, .videoFailed])
    }
  }

  @MainActor @Suite struct `When a handle is dragged` {
    @Test func `then only the last of a burst is requested, once it rests`() async throws {
      let stage = Stage()
      for start in 2...20 { stage.presenter.timeRangeDidChange(range: range(Int64(start), 60)) }
      await stage.clock.sleepers(atLeast: 1)
      stage.clock.advance(by: .milliseconds(79))
      #expect(stage.picturing.calls == [])
      await stage.clock.sleepers(atLeast: 1)
      stage.clock.advance(by: .milliseconds(1))
      await stage.picturing.calls(atLeast: 1)
      #expect(stage.picturing.calls.map(\.position) == [at(20)])
      stage.expectLogged(Array(repeating: .rangeChanged, count: 19))
    }

    @Test func `then the picture is shown with the exact position of its frame`() async throws {
      let stage = Stage()
      stage.presenter.timeRangeDidChange(range: range(at(301, 100), at(60)))
      await stage.clock.sleepers(atLeast: 1)
      stage.clock.advance(by: .milliseconds(80))
      await stage.picturing.calls(atLeast: 1)
      let shown = Self.pictureShown(on: stage)
      stage.picturing.answer(
        0, with: .success(FramePicture(position: at(3), frame: 75, image: "a frame")))
      try await shown()
      #expect(stage.presenter.picture?.position == at(3))
      #expect(stage.presenter.picture?.frame == 75)
      #expect(stage.presenter.picture?.image as? String == "a frame")
      stage.expectLogged([.rangeChanged])
    }

    @Test func `then an answer that is outdated is dropped`() async throws {
      let stage = Stage()
      let pictures = [5, 6].map { FramePicture(position: at($0), image: "\($0)") }
      stage.presenter.timeRangeDidChange(range: range(5, 60))
      await stage.clock.sleepers(atLeast: 1)
      stage.clock.advance(by: .milliseconds(80))
      await stage.picturing.calls(atLeast: 1)
      stage.presenter.timeRangeDidChange(range: range(6, 60))
      stage.picturing.answer(0, with: .success(pictures[0]))
      await stage.clock.sleepers(atLeast: 1)
      stage.clock.advance(by: .milliseconds(80))
      await stage.picturing.calls(atLeast: 2)
      #expect(stage.presenter.picture == nil)
      let shown = Self.pictureShown(on: stage)
      stage.picturing.answer(1, with: .success(pictures[1]))
      try await shown()
      #expect(stage.presenter.picture?.position == at(6))
      stage.expectLogged([.rangeChanged, .rangeChanged])
    }

    /// Starts watching at once; the function it returns waits for the picture.
    private static func pictureShown(on stage: Stage) -> () async throws -> Void {
      let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
      withObservationTracking {
        _ = stage.presenter.picture?.position
      } onChange: {
        Task { @MainActor in continuation.finish() }
      }
      return { try await end(of: "the wait for a picture", in: stream) }
    }
  }

  @MainActor @Suite struct `When it exports` {
    @Test func `then success is announced with the file`() async throws {
      let stage = Stage()
      let reader = stage.presenter.events.subscribe()
      stage.presenter.exportDidTap()
      await stage.exporting.calls(atLeast: 1)
      #expect(
        stage.exporting.calls == [
          ExportRequest(id: 1, location: "holiday.mp4", range: range(1, 60), limit: .standard)
        ])
      stage.exporting.answer(0, with: .success("out.mp4"))
      let locations = try await first("the end of the export", in: reader) { event in
        if case .exportDidFinish(let locations) = event { locations } else { nil }
      }
      #expect(locations == ["out.mp4"])
      #expect(stage.presenter.exportedLocation == "out.mp4")
      #expect(stage.presenter.exportState == .idle)
      stage.expectLogged([.exportStarted, .exportFinished])
    }

    @Test func `then failure shows an alert and the screen stays`() async throws {
      let stage = Stage()
      let reader = stage.presenter.events.subscribe()
      stage.presenter.exportDidTap()
      await stage.exporting.calls(atLeast: 1)
      stage.exporting.answer(0, with: .failure(Refusal(description: "disk full")))
      let alert = try await first("an alert", in: reader) { event in
        if case .alertDidAppear(let alert) = event { alert } else { nil }
      }
      #expect(alert == TrimmingAlert("disk full"))
      #expect(stage.presenter.phase == .ready)
      #expect(stage.presenter.isExportEnabled)
      stage.expectLogged([.exportStarted, .exportFailed])
    }

    @Test func `then a second tap does not call the port again`() async throws {
      let stage = Stage()
      stage.presenter.exportDidTap()
      stage.presenter.exportDidTap()
      await stage.exporting.calls(atLeast: 1)
      stage.presenter.exportDidTap()
      #expect(stage.exporting.calls.count == 1)
      stage.expectLogged([.exportStarted, .exportRefused, .exportRefused])
    }

    @Test func `then a range that is too long never reaches the port`() async throws {
      let stage = Stage(range(at(0), at(121, 2)))
      stage.presenter.exportDidTap()
      stage.log.expect(LogEvent(.exportRefused, [.init("reason", .text("invalid_length"))]))
      stage.presenter.timeRangeDidChange(range: range(0, 60))
      stage.presenter.exportDidTap()
      await stage.exporting.calls(atLeast: 1)
      #expect(stage.exporting.calls.map(\.range) == [range(0, 60)])
      stage.expectLogged([.rangeChanged, .exportStarted])
    }

    @Test func `then cancelling cancels the port and returns to ready`() async throws {
      let stage = Stage()
      let reader = stage.presenter.events.subscribe()
      stage.presenter.exportDidTap()
      await stage.exporting.calls(atLeast: 1)
      stage.presenter.exportCancelDidTap()
      try await first("the end of a cancelled export", in: reader) { event in
        if case .logged(let entry) = event, entry.name == .exportCancelled { () } else { nil }
      }
      #expect(stage.presenter.exportState == .idle)
      #expect(stage.presenter.isExportEnabled)
      #expect(stage.presenter.alert == nil)
      stage.expectLogged([.exportStarted, .exportCancelled])
    }
  }

  @MainActor @Suite struct `When the presenter goes away` {
    @Test func `then its subscribers' streams end and its export is cancelled`() async throws {
      let exporting = Door<ExportRequest, String>()
      let cancelled = Recorder<String>()
      var presenter: TrimmingPresenter? = TrimmingPresenter(
        video: Clip.video(),
        ports: TrimmingPorts(
          probe: ProbePort { _ in VideoTimings() }, flags: .inMemory(),
          export: ExportPort { request, _ in
            do {
              return try await exporting.call(request)
            } catch {
              cancelled.record("\(type(of: error))")
              throw error
            }
          }))
      presenter?.videoDidLoad()
      presenter?.exportDidTap()
      await exporting.calls(atLeast: 1)
      let reader = presenter?.events.subscribe()
      presenter = nil
      try await end(of: "the events", in: try #require(reader))
      await cancelled.events(atLeast: 1)
      cancelled.expect("CancellationError")
    }
  }
}
