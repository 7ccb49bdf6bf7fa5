import CommandLineKit
import ExactTime
import Foundation
import Isolation
import Support
import Testing

@testable import TrimCommands

/// A small file of each format that is read only under the complete sandbox: the fuzzer's seeds, which
/// tools/make-seeds makes with FFmpeg, or of bytes.
struct SealedSample: Sendable, CustomTestStringConvertible {
  var name: String
  var format: String
  var codecs: [String]
  var length: MediaDuration
  /// The samples of its sound, at its own rate; `nil` without sound.
  var samples: Int?
  var hasPictures = false

  var testDescription: String { name }

  /// - Parameter ticks: the length, at `rate` a second.
  init(_ name: String, _ format: String, _ codecs: String..., ticks: Int64, at rate: Int64) {
    (self.name, self.format, self.codecs) = (name, format, codecs)
    length = MediaDuration(ticks, rate)
  }

  private static func sound(
    _ name: String, _ format: String, _ codec: String, _ samples: Int, at rate: Int64
  ) -> SealedSample {
    var sample = SealedSample(name, format, codec, ticks: Int64(samples), at: rate)
    sample.samples = samples
    return sample
  }

  private static func film(
    _ name: String, _ format: String, _ codecs: [String], ticks: Int64, at rate: Int64,
    samples: Int? = nil
  ) -> SealedSample {
    var sample = SealedSample(name, format, ticks: ticks, at: rate)
    (sample.codecs, sample.samples, sample.hasPictures) = (codecs, samples, true)
    return sample
  }

  static let all = [
    film("apng.apng", "apng", ["apng"], ticks: 3, at: 25),
    // From the sound's first packet to the end of the pictures, which begin two frames of delay later:
    // the muxer chose a time base of 1/51200 s.
    film("h264-aac.nut", "nut", ["h264", "aac"], ticks: 13_517, at: 51_200, samples: 3 * 1024),
    film("rv20-ac3.rm", "rm", ["rv20", "ac3"], ticks: 4, at: 25, samples: 3 * 1536),
    film("raw.y4m", "yuv4mpegpipe", ["rawvideo"], ticks: 3, at: 25),
    sound("pcm.ast", "ast", "pcm_s16be_planar", 1600, at: 16_000),
    // 4,096 bytes of each channel, each of which decodes to a sample.
    sound("dsd.dsf", "dsf", "dsd_lsbf_planar", 4096, at: 352_800),
    sound("dsd.dff", "iff", "dsd_msbf", 7056, at: 352_800),
    sound("8svx.iff", "iff", "pcm_s8_planar", 1000, at: 8000),
    sound("pcm.sf", "ircam", "pcm_s16le", 1600, at: 16_000),
    sound("silence.ape", "ape", "ape", 73_728 + 14_472, at: 44_100),
    // The last of eight frames has 324 samples; the filter's delay before them is not heard.
    sound("silence.mpc", "mpc", "musepack7", 7 * 1152 + 324, at: 44_100),
    sound("silence-sv8.mpc", "mpc8", "musepack8", 44_100, at: 44_100),
    sound("pcm.nist", "nistsphere", "pcm_s16le", 500, at: 8000),
    sound("pcm.sox", "sox", "pcm_s32le", 800, at: 16_000),
    // The format counts a sample in whole microseconds.
    sound("pcm.voc", "voc", "pcm_u8", 1600, at: 15_873),
  ]

  static let heard = all.filter { $0.samples != nil }

  var path: String {
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Fuzzing/Seeds/\(name)").path
  }
}

@Suite(
  .enabled(if: BatchRun.harness != nil, BatchRun.absence),
  .enabled(if: SandboxLayers.available.isComplete, "this system's sandbox is not complete"),
  .timeLimit(.minutes(2)))
struct `Given formats that are read only under the complete sandbox` {
  private static let samples = SealedSample.all

