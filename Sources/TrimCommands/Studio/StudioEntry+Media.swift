import CommandLineKit
import ExactTime
import Isolation
import MediaEngine
import MediaFacts
import TrimStudio
import Trimming

/// What all files of a run have in common.
struct StudioSurroundings: Sendable {
  var tool: Tool
  var options: StudioOptions
  var flags: FirstVisitFlag
  /// The folders of the studio, from which files are opened.
  var tree: FolderTree?

  var limit: ScreenLimit {
    ScreenLimit(
      options.limit, isGiven: options.isLimitGiven,
      memory: options.keepsState ? RememberedLimit(tool.environment) : nil)
  }
}

extension StudioEntry {
  init(_ file: ArgumentText, in surroundings: StudioSurroundings) throws(UsageError) {
    let input = try PlayInput(
      file, part: PartExpression(), command: StudioOptions.command, asciiOnly: false)
    self.init(input, in: surroundings)
  }

  /// - Parameters:
  ///   - input: a file, not standard input.
  ///   - project: the one that it is opened with.
  init(
    _ input: PlayInput, in surroundings: StudioSurroundings, project: ProjectFile? = nil
  ) {
    let path = input.input.nameBytes
    let slash = path.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0
    let name = ForeignText.shown(path[slash...])
    let reading = ReadingGauge()
    self.init(
      name: name,
      open: { try await Self.open(input, path, name, surroundings, project, reading) },
      look: { try await StudioResult(beginningOf: path, name: name, tool: surroundings.tool) },
      reading: { reading.value },
      glance: {
        var loader = MediaLoader(tool: surroundings.tool, input: input)
        loader.timeout = surroundings.options.timeout
        loader.wantsPictures = false
        switch await loader.loadInBackground() {
        case .failure(let failure):
          return Glance(
            length: "", verdict: ForeignText.shown(failure.message), isValid: false)
        case .success(let media):
          let limit = surroundings.limit.now
          let length = (try? media.bounds.checkedLength()) ?? .zero
          return Glance(
            length: DecimalText.clock(length.seconds), verdict: limit.sentence(on: length),
            isValid: limit.isValid(length))
        }
      })
    identity = RealPath(path)?.bytes
  }

  private static func open(
    _ input: PlayInput, _ path: [UInt8], _ name: String, _ surroundings: StudioSurroundings,
    _ project: ProjectFile?, _ reading: ReadingGauge
  ) async throws -> StudioFile {
    var loader = MediaLoader(tool: surroundings.tool, input: input)
    loader.timeout = surroundings.options.timeout
    loader.wantsPictures = true
    loader.wantsFrames = true
    loader.report = { reading.value = Reading(done: $0.bytesDone, total: $0.bytesTotal) }
    let media: PlayedMedia
    switch await loader.loadInBackground() {
    case .failure(let failure): throw failure.videoFailure
    case .success(let loaded): media = loaded
    }
    // What is saved next would replace it.
    if let project = project?.project,
      project.bounds != media.bounds || project.frames != media.timings.frames.count
    {
      throw VideoFailure("The project is of another file: its length or its frames differ.")
    }
    let sources = ScreenSources(path, engine: surroundings.tool.engine)
    let export = StudioExport(
      tool: surroundings.tool, media: media, path: path, sources: sources,
      folder: OutputFolder(
        surroundings.options.outputFolder ?? OutputFolder.around(project?.path ?? path),
        environment: surroundings.tool.environment, remembers: surroundings.options.keepsState))
    var file = StudioFile(
      video: media.video, timings: media.timings,
      about: StudioFacts(media, name: name, bytes: media.facts.byteCount),
      media: try StudioMedia(path, type: MediaType.of(media.facts)), flags: surroundings.flags,
      pictures: StudioPictures(of: media), words: StudioWords(media), cutting: export.cutting)
    file.chapters = media.namedChapters
    let limit = surroundings.limit
    file.isLimitGiven = limit.isGiven
    file.limit = LimitPort(load: { limit.now }, keep: { limit.keep($0) })
    file.sounds = StudioAudios(media, path, engine: surroundings.tool.engine)
    file.finding = StudioFinding(
      media, path, engine: surroundings.tool.engine, timeout: surroundings.options.timeout)
    file.lists = StudioLists(media, path: path, sources: sources)
    file.path = path
    file.sources = StudioSources(sources, project: project, in: surroundings)
    file.project = project?.project
    let (saving, place) = (
      StudioWorker(), ProjectPlace(of: path, engine: surroundings.tool.engine, opened: project)
    )
    file.saveProject = { work in
      try await saving.value { try place.save(work, besides: export.nextOutput) }
    }
    if let pictures = media.pictures, pictures.hasPictures {
      let worker = StudioWorker()
      file.pictures.snapshot = { time in
        let bytes = try await worker.value { try pictures.file(time) }
        let path = FrameSnapshots.path(besides: path, time)
        let start = path.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0
        return .init(name: ForeignText.shown(path[start...]), bytes: bytes)
      }
    }
    if surroundings.options.keepsState {
      file.work = .state(path, environment: surroundings.tool.environment.stateVariables)
    }
    return file
  }
}

extension StudioPictures {
  /// Pictures or audio that are not available are refused when requested.
  ///
  /// - Parameter owner: an object to keep alive as long as pictures are made.
  init(of media: PlayedMedia, keeping owner: (any Sendable)? = nil) {
    if let pictures = media.pictures {
      self.init(pictures, bounds: media.bounds, keeping: owner)
      return
    }
    let nothing = VideoFailure(media.noPicture ?? "There is no frame here.")
    self.init(
      still: { _, _, _ in throw nothing }, strip: { _, _ in throw nothing },
      levels: { _, _ in throw nothing }, segment: { _, _, _ in throw nothing })
  }
}
