import ExactTime
import MediaFacts
import MediaFiles
import Probing
import Support
import Testing
import Trimming

@testable import Cutting

@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given a fragmented movie at an address of which a part is cut` {
  /// How FFmpeg lays it out.
  enum Layout: String, CaseIterable {
    case indexBehind = "empty_moov+frag_keyframe"
    case offsetsFromFragment = "empty_moov+frag_keyframe+default_base_moof"
    case editList = "empty_moov+frag_keyframe+delay_moov"
    case trackByTrack = "empty_moov+frag_keyframe+separate_moof+default_base_moof"
    case bothIndexes = "empty_moov+frag_keyframe+dash+global_sidx"
    case indexInFront = "empty_moov+frag_keyframe+dash+global_sidx+skip_trailer"
    case noIndex = "empty_moov+frag_keyframe+skip_trailer"

    /// The most requests, where only parts are read.
    var most: Int? {
      switch self {
      case .noIndex: nil
      // The first and last fragments of both tracks are in four places.
      case .trackByTrack: 5
      default: 4
      }
    }
  }

  /// Eight seconds with a keyframe in each, reordered pictures and sound: 12 MB.
  private static let film = Task {
    let folder = try ScratchFolder()
    let path = folder.path(of: "film.mp4")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=240x160:r=25:d=8,noise=alls=80:allf=t",
      "-f", "lavfi", "-i", "sine=f=440:r=48000:d=8", "-c:v", "libx264", "-preset", "ultrafast",
      "-bf", "2", "-g", "25", "-sc_threshold", "0", "-threads", "1", "-qp", "7", "-pix_fmt",
      "yuv420p", "-c:a", "aac", "-b:a", "64k", path,
    ])
    return (folder: folder, path: path)
  }

  private static func film(_ layout: Layout) async throws -> [UInt8] {
    let path = try await film.value.path
    // Several cases lay it out alike at the same time.
    let folder = try ScratchFolder()
    defer { withExtendedLifetime(folder) {} }
    let laid = folder.path(of: "laid.mp4")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-i", path, "-c", "copy", "-movflags", layout.rawValue, laid,
    ])
    return try fileBytes(laid)
  }

  /// Cuts a part of a file here and at an address.
  ///
  /// - Parameter range: in tenths of a second.
  private static func cut(
    _ bytes: [UInt8], _ range: ClosedRange<Int>, to ending: String = "mp4", at address: String
  ) throws -> (isSame: Bool, cost: RemoteCost) {
    let folder = try ScratchFolder()
    try folder.write(bytes, to: "local.mp4")
    let double = RemoteDouble(bytes)
    let inputs: [MediaInput] = [
      .file(path: Array(folder.path(of: "local.mp4").utf8)),
      RemoteDoubles.input(double, at: "https://fragments.example/\(address)"),
    ]
    let part = try #require(
      MediaTimeRange(
        from: MediaTime(Int64(range.lowerBound), 10), to: MediaTime(Int64(range.upperBound), 10)))
    var made: [[UInt8]] = []
    for (number, input) in inputs.enumerated() {
      let path = folder.path(of: "\(number).\(ending)")
      var order = CutOrder(CutRequest(range: part), to: Array(path.utf8))
      order.isExecuted = true
      _ = try FileCutter(isCancelled: { false }).open(input).cut(order)
      made.append(try fileBytes(path))
    }
    return (made[0] == made[1], double.cost)
  }

  @Test(arguments: Layout.allCases)
  func `then its range is read, and the result is that of the local file`(
    _ layout: Layout
  ) async throws {
    let bytes = try await Self.film(layout)
    #expect(bytes.count > 9 << 20)
    let (isSame, cost) = try Self.cut(bytes, 33...43, at: "\(layout).mp4")
    #expect(isSame)
    guard let most = layout.most else { return }
    #expect(cost.requests <= most)
    #expect(cost.bytes < Int64(bytes.count * 2 / 3))
  }

  @Test(arguments: [(0...12, "mp4"), (66...80, "mp4"), (33...43, "mkv")])
  func `when the part is at an end or for another container then the result is the same`(
    _ range: ClosedRange<Int>, _ ending: String
  ) async throws {
    let bytes = try await Self.film(.bothIndexes)
    let (isSame, cost) = try Self.cut(
      bytes, range, to: ending, at: "end-\(range.lowerBound).\(ending).mp4")
    #expect(isSame)
    #expect(cost.bytes < Int64(bytes.count * 2 / 3))
  }

  /// The places of boxes of a type, in order.
  private static func places(of type: String, in bytes: [UInt8]) -> [Int] {
    ByteSearch.places(of: Array(type.utf8), in: bytes).map { $0 - 4 }
  }

  private static func add(_ number: UInt64, toFieldAt place: Int, of bytes: inout [UInt8]) {
    let old = bytes[place..<place + 8].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    let new = withUnsafeBytes(of: (old &+ number).bigEndian) { Array($0) }
    bytes.replaceSubrange(place..<place + 8, with: new)
  }

  enum Irregularity: CaseIterable {
    /// The index says something else than fragments that are read.
    case wrongTime, wrongPlace
    /// It says what cannot be of fragments that are not read.
    case unevenTime, placeBehindEnd
    /// Pictures and sound do not go on as before.
    case heldFrame, soundGap
  }

  @Test(arguments: Irregularity.allCases)
  func `when the rest does not follow from it then the result is that of the local file`(
    _ irregularity: Irregularity
  ) async throws {
    var bytes = try await Self.film(.indexBehind)
    // An entry of a table of version 1 without long numbers has 19 bytes, behind 24 of its box.
    let index = try #require(Self.places(of: "tfra", in: bytes).first)
    #expect(bytes[index + 8] == 1 && bytes[index + 19] == 0)
    let entry = { (number: Int) in index + 24 + number * 19 }
    let starts = Self.places(of: "tfdt", in: bytes)
    #expect(starts.count == 16 && bytes[starts[0] + 8] == 1)
    switch irregularity {
    case .wrongTime: Self.add(512, toFieldAt: entry(3), of: &bytes)
    case .wrongPlace: Self.add(8, toFieldAt: entry(3) + 8, of: &bytes)
    case .unevenTime: Self.add(100, toFieldAt: entry(1), of: &bytes)
    case .placeBehindEnd: Self.add(1 << 40, toFieldAt: entry(1) + 8, of: &bytes)
    case .heldFrame:
      for number in 3..<8 { Self.add(512, toFieldAt: starts[number * 2] + 12, of: &bytes) }
    case .soundGap:
      for number in 3..<8 { Self.add(700, toFieldAt: starts[number * 2 + 1] + 12, of: &bytes) }
    }
    let (isSame, cost) = try Self.cut(bytes, 33...43, at: "\(irregularity).mp4")
    #expect(isSame)
    #expect(cost.requests > 5)
  }
}
