package import EditLists
import ExactTime
package import Trimming

extension EditList {
  /// The parts and markers of a session as a list of the files that they are of.
  ///
  /// - Parameter sources: all files of the session; of those after the first, only the ones in use are listed.
  package init(_ list: PartList, of sources: [Source] = [Source()]) {
    func name(_ text: String) -> String? { text.isEmpty ? nil : text }
    let used = Set(list.parts.map(\.source) + list.markers.map(\.source) + [0]).sorted()
    let places = Dictionary(uniqueKeysWithValues: used.enumerated().map { ($1, $0) })
    self.init(
      sources: used.map { sources.indices.contains($0) ? sources[$0] : Source() },
      parts: list.parts.map {
        Part($0.range, source: places[$0.source] ?? 0, name: name($0.name))
      },
      markers: list.markers.map {
        Marker($0.position, source: places[$0.source] ?? 0, name: name($0.name))
      })
  }

  /// The kept parts and the markers, numbered from `first`; `nil` where it has no part, and where the numbers
  /// do not suffice.
  ///
  /// - Parameter places: the index in the session of each source; others are left out.
  package func partList(
    joins: Bool, selectedIndex: Int = 0, first: Int = 1, firstMarker: Int = 1,
    places: [Int] = [0]
  ) -> PartList? {
    let kept = parts.filter { $0.isKept && places.indices.contains($0.source) }
    let marked = markers.filter { places.indices.contains($0.source) }
    guard first <= Int.max - kept.count, firstMarker <= Int.max - marked.count else { return nil }
    return PartList(
      kept.enumerated().map { index, part in
        TrimmingPart(
          id: first + index, range: part.range, name: part.name ?? "", source: places[part.source])
      }, selectedIndex: selectedIndex, joins: joins,
      markers: marked.enumerated().map { index, marker in
        TrimmingMarker(
          id: firstMarker + index, position: marker.time, name: marker.name ?? "",
          source: places[marker.source])
      })
  }
}
