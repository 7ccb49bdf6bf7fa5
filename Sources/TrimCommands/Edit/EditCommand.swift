import CommandLineKit
import ExactTime
import MediaEngine
import MediaFacts
import TerminalUI
import TrimStudio
import Trimming

/// `trim edit FILE`: the interactive trimmer.
struct EditCommand: Sendable {
  var options: EditOptions

  init(_ parsed: ParsedArguments) throws(UsageError) {
    options = try EditOptions(parsed)
  }

  func run(in tool: Tool, console: Console) throws(UsageError) -> ExitStatus {
    guard
      var terminal = PlayTerminal(tool.environment, console: console, leavesOutAlone: true)
    else {
      console.error(
        "there is no terminal to edit on",
        hint: "'trim cut' cuts without one.")
      return .unavailable
    }
    terminal.hearsMouse = true
    terminal.pictures = options.play.pictures
    let project: ProjectFile?
    do throws(PlayedMedia.Failure) {
      project =
        ProjectFile.isNamed(options.play.file.bytes)
        ? try ProjectFile(reading: options.play.file, sources: options.sources, with: tool) : nil
    } catch {
      console.error(
        "\(options.play.file.shown): \(console.shownOnErr(error.message))", hint: error.hint)
      return error.status
    }
    var named = self
    named.options.output = options.output ?? project?.output
    return try named.run(on: terminal, of: project, in: tool, console: console)
  }

  private func run(
    on terminal: PlayTerminal, of project: ProjectFile?, in tool: Tool, console: Console
  ) throws(UsageError) -> ExitStatus {
    let asciiOnly = !terminal.painter.isUTF8
    let input: PlayInput
    if let project {
      guard options.play.part == PartExpression() else {
        throw UsageError(
          "A project has its own parts: give no range with it.", command: EditOptions.command)
      }
      var named = PlayInput(path: project.source)
      named.location = ForeignText.shown(project.source, asciiOnly: asciiOnly)
      input = named
    } else {
      input = try PlayInput(
        options.play.file, part: options.play.part, command: EditOptions.command,
        asciiOnly: asciiOnly)
    }
    guard case .file(let path) = input.input else {
      throw UsageError("Missing expected argument '<file>'.", command: EditOptions.command)
    }
    // An output name that cannot be written is refused before a screen opens.
    _ = try options.target(of: path)
    var loader = MediaLoader(tool: tool, input: input)
    loader.timeout = options.play.timeout
    loader.wantsFrames = true
    loader.wantsPictures = !terminal.isPlain && options.play.pictures != .none
    let desk = Desk(
      tool: tool, console: console, path: path, input: input.input, loader: loader,
      terminal: terminal, project: project,
      limit: ScreenLimit(
        options.play.limit, isGiven: options.play.isLimitGiven,
        memory: options.keepsState ? RememberedLimit(tool.environment) : nil),
      sources: ScreenSources(path, engine: tool.engine))
    return tool.live.run { await run(at: desk) }
  }

  /// Everything that a run needs.
  private struct Desk: Sendable {
    var tool: Tool
    var console: Console
    var path: [UInt8]
    var input: MediaInput
    var loader: MediaLoader
    var terminal: PlayTerminal
    /// The project that is opened; `nil` for a file itself.
    var project: ProjectFile?
    var limit: ScreenLimit
    /// The files that parts may be of.
    var sources: ScreenSources
  }

  /// Where the cut goes, and what makes it, with a container that holds the file's tracks.
  private func target(
    _ facts: MediaFacts, at desk: Desk
  ) -> (target: EditTarget, cutter: MediaCutter?) {
    let named = try? options.target(of: desk.path, holding: facts)
    let target = EditTarget(
      named?.path ?? [], replaces: options.replaces, asciiOnly: !desk.terminal.painter.isUTF8)
    let cutter = named.flatMap {
      desk.tool.engine.cutter(
        of: desk.input, desk.sources, $0.container, { desk.tool.interruption() != 0 })
    }
    return (target, cutter)
  }

