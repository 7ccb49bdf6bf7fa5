import ExactTime
import MediaEngine
import Support
import Testing
import Trimming

@testable import Cutting

@Suite(.enabled(if: CutNoise.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given audio of a few packets` {
  @Test(arguments: [25, 45, 60, 80, 200] as [Int64])
  func `when it goes into a transport stream then readers recognize it`(
    _ milliseconds: Int64
  ) async throws {
    let folder = try ScratchFolder()
    let path = try await CutNoise.make(["-c:a", "aac"], as: "sound.m4a", in: folder)
    let output = folder.path(of: "cut.ts")
    let report = try CutNoise.cut(
      path, MediaTime(1), MediaTime(1000 + milliseconds, 1000), into: output)
    let bytes = try fileBytes(output)
    #expect(bytes.count % 188 == 0 && bytes.count >= 188 * 16)
    // It is padded with null packets, which come after everything else.
    let isNull = stride(from: 0, to: bytes.count, by: 188).map {
      bytes[$0 + 1] & 0x1F == 0x1F && bytes[$0 + 2] == 0xFF
    }
    #expect(isNull == isNull.sorted { !$0 && $1 })
    #expect(try await CutNoise.samples(output).count == report.plan.tracks[0].packets * 1024)
  }

  @Test func `when FFmpeg does not recognize one DTS packet on its own then the cut is refused`()
    async throws
  {
    let folder = try ScratchFolder()
    let path = folder.path(of: "sound.mkv")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "anoisesrc=r=32000:d=3:seed=5:a=0.4", "-af",
      "aformat=channel_layouts=quad", "-strict", "-2", "-c:a", "dca", path,
    ])
    let error = try #require(throws: MediaError.self) {
      try CutNoise.cut(path, MediaTime(1), MediaTime(101, 100), into: folder.path(of: "cut.ts"))
    }
    #expect(error.code == .notCuttable)
  }

  @Test(arguments: ["mka", "ts"])
  func `when a range is shorter than a packet then the packet playing there is written`(
    _ ending: String
  ) async throws {
    let folder = try ScratchFolder()
    let path = try await CutNoise.make(["-c:a", "aac"], as: "sound.m4a", in: folder)
    let report = try CutNoise.cut(
      path, MediaTime(3, 2), MediaTime(301, 200), into: folder.path(of: "cut." + ending))
    // The seventieth packet.
    #expect(report.plan.parts[0].start == MediaTime(seconds: Rational(70 * 1024, 48_000)))
    #expect(report.plan.written.length == MediaDuration(1024, 48_000))
  }

  /// FFmpeg does not detect a single frame as MP3.
  @Test(arguments: [(48, false), (72, false), (73, true), (96, true)] as [(Int64, Bool)])
  func `when an MP3 would have one frame then it is refused`(
    _ samples: Int64, _ isWritten: Bool
  ) async throws {
    let folder = try ScratchFolder()
    let path = try await CutNoise.make(["-c:a", "pcm_s16le"], as: "sound.wav", in: folder)
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let range = try MediaTimeRange(from: MediaTime(1), length: MediaDuration(samples, 48_000))
    let order = CutOrder(CutRequest(range: range), to: Array(folder.path(of: "cut.mp3").utf8))
    if isWritten {
      #expect(try clip.cut(order).plan.tracks[0].encodedAs == "mp3")
    } else {
      #expect(throws: MediaError.self) { try clip.cut(order) }
      #expect(throws: MediaError.self) { try clip.plan(order.request, for: .mp3) }
    }
  }

  /// Decoders of MLP begin with a major sync.
  @Test func `when decoding cannot start there then the range is refused`() async throws {
    let folder = try ScratchFolder()
    let path = folder.path(of: "sound.mka")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "anoisesrc=r=48000:d=2:seed=5:a=0.4", "-strict", "-2",
      "-c:a", "mlp", path,
    ])
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let keys = clip.source.tracks[0].coded.packets.map(\.isKey)
    try #require(keys.contains(false))
    let range = try MediaTimeRange(from: MediaTime(201, 200), length: MediaDuration(1, 2000))
    let error = #expect(throws: MediaError.self) {
      try clip.cut(CutOrder(CutRequest(range: range), to: Array(folder.path(of: "c.mka").utf8)))
    }
    #expect(error?.code == .emptyRange)
  }

  /// One more packet primes them, and is not heard.
  @Test func `when a short block of Vorbis follows a long one then both go into Matroska`()
    async throws
  {
    let folder = try ScratchFolder()
    let path = try await CutNoise.make(["-c:a", "libvorbis"], as: "sound.ogg", in: folder)
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let sound = clip.source.tracks[0].coded
    let place = try #require(
      sound.packets.indices.dropFirst().first {
        sound.packets[$0].duration < sound.packets[$0 - 1].duration / 2
      })
    let begin = try sound.time(atTick: sound.packets[place].pts)
    let report = try CutNoise.cut(
      path, begin.moved(back: MediaDuration(1, 200)), begin.advanced(by: MediaDuration(1, 1000)),
      into: folder.path(of: "cut.mka"))
    #expect(report.plan.tracks[0].packets == 3)
  }

  @Test func `when one packet of Vorbis goes into Matroska then it is heard`() async throws {
    let folder = try ScratchFolder()
    let path = try await CutNoise.make(["-c:a", "libvorbis"], as: "sound.ogg", in: folder)
    let output = folder.path(of: "cut.mka")
    let report = try CutNoise.cut(path, MediaTime(1), MediaTime(1020, 1000), into: output)
    // The packet before it is kept for the overlap of the two, and is not heard.
    #expect(report.plan.tracks[0].packets == 2)
    let heard = MediaDuration(Int64(try await CutNoise.samples(output).count), 48000)
    #expect(try heard.subtracting(report.plan.length).magnitude <= MediaDuration(1, 1000))
  }

  @Test(arguments: [OutputContainer.matroska, .ogg])
  func `when Vorbis is cut at any block then its times are those of the plan`(
    _ container: OutputContainer
  ) async throws {
    let folder = try ScratchFolder()
    let path = folder.path(of: "clicks.ogg")
    // Clicks use short blocks, the rest long ones; a packet's duration depends on it and the one
    // before.
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i",
      "aevalsrc='if(lt(mod(t,0.15),0.01),0.9*sin(2*PI*3000*t),0.02*sin(2*PI*200*t))':d=2:s=44100",
      "-c:a", "libvorbis", path,
    ])
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    for begin in stride(from: Int64(1000), to: 1030, by: 2) {
      for length in [60, 850] as [Int64] {
        let range = try #require(
          MediaTimeRange(from: MediaTime(begin, 1000), to: MediaTime(begin + length, 1000)))
        let output = folder.path(of: "\(begin)-\(length).out")
        _ = try clip.cut(
          CutRequest(range: range, verification: .full), to: Array(output.utf8), as: container)
      }
    }
  }

  /// Many readers need three frames in a row to detect ADTS; FFmpeg reads a file of one.
  @Test(arguments: [20, 45, 60, 80] as [Int64])
  func `when it is bare AAC then it is written, and fewer than three packets are reported`(
    _ milliseconds: Int64
  ) async throws {
    let folder = try ScratchFolder()
    let path = try await CutNoise.make(["-c:a", "aac"], as: "sound.aac", in: folder)
    let output = folder.path(of: "cut.aac")
    let report = try CutNoise.cut(
      path, MediaTime(1), MediaTime(1000 + milliseconds, 1000), into: output)
    let track = report.plan.tracks[0]
    #expect(track.packets > 0)
    #expect(track.reasons.contains(.fewPackets) == (track.packets < 3))
    #expect(try await CutNoise.samples(output).count == track.packets * 1024)
  }

  /// Frames of 1024 samples, and a priming frame.
  @Test(arguments: [(20, true), (22, false), (40, false)] as [(Int64, Bool)])
  func `when it is re-encoded into bare AAC then it is written, and reported if short`(
    _ milliseconds: Int64, _ isShort: Bool
  ) async throws {
    let folder = try ScratchFolder()
    let path = try await CutNoise.make(["-c:a", "ac3"], as: "sound.mka", in: folder)
    let output = folder.path(of: "cut.aac")
    let report = try CutNoise.cut(
      path, MediaTime(1), MediaTime(1000 + milliseconds, 1000), into: output)
    #expect(report.plan.tracks[0].reasons.contains(.fewPackets) == isShort)
    #expect(try await CutNoise.samples(output).count >= 1024)
  }
}
