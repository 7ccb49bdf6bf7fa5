import EditLists
import TrimStudio
import Trimming

extension StudioSources {
  /// - Parameter project: the one that the first file is opened with, whose other files were found with it.
  init(_ sources: ScreenSources, project: ProjectFile?, in surroundings: StudioSurroundings) {
    let worker = StudioWorker()
    self.init(
      identify: { path in try await worker.value { try sources.identify(path) } },
      append: { sources.append($0, $1) }, stated: { sources.stated },
      find: { others in
        if let project, project.project.others == others {
          return project.sources.dropFirst().map {
            StudioEntry(PlayInput(path: $0), in: surroundings)
          }
        }
        let paths = try await worker.value {
          try sources.located(others) { surroundings.tree?.number(of: $0) != nil }
        }
        return paths.map { StudioEntry(PlayInput(path: $0), in: surroundings) }
      })
  }
}
