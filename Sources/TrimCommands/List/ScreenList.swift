import CommandLineKit
import EditLists
import ExactTime
import MediaFacts
import TrimStudio
import Trimming

/// Lists that are imported onto the file of a screen and exported from it: what `trim cut --cuts` reads, and
/// `trim list convert` writes.
struct ScreenList: Sendable {
  private let path: [UInt8]
  private let media: PlayedMedia
  /// The other files that parts may be of.
  private let sources: ScreenSources?

  init(_ media: PlayedMedia, path: [UInt8], sources: ScreenSources? = nil) {
    self.sources = sources
    self.media = media
    self.path = path
  }

  // MARK: Import

  /// The parts of the list in a file.
  func imported(
    _ file: ArgumentText, onto present: PartList, adds: Bool
  ) throws(VideoFailure) -> StudioLists.Imported {
    let bytes: [UInt8]
    do throws(PlanFile.Failure) {
      bytes = try PlanFile.bytes(of: file, upTo: StudioLists.longest, kind: "a list")
    } catch {
      throw VideoFailure("\(file.shown): \(ForeignText.shown(error.message)).")
    }
    return try imported(bytes, onto: present, adds: adds)
  }

  /// The parts that a list says, in place of the present ones or after them.
  ///
  /// What a list removes is taken out of the file. A mute is left out and said.
  ///
  /// - Throws: `VideoFailure` with the list's line or path.
  func imported(
    _ bytes: [UInt8], onto present: PartList, adds: Bool
  ) throws(VideoFailure) -> StudioLists.Imported {
    do throws(PlanFile.Failure) {
      return try read(bytes, onto: present, adds: adds)
    } catch {
      throw VideoFailure("The list was not imported: \(ForeignText.shown(error.message)).")
    }
  }

  private func read(
    _ bytes: [UInt8], onto present: PartList, adds: Bool
  ) throws(PlanFile.Failure) -> StudioLists.Imported {
    guard bytes.count <= StudioLists.longest else {
      throw Self.refusal("it is too long for a list")
    }
    var file = try ListFile(
      bytes, for: media.facts, ListFile.Options(ignoresMutes: true, readsWords: false))
    var notes = [file.rateNote].compactMap { $0 } + file.leftOut.map { "left out: \($0)" }
    try takeOwn(&file, &notes)
    let marks = file.list.markers
    var parts: [EditList.Part] = []
    if !file.list.parts.isEmpty || marks.isEmpty {
      let cuts = try CutList(file, for: media.facts, as: nil)
      parts = inside(cuts, &notes)
      guard !parts.isEmpty else { throw Self.refusal("nothing of the file would be left") }
    }
    let list = try merged(parts, marks, present, adds: adds, &notes)
    let counts =
      [(parts.count, "part"), (list.markers.count - present.markers.count, "marker")]
      .filter { $0.0 > 0 }.map { CountText.of($0.0, $0.1) }
    return StudioLists.Imported(
      list: list,
      sentence: "Imported: \(counts.isEmpty ? "nothing new" : counts.joined(separator: ", "))"
        + " (\(file.formatName)).", notes: Self.few(notes))
  }

  /// Leaves what the list says about this file, as its only source.
  private func takeOwn(
    _ file: inout ListFile, _ notes: inout [String]
  ) throws(PlanFile.Failure) {
    let matched: MatchedList
    do throws(PlayedMedia.Failure) {
      matched = try MatchedList(file.list, [ListMedia(path, media.facts)])
    } catch {
      throw Self.refusal(error.message)
    }
    notes += matched.findings.map { "does not fit: \($0)" }
    guard let own = matched.media.keys.first else { return }
    if let identity = file.list.sources[own].identity, identity.size != media.facts.byteCount {
      throw Self.refusal(
        "it is for another file, of \(identity.size) bytes, and this one has "
          + (media.facts.byteCount.map { "\($0)" } ?? "another size"))
    }
    for (index, source) in file.list.sources.enumerated() where index != own {
      let count = file.list.parts.count { $0.source == index }
      guard count > 0 else { continue }
      let name = source.hint.map(ListMedia.baseName) ?? "source \(index + 1)"
      notes.append("left out: \(CountText.of(count, "part")) of another file, \(name)")
    }
    func isOwn(_ source: Int) -> Bool { source == own }
    file.list.parts = file.list.parts.filter { isOwn($0.source) }
    file.list.markers = file.list.markers.filter { isOwn($0.source) }
    for index in file.list.parts.indices { file.list.parts[index].source = 0 }
    for index in file.list.markers.indices { file.list.markers[index].source = 0 }
    file.list.sources = [file.list.sources[own]]
  }

  /// What is kept of the file, without parts in which no frame begins.
  private func inside(_ cuts: CutList, _ notes: inout [String]) -> [EditList.Part] {
    let whole = EditList(parts: [EditList.Part(media.bounds)])
    let list =
      cuts.meaning == .keep
      ? cuts.list.clipped(to: media.bounds, ofSource: cuts.list.parts.first?.source ?? 0)
      : whole.removing(RangeSet(cuts.list.parts.map(\.range)))
    return list.parts.filter { part in
      let isShown = media.timings.frames.areUnknownOrBegin(in: part.range)
      if !isShown {
        notes.append(
          "left out: \(Self.clock(part.range.start)) – \(Self.clock(part.range.end)), in which no frame begins"
        )
      }
      return isShown
    }
  }

