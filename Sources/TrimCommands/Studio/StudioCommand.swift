import CommandLineKit
import MediaEngine
import TrimStudio
import Trimming

/// `trim studio [FILE|FOLDER …]`: the trimmer as a page in a local browser.
struct StudioCommand: Sendable {
  var options: StudioOptions

  init(_ parsed: ParsedArguments) throws(UsageError) {
    options = try StudioOptions(parsed)
  }

  func run(in tool: Tool, console: Console) throws(UsageError) -> ExitStatus {
    var surroundings = StudioSurroundings(tool: tool, options: options, flags: flags(tool))
    let files: [ArgumentText]
    do throws(FolderListing.Failure) {
      files = try FolderListing.files(options.named)
    } catch {
      console.error(error.message, hint: error.hint)
      return error.status
    }
    surroundings.tree = FolderTree(opening: files, of: options.named)
    var entries: [StudioEntry] = []
    for file in files {
      guard ProjectFile.isNamed(file.bytes) else {
        entries.append(try StudioEntry(file, in: surroundings))
        continue
      }
      do throws(PlayedMedia.Failure) {
        let project = try ProjectFile(reading: file, sources: options.sources, with: tool)
        entries.append(
          StudioEntry(PlayInput(path: project.source), in: surroundings, project: project))
      } catch {
        console.error("\(file.shown): \(console.shownOnErr(error.message))", hint: error.hint)
        return error.status
      }
    }
    let (options, made) = (options, entries)
    let folders = StudioFolders(opening: files, of: options.named, in: surroundings)
    return tool.live.run {
      await Self.serve(made, folders, options, tool: tool, console: console)
    }
  }

  @MainActor private static func serve(
    _ entries: [StudioEntry], _ folders: StudioFolders, _ options: StudioOptions, tool: Tool,
    console: Console
  ) async -> ExitStatus {
    var settings = Studio.Settings()
    settings.address = options.address
    settings.outer = options.outer
    settings.port = UInt16(options.port)
    settings.limit = options.limit
    settings.idleExit = options.idleExit
    let studio = Studio(entries, settings: settings, folders: folders)
    let address: String
    do throws(HTTPServer.Failure) {
      address = try studio.start()
    } catch {
      console.error(
        "the studio cannot start: \(error)",
        hint: HTTPServer.libraryVersion == nil
          ? "It needs a package that nothing else in trim needs: apt-get install libmicrohttpd12"
          : "--port chooses another port.")
      return .unavailable
    }
    console.out.write("\(address)\n")
    if !console.isQuiet {
      console.err.write("trim: open this address in a browser; Ctrl-C ends the studio\n")
    }
    let isReached = !options.address.isLoopback && !options.address.isAll
    if isReached || !(options.outer?.isLoopback ?? options.address.isLoopback) {
      console.err.write(
        "trim: warning: traffic between this studio and a browser is not encrypted: anyone "
          + "listening on the network can read it. 'ssh -L' is safer.\n")
    }
    let opener = options.opensBrowser ? BrowserOpener(address, tool.environment) : nil
    await studio.run { tool.interruption() != 0 }
    opener?.cleanUp()
    return .success
  }

  private func flags(_ tool: Tool) -> FirstVisitFlag {
    if options.isFirstRun { return .inMemory() }
    let isQuiet = tool.environment["CI"] != nil || tool.environment["TRIM_NO_TUTORIAL"] != nil
    return isQuiet
      ? .inMemory(isClaimed: true)
      : .markerFile(environment: tool.environment.stateVariables)
  }
}
