import ExactTime
import Trimming

/// A file whose parts are in the list of an open file.
struct AddedFile {
  /// Its number in the studio, from which pages get its pictures.
  var number: Int
  var file: StudioFile
}

extension OpenFile {
  /// The file of the selected part.
  var shown: StudioFile { source(presenter.session.shownSource) }

  private func source(_ index: Int) -> StudioFile {
    added.indices.contains(index - 1) ? added[index - 1].file : file
  }

  /// Puts parts of another file after all others.
  ///
  /// - Parameter ranges: the parts; `nil` for the whole file.
  /// - Throws: `VideoFailure`.
  func append(_ other: OpenFile, number: Int, ranges: [MediaTimeRange]?) async throws {
    guard !isExporting else {
      throw VideoFailure("A file is being written: add another one when that is done.")
    }
    let index = try await index(of: other.file, number: number)
    for range in ranges ?? [other.file.video.bounds] {
      presenter.partDidAppend(source: index, range: range)
    }
    change()
  }

  /// The index of a file in the session, which gets one if it has none.
  func index(of other: StudioFile, number: Int) async throws -> Int {
    if number == self.number { return 0 }
    func known() -> Int? { added.firstIndex { $0.number == number }.map { $0 + 1 } }
    if let known = known() { return known }
    try await file.sources.identify(other.path)
    // Another request may have added it meanwhile.
    if let known = known() { return known }
    guard added.count + 1 < TrimmingSession.mostSources else {
      throw VideoFailure(
        "There can be no more than \(TrimmingSession.mostSources) files in one list.")
    }
    // Nothing waits from here on: the session, the cutter and the pages count alike.
    presenter.sourceDidAdd(
      TrimmingSource(
        location: other.video.location, bounds: other.video.bounds, timings: other.timings))
    file.sources.append(other.path, other.video.bounds)
    added.append(AddedFile(number: number, file: other))
    return added.count
  }

  /// What a page needs to show each file; `nil` while there is only one.
  func shownSources(number: Int) -> [StudioState.Source]? {
    guard !added.isEmpty else { return nil }
    return [StudioState.Source(file: number, name: file.about.name)]
      + added.map { StudioState.Source(file: $0.number, name: $0.file.about.name) }
  }
}

extension Studio {
  /// A file of the studio is added to the list of another.
  func addSource(to id: Int, _ request: AdmittedRequest) async throws -> HTTPResponse {
    guard let wish: FileWish = try? request.json(), entries.indices.contains(wish.file) else {
      return HTTPResponse(refusing: 400, "This is not a request for a file.")
    }
    guard let file = await open(id) else { return refusal(of: id) }
    // The range that was set here counts; not one of earlier work, which nobody has seen.
    guard let other = await load(wish.file) else { return refusal(of: wish.file) }
    let ranges = other.presenter.list.parts.filter { $0.source == 0 }.map(\.range)
    try await file.append(
      other, number: wish.file, ranges: other.wasShown && !ranges.isEmpty ? ranges : nil)
    return .nothing
  }

  /// Opens the other files of work on parts of several, and goes on with it.
  func goOn(_ file: OpenFile) async {
    if let going = file.going { return await going.value }
    guard file.work.waiting != nil else { return }
    let going = Task {
      await file.work.goOn { others in
        var indices: [Int] = []
        for entry in try await file.file.sources.find(others) {
          let number = try await self.accompany(entry)
          guard let other = await self.load(number) else {
            throw VideoFailure(self.failure(of: number))
          }
          indices.append(try await file.index(of: other.file, number: number))
        }
        return indices
      }
      file.begin()
    }
    file.going = going
    await going.value
  }
}
