package import EditLists
import ExactTime
package import Trimming

extension EditList {
  /// The parts and markers of a session as a list of one source.
  package init(_ list: PartList, of source: Source = Source()) {
    func name(_ text: String) -> String? { text.isEmpty ? nil : text }
    self.init(
      sources: [source], parts: list.parts.map { Part($0.range, name: name($0.name)) },
      markers: list.markers.map { Marker($0.position, name: name($0.name)) })
  }

  /// The kept parts and the markers of the first source, numbered from `first`; `nil` where it has no part,
  /// and where the numbers do not suffice.
  package func partList(
    joins: Bool, selectedIndex: Int = 0, first: Int = 1, firstMarker: Int = 1
  ) -> PartList? {
    let kept = parts.filter { $0.isKept && $0.source == 0 }
    let marked = markers.filter { $0.source == 0 }
    guard first <= Int.max - kept.count, firstMarker <= Int.max - marked.count else { return nil }
    return PartList(
      kept.enumerated().map { index, part in
        TrimmingPart(id: first + index, range: part.range, name: part.name ?? "")
      }, selectedIndex: selectedIndex, joins: joins,
      markers: marked.enumerated().map { index, marker in
        TrimmingMarker(id: firstMarker + index, position: marker.time, name: marker.name ?? "")
      })
  }
}
