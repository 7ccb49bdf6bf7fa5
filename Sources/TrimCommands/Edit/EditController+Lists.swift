import CommandLineKit
import EditLists
import Threads
import TrimStudio
import Trimming

/// Lists of other programs, the project, and work that is kept.
extension EditController {
  /// A path was typed.
  func takePath(_ path: String, for purpose: ScreenPrompt.Purpose) {
    switch purpose {
    case .addFile: addFile(ArgumentText(path))
    case .importList(let adds): importList(ArgumentText(path), adds: adds)
    case .exportList:
      guard let target = try? ListTarget(path) else { return }
      if EditTarget.exists(target.path) {
        question = .replaceList(target)
      } else {
        export(to: target, replaces: false)
      }
    case .time, .limit, .name: break
    }
  }

  private func importList(_ file: ArgumentText, adds: Bool) {
    guard let lists = parts.lists else {
      notice = "Lists cannot be read here."
      return
    }
    guard !file.isStandardStream else {
      notice = "A list is read from a file here: type its path."
      return
    }
    notice = "Reading \(file.shown) …"
    let present = presenter.list
    Task { [self] in
      do {
        let imported = try await WaitingThread.value {
          try lists.imported(file, onto: present, adds: adds)
        }
        guard presenter.list == present else {
          throw VideoFailure("The parts were changed while the list was read: import it again.")
        }
        presenter.partsDidReturn(imported.list)
        endPreview()
        parts.work?.keep()
        show(imported.sentence + " u undoes that.", imported.notes)
      } catch {
        show(failure: error)
      }
    }
  }

  func export(to target: ListTarget, replaces: Bool) {
    guard let lists = parts.lists else {
      notice = "Lists cannot be written here."
      return
    }
    let present = presenter.list
    Task { [self] in
      do {
        let notes = try await WaitingThread.value {
          try lists.export(present, to: target, replaces: replaces)
        }
        show("Written: \(target.shown) (\(target.format.name)).", notes)
      } catch {
        show(failure: error)
      }
    }
  }

  func saveProject() {
    guard let place = parts.project, let work = parts.work else {
      notice = "Projects cannot be saved here."
      return
    }
    guard work.waiting == nil else {
      notice = "The other files are still being opened."
      return
    }
    notice = "Saving the project …"
    let (project, output) = (work.project, parts.target.path)
    Task { [self] in
      do {
        let shown = try await WaitingThread.value {
          try place.save(project, besides: output)
        }
        show("Saved: \(shown)", [])
      } catch {
        show(failure: error)
      }
    }
  }

  func forget() {
    guard let work = parts.work, parts.options.keepsState else {
      notice = "No work is kept here."
      return
    }
    work.forget()
    notice = "The work that was kept on this file is forgotten."
  }

  static let projectIsOpen = "The project is open."

  /// Goes on with a project that was saved; one of several files waits for ``goOn(with:)``.
  func open(_ project: ProjectFile) {
    do throws(VideoFailure) {
      try parts.work?.open(project.project)
      notice = Self.projectIsOpen
    } catch {
      parts.project?.leave()
      notice = error.message
    }
  }

  /// - Parameters:
  ///   - notes: what is shown with the sentence over the screen.
  ///   - covers: whether the sentence is shown there without notes, too.
  func show(
    _ sentence: String, _ notes: [String], title: String = "List", covers: Bool = false
  ) {
    notice = sentence
    self.notes = (title, [sentence] + (notes.isEmpty ? [] : [""] + notes))
    if covers || !notes.isEmpty { shownList = .notes }
    parts.repaint()
  }

  func show(failure: any Error) {
    notice = (failure as? VideoFailure).map { ForeignText.shown($0.message) } ?? "\(failure)"
    parts.repaint()
  }
}