  @MainActor private func run(at desk: Desk) async -> ExitStatus {
    let flags = FirstVisitFlag.ofTool(desk.tool, options.play, isScreen: true)
    var screen: EditController?
    var play = options.play
    play.limit = desk.limit.now
    let run = ScreenRun(
      tool: desk.tool, console: desk.console, options: play, loader: desk.loader,
      terminal: desk.terminal
    ) { media, trace, repaint in
      let choice = CutSettingsChoice(media.facts, options.settings)
      let (target, cutter) = target(media.facts, at: desk)
      let presenter = TrimmingPresenter(
        video: media.video, limit: play.limit, isPlaying: false,
        ports: .editing(
          media, flags: flags, cutter: cutter, target: target, settings: { choice.settings }),
        trace: trace)
      presenter.videoDidLoad(media.timings)
      let made = EditController(
        EditController.Parts(
          media: media,
          presenter: presenter,
          options: options, target: target, cutter: cutter, choice: choice,
          desk: media.pictures.map { PictureDesk($0, didArrive: repaint) },
          snapshots: media.pictures.map {
            FrameSnapshots($0, besides: desk.path, didWrite: repaint)
          },
          work: keeper(of: media, presenter, choice, target, at: desk),
          lists: ScreenList(media, path: desk.path, sources: desk.sources),
          project: ProjectPlace(of: desk.path, engine: desk.tool.engine, opened: desk.project),
          files: files(at: desk, repaint: repaint),
          finder: finder(of: media, at: desk, repaint: repaint), repaint: repaint))
      made.play.limit = desk.limit
      if let project = desk.project { made.open(project) }
      made.goOn(with: desk.project)
      screen = made
      return made
    }
    let status = await run.perform()
    screen?.parts.work?.keepNow()
    screen?.parts.finder?.stop()
    guard status == .success, let screen else { return status }
    return report(screen, at: desk)
  }

  /// What opens other files, each in the way of the first.
  @MainActor private func files(
    at desk: Desk, repaint: @escaping @MainActor () -> Void
  ) -> AddedFiles {
    AddedFiles(
      sources: desk.sources,
      load: { [loader = desk.loader] input in await loader.of(input).loadInBackground() },
      show: { media, path in
        PlayedFile(
          media, desk: media.pictures.map { PictureDesk($0, didArrive: repaint) },
          snapshots: media.pictures.map {
            FrameSnapshots($0, besides: path, didWrite: repaint)
          })
      }, asciiOnly: !desk.terminal.painter.isUTF8)
  }

  @MainActor private func finder(
    of media: PlayedMedia, at desk: Desk, repaint: @escaping @MainActor () -> Void
  ) -> EditFinder? {
    let kinds = media.findableKinds
    guard !kinds.isEmpty else { return nil }
    let (engine, timeout) = (desk.tool.engine, options.play.timeout)
    return EditFinder(kinds, repaint: repaint) { [path = desk.path] options, isCancelled in
      try media.findings(
        at: path, options, engine: engine, timeout: timeout, isCancelled: isCancelled)
    }
  }

  /// What keeps the work, which the studio shares, unless nothing is kept; it returns unless a part was asked
  /// for.
  @MainActor private func keeper(
    of media: PlayedMedia, _ presenter: TrimmingPresenter, _ choice: CutSettingsChoice,
    _ target: EditTarget, at desk: Desk
  ) -> WorkKeeper {
    let port =
      options.keepsState
      ? WorkPort.state(desk.path, environment: desk.tool.environment.stateVariables) : nil
    let keeper = WorkKeeper(
      port ?? .nowhere, presenter, frames: media.timings.frames.count,
      isLimitGiven: desk.limit.isGiven,
      settings: .editing(
        choice, output: PlayModel.names(of: target.shown).base, isGiven: options.isMannerGiven),
      sources: { [sources = desk.sources] in sources.stated })
    if desk.loader.input.part == PartExpression() { keeper.restore() }
    return keeper
  }

  /// What is printed after the screen closes: the file, or the selection.
  @MainActor private func report(_ screen: EditController, at desk: Desk) -> ExitStatus {
    // A terminal in plain mode still shows the line that reported it.
    let wasSaid = desk.terminal.isPlain && desk.console.outTraits.isTerminal
    if let choice = options.choice {
      guard let list = screen.chosen else { return .negative }
      let decision = EditDecision(
        list: list, files: desk.sources.paths, target: screen.parts.target,
        settings: screen.parts.choice.settings,
        verdict: screen.presenter.session.verdict)
      desk.console.out.write(decision.text(as: choice))
    } else if let written = screen.parts.target.written, !wasSaid {
      let length = written.length.map { DecimalText.fixed($0.seconds, places: 3) } ?? "?"
      let names = written.shown.joined(separator: ", ")
      desk.console.out.write("Done: wrote \(names), \(length) s\n")
    }
    return .success
  }
}
