import CommandLineKit
import EditLists
import ExactTime
import TrimStudio
import Trimming

/// Parts of other files.
extension EditController {
  /// Puts a part of a file after all others, once it is open: of one with a part after its name, that part.
  func addFile(_ file: ArgumentText) {
    guard let files = parts.files else {
      notice = "Files cannot be added here."
      return
    }
    guard opening == nil, parts.work?.waiting == nil else {
      notice = "\(opening ?? "Your earlier work") is still being opened."
      return
    }
    let typed: (input: PlayInput, path: [UInt8])
    do throws(VideoFailure) {
      typed = try files.input(file)
    } catch {
      notice = error.message
      return
    }
    let name = PlayModel.names(of: typed.input.location).base
    opening = name
    notice = "Opening \(name) …"
    Task { [self] in
      do {
        let index = try await index(of: typed.path, typed.input, with: files)
        opening = nil
        let range = try play.media(at: index).range(of: typed.input.part)
        guard presenter.exportState == .idle else {
          throw VideoFailure("A file is being written: add \(name) when that is done.")
        }
        append(index, range, name)
      } catch {
        opening = nil
        show(failure: error, toOpen: name)
      }
    }
  }

  private func append(_ index: Int, _ range: MediaTimeRange, _ name: String) {
    endPreview()
    let count = presenter.list.parts.count
    presenter.partDidAppend(source: index, range: range)
    parts.work?.keep()
    let number = presenter.list.parts.count
    // Otherwise the session says why not.
    notice = number > count ? "Part \(number) is of \(name). u undoes that." : nil
    parts.repaint()
  }

  /// The index of a file in the session, which gets one if it has none.
  private func index(
    of path: [UInt8], _ input: PlayInput, with files: AddedFiles
  ) async throws -> Int {
    if let known = try await files.index(of: path) { return known }
    func checkCount() throws(VideoFailure) {
      guard presenter.session.sources.count < TrimmingSession.mostSources else {
        throw VideoFailure(
          "There can be no more than \(TrimmingSession.mostSources) files in one list.")
      }
    }
    try checkCount()
    let media = try await files.open(input, at: path)
    if let known = try await files.index(of: path) { return known }
    try checkCount()
    // Nothing waits from here on: the session, the screen and the cutter count alike.
    play.append(files.show(media, path))
    files.sources.append(path, media.bounds)
    presenter.sourceDidAdd(
      TrimmingSource(location: media.location, bounds: media.bounds, timings: media.timings))
    return presenter.session.sources.count - 1
  }

  private func show(failure: any Error, toOpen name: String) {
    notice =
      switch failure {
      case let failure as PlayedMedia.Failure:
        ForeignText.shown(
          "\(name) was not added: \(failure.message)." + (failure.hint.map { " \($0)" } ?? ""))
      case let failure as VideoFailure: ForeignText.shown(failure.message)
      default: "\(name) was not added: \(failure)"
      }
    parts.repaint()
  }

  /// Opens the other files of earlier work or of a project, and goes on with it.
  ///
  /// - Parameter project: the one that the screen was opened with.
  func goOn(with project: ProjectFile?) {
    guard let (_, isProject) = parts.work?.waiting, let work = parts.work, let files = parts.files
    else { return }
    let beginning =
      "Opening the other files of \(isProject ? "the project" : "your earlier work") …"
    notice = beginning
    Task { [self] in
      let isApplied = await work.goOn { others in
        var indices: [Int] = []
        for path in try await files.located(others, of: project) {
          do {
            indices.append(try await index(of: path, files.input(path: path), with: files))
          } catch let failure as PlayedMedia.Failure {
            let name = ForeignText.shown(path.split(separator: UInt8(ascii: "/")).last ?? [])
            throw VideoFailure("\(name): \(failure.message).")
          }
        }
        return indices
      }
      endPreview()
      saidNote = work.note
      // What is trimmed now is not the project, which a later one must not replace.
      if isProject, !isApplied { parts.project?.leave() }
      if isApplied {
        show(isProject ? Self.projectIsOpen : Self.returned, [])
      } else if let note = work.note {
        show(
          ForeignText.shown(note) + (work.isHeld ? " F forgets it." : ""), [],
          title: isProject ? "Project" : "Earlier work", covers: true)
      } else {
        if notice == beginning { notice = nil }
        parts.repaint()
      }
    }
  }
}
