import MediaEngine
import Support
import Testing

@testable import Probing

/// A Matroska file with padding at both ends, which makes it as large as those of which
/// only parts are read.
struct SpreadMatroska {
  private enum Name {
    static let segment: UInt32 = 0x1853_8067
    static let seekHead: UInt32 = 0x114D_9B74
    static let cues: UInt32 = 0x1C53_BB6B
    static let cluster: UInt32 = 0x1F43_B675
    static let void: UInt32 = 0xEC
  }

  /// A point of the index.
  struct Cue {
    var time: UInt64
    var track: UInt64
    /// The number of its cluster.
    var cluster: Int
  }

  private let header: [UInt8]
  private let head: [UInt8]
  private let tail: [UInt8]
  /// The elements of each cluster.
  var clusters: [[EBMLElements.Element]]
  var cues: [Cue] = []
  /// How much padding follows the first cluster, and precedes the last one.
  private static let padding = 4_500_000

  init(_ bytes: [UInt8]) throws {
    let all = Array(EBMLElements(bytes[...]))
    header = EBMLBuilder.element(0x1A45_DFA3, Array(try #require(all.first).content))
    let segment = try #require(all.first { $0.id == Name.segment })
    let elements = Array(EBMLElements(segment.content))
    let found = elements.filter { $0.id == Name.cluster }
    clusters = found.map { Array(EBMLElements($0.content)) }
    let first = try #require(found.first).content.startIndex
    func others(_ isWanted: (EBMLElements.Element) -> Bool) -> [UInt8] {
      let left: Set<UInt32> = [Name.seekHead, Name.cues, Name.cluster, Name.void]
      return elements.filter { !left.contains($0.id) && isWanted($0) }.flatMap {
        EBMLBuilder.element($0.id, Array($0.content))
      }
    }
    head = others { $0.content.startIndex < first }
    tail = others { $0.content.startIndex > first }
    let index = try #require(elements.first { $0.id == Name.cues })
    for point in EBMLElements(index.content) where point.id == 0xBB {
      let parts = Array(EBMLElements(point.content))
      for position in parts where position.id == 0xB7 {
        let inner = Array(EBMLElements(position.content))
        let place = Int(inner.first { $0.id == 0xF1 }?.number ?? 0)
        // The name and size of a cluster precede its content.
        let cluster = found.lastIndex {
          $0.content.startIndex - segment.content.startIndex <= place + 12
        }
        cues.append(
          Cue(
            time: parts.first { $0.id == 0xB3 }?.number ?? 0,
            track: inner.first { $0.id == 0xF7 }?.number ?? 0, cluster: try #require(cluster)))
      }
    }
  }

  /// The file, with its index at the end.
  var bytes: [UInt8] {
    let seekHead = { (place: Int) in
      EBMLBuilder.element(
        Name.seekHead,
        EBMLBuilder.element(
          0x4DBB,
          EBMLBuilder.element(0x53AB, [0x1C, 0x53, 0xBB, 0x6B])
            + EBMLBuilder.number(0x53AC, UInt64(place))))
    }
    let void = EBMLBuilder.element(Name.void, [UInt8](repeating: 0, count: Self.padding))
    var places: [Int] = []
    var body: [UInt8] = []
    let front = seekHead(0).count + head.count
    for (number, cluster) in clusters.enumerated() {
      places.append(front + body.count)
      body += EBMLBuilder.element(
        Name.cluster, cluster.flatMap { EBMLBuilder.element($0.id, Array($0.content)) })
      if [0, clusters.count - 2].contains(number) { body += void }
    }
    let index = EBMLBuilder.element(
      Name.cues,
      cues.flatMap { cue in
        EBMLBuilder.element(
          0xBB,
          EBMLBuilder.number(0xB3, cue.time)
            + EBMLBuilder.element(
              0xB7,
              EBMLBuilder.number(0xF7, cue.track)
                + EBMLBuilder.number(0xF1, UInt64(places[cue.cluster]))))
      })
    return header
      + EBMLBuilder.element(
        Name.segment, seekHead(front + body.count) + head + body + index + tail)
  }
}