  /// One task for each sample, in one batch.
  private func run(
    _ samples: [SealedSample], isolation: String = "required", task: (SealedSample) -> String
  ) async throws -> [(sample: SealedSample, row: JSONValue)] {
    let lines = samples.map { #"{"id":"\#($0.name)","path":"\#($0.path)",\#(task($0))}"# }
    let batch = try await BatchRun(lines, "--isolation", isolation, "--failures", "ok")
    try #require(batch.ids == samples.map(\.name), "\(batch.run.errText)")
    return Array(zip(samples, batch.rows))
  }

  @Test func `then each is probed, and presented is what its samples and frames last`()
    async throws
  {
    for (sample, row) in try await run(
      Self.samples, task: { _ in #""op":"probe","depth":"frames""# })
    {
      let result = try #require(row["result"], "\(sample.name): \(row)")
      #expect(result["container"]?["format"]?.text == sample.format)
      #expect(result["tracks"]?.elements.map { $0["codec"]?.text } == sample.codecs)
      let presented = result["durations"]?["presented"]?["value"]?.text
      #expect(presented == "\(sample.length.seconds)", "\(sample.name)")
      #expect(result["damage"]?.elements.isEmpty == true, "\(sample.name)")
    }
  }

  @Test func `then the sound of each is written as WAV, with all of its samples`() async throws {
    let folder = try ScratchFolder()
    let rows = try await run(SealedSample.heard) {
      #""op":"cut","from":"start","to":"end","output":"\#(folder.path(of: $0.name + ".wav"))""#
    }
    for (sample, row) in rows {
      #expect(row["error"]?["message"]?.text == nil, "\(sample.name)")
      let bytes = try fileBytes(folder.path(of: sample.name + ".wav"))
      #expect(WAVE.samples(in: bytes) == sample.samples, "\(sample.name)")
    }
  }

  @Test func `then each is drawn`() async throws {
    for (sample, row) in try await run(
      Self.samples, task: { $0.hasPictures ? #""op":"strip""# : #""op":"wave""# })
    {
      let kind = sample.hasPictures ? "strip" : "wave"
      #expect(row["kind"]?.text == kind, "\(sample.name): \(row)")
    }
  }

  @Test(arguments: ["mkv", "mp4"])
  func `then packets that a container holds are copied into it`(_ ending: String) async throws {
    let folder = try ScratchFolder()
    let film = try #require(Self.samples.first { $0.format == "nut" })
    let output = folder.path(of: "a." + ending)
    let rows = try await run([film]) { _ in
      #""op":"cut","from":"0.02","to":"0.1","verify":"full","output":"\#(output)""#
    }
    #expect(rows[0].row["error"]?["message"]?.text == nil)
    let tracks = rows[0].row["result"]?["tracks"]?.elements ?? []
    #expect(tracks.map { $0["codec"]?.text } == ["h264", "aac"])
  }

  @Test func `then packets that none holds are refused by the name of their track`() async throws {
    let folder = try ScratchFolder()
    let films = Self.samples.filter { ["apng", "rm"].contains($0.format) }
    let rows = try await run(films) {
      #""op":"cut","from":"start","to":"0.1","output":"\#(folder.path(of: $0.name + ".mkv"))""#
    }
    for (sample, row) in rows {
      #expect(row["error"]?["code"]?.text == "codecDoesNotFit")
      #expect(row["error"]?["message"]?.text == ".mkv cannot hold \(sample.codecs[0]) (track 1)")
    }
    #expect(folder.names.isEmpty)
  }

  @Test func `then without a sandbox each is refused, with the reason and the remedy`()
    async throws
  {
    for (sample, row) in try await run(
      Self.samples, isolation: "off", task: { _ in #""op":"probe""# })
    {
      #expect(row["error"]?["code"]?.text == "notMedia", "\(sample.name)")
      let message = row["error"]?["message"]?.text ?? ""
      #expect(message.contains("is opened only when the sandbox is complete"), "\(sample.name)")
      #expect(message.contains("this process has none"))
    }
  }

  @Test(arguments: ["silence.mpc", "silence-sv8.mpc"])
  func `then an ID3 tag before Musepack changes nothing`(_ name: String) async throws {
    let folder = try ScratchFolder()
    let sample = try #require(Self.samples.first { $0.name == name })
    // A tag of 200 bytes, all of them padding.
    let tag = Array("ID3".utf8) + [4, 0, 0, 0, 0, 1, 72] + [UInt8](repeating: 0, count: 200)
    let path = try folder.write(tag + fileBytes(sample.path), to: "tagged.mpc")
    let batch = try await BatchRun([#"{"op":"probe","path":"\#(path)"}"#])
    let presented = batch.rows.first?["result"]?["durations"]?["presented"]?["value"]?.text
    #expect(presented == "\(sample.length.seconds)")
  }

  @Test func `then the command itself does the same`() async throws {
    let harness = try #require(BatchRun.harness)
    let path = try #require(Self.samples.first).path
    let words = [harness, "probe", path, "--isolation"]
    let sealed = try await ProgramRun((words + ["required"]).map { Array($0.utf8) })
    #expect(sealed.status == 0, "\(sealed.errText)")
    let open = try await ProgramRun((words + ["off"]).map { Array($0.utf8) })
    #expect(open.status == 65)
    #expect(open.errText.contains("(Animated Portable Network Graphics) is opened only when"))
  }

  @Test func `then the default output of planar samples has the same samples`() async throws {
    let folder = try ScratchFolder()
    let harness = try #require(BatchRun.harness)
    let sound = try #require(Self.samples.first { $0.format == "ast" })
    let path = try folder.write(try fileBytes(sound.path), to: sound.name)
    let run = try await ProgramRun(
      [harness, "cut", path, "--from", "0.02", "--json"].map { Array($0.utf8) })
    #expect(run.status == 0, "\(run.errText)")
    #expect(folder.names.contains(Array("pcm-trimmed.mka".utf8)))
    #expect(run.outText.contains("\"pcm_s16le\""))
  }
}

@Suite struct `Given the layers of a sandbox` {
  /// What Linux 6.1 has, with Landlock's second version: the kernel of Debian 12.
  private static let ofDebian12: SandboxLayers = [
    .limits, .capabilities, .diesWithParent, .noNewPrivileges, .files, .calls,
  ]

  @Test func `then those of Debian 12's kernel are complete`() {
    #expect(Self.ofDebian12.isComplete)
    #expect(Self.ofDebian12.missingForCompleteness.isEmpty)
    #expect(SandboxLayers.complete.isSuperset(of: .essential))
  }

  @Test(arguments: SandboxLayers.named.map(\.name))
  func `then without any of these it is not, and the missing one is named`(_ name: String) throws {
    let layer = try #require(SandboxLayers.named.first { $0.name == name }).layer
    let isNewer = [SandboxLayers.tcp, .scope].contains(layer)
    let layers = SandboxLayers.complete.subtracting(layer)
    #expect(layers.isComplete == isNewer)
    #expect(layers.missingForCompleteness == (isNewer ? [] : [name]))
  }
}

extension JSONValue {
  fileprivate var elements: [JSONValue] {
    if case .array(let elements) = self { elements } else { [] }
  }
}

/// Counts the samples of a WAV.
private enum WAVE {
  /// Bytes of its data chunk, in blocks of its format chunk; `nil` where either is missing.
  static func samples(in bytes: [UInt8]) -> Int? {
    var place = 12
    var block: Int?
    while place + 8 <= bytes.count {
      let size = number(bytes, place + 4, 4)
      switch String(decoding: bytes[place..<place + 4], as: UTF8.self) {
      case "fmt ": block = number(bytes, place + 20, 2)
      case "data": return block.map { size / $0 }
      default: break
      }
      place += 8 + size + size % 2
    }
    return nil
  }

  private static func number(_ bytes: [UInt8], _ place: Int, _ count: Int) -> Int {
    bytes[place..<place + count].reversed().reduce(0) { $0 << 8 | Int($1) }
  }
}
