import CommandLineKit
import EditLists
import TrimStudio
import Trimming

extension StudioLists {
  /// Reads and writes on a thread of its own.
  init(_ media: PlayedMedia, path: [UInt8], sources: ScreenSources? = nil) {
    let (worker, screen) = (StudioWorker(), ScreenList(media, path: path, sources: sources))
    self.init(
      formats: EditListFormat.all.filter(\.isWritten).map {
        Format(id: $0.id, name: $0.name, ending: $0.extensions[0])
      },
      read: { bytes, present, adds in
        try await worker.value { try screen.imported(bytes, onto: present, adds: adds) }
      },
      write: { list, id in
        guard let format = EditListFormat.named(id) else {
          throw VideoFailure("There is no such format.")
        }
        let (text, notes) = try await worker.value { try screen.exported(list, as: format) }
        let base = PlayModel.names(of: ForeignText.shown(path)).base
        let stem = base.lastIndex(of: ".").map { String(base[..<$0]) } ?? base
        return Exported(name: "\(stem).\(format.extensions[0])", text: text, notes: notes)
      })
  }
}
