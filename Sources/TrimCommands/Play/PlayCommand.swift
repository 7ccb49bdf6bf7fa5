import CommandLineKit
import ExactTime
import MediaEngine
import MediaFacts
import Trimming

/// `trim play FILE`: the loop of a trimming screen, simulated.
struct PlayCommand: Sendable {
  var options: PlayOptions

  init(_ parsed: ParsedArguments) throws(UsageError) {
    options = try PlayOptions(parsed)
  }

  func run(in tool: Tool, console: Console) throws(UsageError) -> ExitStatus {
    var screen = options.printsEvents ? nil : PlayTerminal(tool.environment, console: console)
    screen?.pictures = options.pictures
    if screen == nil { try options.requireEnd() }
    let input = try PlayInput(options, asciiOnly: !console.outTraits.isUTF8)
    var loader = MediaLoader(tool: tool, input: input)
    loader.timeout = options.timeout
    loader.wantsFrames = screen != nil
    loader.wantsPictures = screen?.isPlain == false && options.pictures != .none
    guard let screen else { return events(loader, in: tool, console: console) }
    let flags = FirstVisitFlag.ofTool(tool, options, isScreen: true)
    let (options, loads, path) = (options, loader, input.input.nameBytes)
    return tool.live.run {
      let run = ScreenRun(
        tool: tool, console: console, options: options, loader: loads, terminal: screen
      ) { media, trace, repaint in
        let screen = PlayController(
          media: media,
          presenter: TrimmingPresenter(
            video: media.video, limit: options.limit, ports: .simulating(media, flags: flags),
            trace: trace),
          speed: options.speed,
          desk: media.pictures.map { PictureDesk($0, didArrive: repaint) },
          snapshots: media.pictures.map {
            FrameSnapshots($0, besides: path, didWrite: repaint)
          })
        screen.limit = ScreenLimit(options.limit, isGiven: options.isLimitGiven, memory: nil)
        return screen
      }
      // Its callbacks hold it weakly.
      defer { withExtendedLifetime(run) {} }
      return await run.perform()
    }
  }

  private func events(_ loader: MediaLoader, in tool: Tool, console: Console) -> ExitStatus {
    let media: PlayedMedia
    do throws(PlayedMedia.Failure) {
      media = try loader.load(wantsKeyframes: options.part.needsKeyframes)
    } catch {
      loader.report(error, on: console)
      return error.status
    }
    let (options, flags) = (options, FirstVisitFlag.ofTool(tool, options, isScreen: false))
    return tool.live.run {
      await EventRun(tool: tool, options: options, media: media, flags: flags).perform()
    }
  }
}

extension FirstVisitFlag {
  /// The flag "has visited".
  ///
  /// The tutorial is never shown in CI or to users who opted out, and an event stream cannot show
  /// it: a visit only counts where the tutorial can be seen.
  static func ofTool(_ tool: Tool, _ options: PlayOptions, isScreen: Bool) -> FirstVisitFlag {
    if options.isFirstRun { return .inMemory() }
    let isQuiet = tool.environment["CI"] != nil || tool.environment["TRIM_NO_TUTORIAL"] != nil
    guard isScreen, !isQuiet else { return .inMemory(isClaimed: true) }
    return .markerFile(environment: tool.environment.stateVariables)
  }
}

extension PartExpression {
  /// Keyframes are only looked up if needed, since that can take a scan of the whole file.
  var needsKeyframes: Bool {
    if case .some(.keyframe) = from { return true }
    if case .to(.keyframe) = end { return true }
    return false
  }
}

extension Environment {
  /// Variables that locate the state directory.
  var stateVariables: [String: String] { values(of: ["HOME", "XDG_STATE_HOME"]) }

  /// Variables that indicate the terminal's capabilities.
  var terminalVariables: [String: String] {
    values(of: [
      "TERM", "COLORTERM", "NO_COLOR", "TRIM_NO_COLOR", "FORCE_COLOR", "LC_ALL", "LC_CTYPE",
      "LANG", "COLUMNS", "LINES",
    ])
  }

  private func values(of names: [String]) -> [String: String] {
    names.reduce(into: [:]) { $0[$1] = self[$1] }
  }
}