  /// - Parameter parts: empty where a list has only markers, and the present parts stay.
  private func merged(
    _ parts: [EditList.Part], _ marks: [EditList.Marker], _ present: PartList, adds: Bool,
    _ notes: inout [String]
  ) throws(PlanFile.Failure) -> PartList {
    let isUntouched =
      !present.isOfSeveralSources && present.parts.map(\.range) == [media.bounds]
    let stays = parts.isEmpty || adds && !isUntouched
    guard parts.count + (stays ? present.parts.count : 0) <= PartList.capacity else {
      throw Self.refusal(
        "it has \(parts.count) parts, and a screen holds \(PartList.capacity); 'trim cut --cuts' takes them all"
      )
    }
    func shown(_ name: String?) -> String? {
      name.map { String(ForeignText.shown($0).prefix(TrimmingSession.longestName)) }
    }
    var taken = Set(present.markers.filter { $0.source == 0 }.map(\.position))
    var (new, isFull) = ([EditList.Marker](), 0)
    for mark in marks {
      guard mark.time >= media.bounds.start, mark.time <= media.bounds.end else {
        notes.append("left out: a marker at \(Self.clock(mark.time)), outside of the file")
        continue
      }
      guard taken.insert(mark.time).inserted else { continue }
      guard present.markers.count + new.count < PartList.markerCapacity else {
        isFull += 1
        continue
      }
      new.append(EditList.Marker(mark.time, name: shown(mark.name)))
    }
    if isFull > 0 {
      notes.append(
        "left out: \(CountText.of(isFull, "marker")): a screen holds \(PartList.markerCapacity)")
    }
    let imported = EditList(
      parts: (parts.isEmpty ? [EditList.Part(media.bounds)] : parts).map {
        EditList.Part($0.range, name: shown($0.name))
      }, markers: new)
    let all = imported.partList(
      joins: true, first: present.nextID, firstMarker: present.nextMarkerID)
    let before = stays ? present.parts : []
    guard let all,
      let list = PartList(
        before + (parts.isEmpty ? [] : all.parts),
        selectedIndex: parts.isEmpty ? present.selectedIndex : before.count,
        joins: before.count > 1 ? present.joins : true,
        markers: (present.markers + all.markers).sorted { $0.position < $1.position })
    else { throw Self.refusal("its parts cannot be numbered") }
    return list
  }

  /// Of many notes the first, and how many more there are.
  private static func few(_ notes: [String]) -> [String] {
    let shown = notes.prefix(most).map { ForeignText.shown($0) }
    return notes.count > most ? shown + ["\(notes.count - most) more like these"] : shown
  }

  private static let most = 100

  private static func refusal(_ message: String) -> PlanFile.Failure {
    PlanFile.Failure(message: message, status: .badData)
  }

  private static func clock(_ time: MediaTime) -> String { DecimalText.clock(time.seconds) }

  // MARK: Export

  /// The parts and markers as a list; what the format cannot hold is left out and said.
  ///
  /// A format of removals gets what is between the parts.
  ///
  /// - Throws: `VideoFailure`.
  func exported(
    _ list: PartList, as format: EditListFormat
  ) throws(VideoFailure) -> (text: String, notes: [String]) {
    let own = EditList.Source(hint: String(decoding: path, as: UTF8.self))
    let whole = EditList(list, of: [own] + (sources?.stated.dropFirst() ?? []))
    let lists = [(true, true), (false, true), (true, false), (false, false)].map {
      lessened(whole, format.listsWhatIsKept, $0, $1)
    }
    do throws(PlayedMedia.Failure) {
      let (written, index) = try format.written(firstOf: lists.map(\.list), of: media.facts)
      var notes = lists[index].lost
      // What the file added is no loss.
      notes += written.leftOut.filter { ![EditList.frameRate, EditList.sourceName].contains($0) }
        .map { "left out: \($0)" }
      if written.rounded > 0 {
        notes.append(
          "\(CountText.of(written.rounded, "time")) rounded to what \(format.name) has")
      }
      return (written.text, notes)
    } catch {
      throw VideoFailure("The list was not written: \(ForeignText.shown(error.message)).")
    }
  }

  /// Writes the parts to a file.
  ///
  /// - Returns: what the format does not hold.
  func export(
    _ list: PartList, to target: ListTarget, replaces: Bool
  ) throws(VideoFailure) -> [String] {
    let (text, notes) = try exported(list, as: target.format)
    do throws(PlayedMedia.Failure) {
      try ResultFile(target.path, replaces: replaces, madeFrom: path).publish(Array(text.utf8))
    } catch {
      throw VideoFailure("The list was not written: \(ForeignText.shown(error.message)).")
    }
    return notes
  }

  private func lessened(
    _ whole: EditList, _ isKept: Bool, _ hasMarkers: Bool, _ hasNames: Bool
  ) -> (list: EditList, lost: [String]) {
    var (list, lost) = (whole, [String]())
    if !isKept {
      var bounds = [0: media.bounds]
      for (index, source) in whole.sources.enumerated().dropFirst() {
        bounds[index] = source.hint.flatMap { sources?.bounds[$0] }
      }
      list = whole.removedInstead(within: bounds)
      let starts = whole.parts.map(\.range)
      if zip(starts, starts.dropFirst()).contains(where: { $0.end > $1.start }) {
        lost.append("left out: the order of the parts")
      }
    }
    let names = (whole.parts.map(\.name) + whole.markers.map(\.name)).contains { $0 != nil }
    if !hasNames || !isKept, names { lost.append("left out: names") }
    if !hasNames {
      for index in list.parts.indices { list.parts[index].name = nil }
      for index in list.markers.indices { list.markers[index].name = nil }
    }
    if !hasMarkers, !list.markers.isEmpty {
      lost.append("left out: \(CountText.of(list.markers.count, "marker"))")
      list.markers = []
    }
    return (list, lost)
  }
}
