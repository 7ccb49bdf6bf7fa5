import ExactTime
import Foundation
import Glibc
import MediaEngine
import Support
import Synchronization
import Testing
import Trimming

private func clip() throws -> OpenedFile {
  try FileCutter(isCancelled: { false }).open(
    .file(path: Array(SampleClips.path("b-frames.mp4").utf8)))
}

private func cut(
  to path: [UInt8], replaces: Bool = false, faults: @escaping PendingFile.FaultPort = { _ in nil }
) throws {
  let range = try #require(MediaTimeRange(from: .zero, to: MediaTime(1)))
  let clip = try clip()
  _ = try clip.cut(
    clip.plan(CutRequest(range: range), for: .mp4), to: path, replaces: replaces,
    keepsFailed: false, faults: faults)
}

private func write(_ text: String, to path: String) throws {
  try Data(text.utf8).write(to: URL(filePath: path))
}

private func text(at path: String) throws -> String {
  String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
}

@Suite(.timeLimit(.minutes(5))) struct `Given an output that already exists` {
  @Test func `then it is not replaced unless requested`() throws {
    let folder = try CutFolder()
    try write("mine", to: folder.path + "/o.mp4")
    let error = #expect(throws: MediaError.self) { try cut(to: folder.bytes("o.mp4")) }
    #expect(error?.code == .outputExists)
    #expect(try text(at: folder.path + "/o.mp4") == "mine")
    try cut(to: folder.bytes("o.mp4"), replaces: true)
    #expect(try text(at: folder.path + "/o.mp4") != "mine")
    #expect(folder.entries == ["o.mp4"])
  }

  @Test(arguments: ["directory", "pipe", "dangling"])
  func `then what is not a regular file is never replaced`(_ kind: String) throws {
    let folder = try CutFolder()
    let path = folder.path + "/o.mp4"
    switch kind {
    case "directory": mkdir(path, 0o755)
    case "pipe": mkfifo(path, 0o644)
    default: symlink("nowhere", path)
    }
    let error = #expect(throws: MediaError.self) {
      try cut(to: folder.bytes("o.mp4"), replaces: true)
    }
    #expect(error?.code == .cannotCreate)
    rmdir(path)
  }
}

@Suite(.timeLimit(.minutes(5))) struct `Given an output that is the input` {
  @Test(arguments: ["same", "dot", "symlink", "hardlink"])
  func `then it is refused under any name`(_ kind: String) throws {
    let folder = try CutFolder()
    let source = folder.path + "/a.mp4"
    try Data(SampleClips.bytes("b-frames.mp4")).write(to: URL(filePath: source))
    var output = source
    switch kind {
    case "dot": output = folder.path + "/./a.mp4"
    case "symlink":
      output = folder.path + "/s.mp4"
      symlink("a.mp4", output)
    case "hardlink":
      output = folder.path + "/h.mp4"
      link(source, output)
    default: break
    }
    let range = try #require(MediaTimeRange(from: .zero, to: MediaTime(1)))
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(source.utf8)))
    let error = #expect(throws: MediaError.self) {
      try clip.cut(
        CutRequest(range: range), to: Array(output.utf8), as: .mp4, replaces: true)
    }
    #expect(error?.code == .sameFile)
    #expect(try Data(contentsOf: URL(filePath: source)) == Data(SampleClips.bytes("b-frames.mp4")))
  }
}

@Suite(.timeLimit(.minutes(5))) struct `Given a step of writing that fails` {
  @Test(
    arguments: [PendingFile.Step.write, .sync, .link], [ENOSPC, EIO, EDQUOT])
  func `then nothing is published and nothing is left`(_ step: PendingFile.Step, code: Int32) throws
  {
    let folder = try CutFolder()
    #expect(throws: MediaError.self) {
      try cut(to: folder.bytes("o.mp4"), faults: { $0 == step ? code : nil })
    }
    #expect(folder.entries.isEmpty)
  }

  @Test(arguments: [PendingFile.Step.write, .sync, .link, .rename])
  func `then the existing file is unchanged`(_ step: PendingFile.Step) throws {
    let folder = try CutFolder()
    try write("mine", to: folder.path + "/o.mp4")
    #expect(throws: MediaError.self) {
      try cut(to: folder.bytes("o.mp4"), replaces: true, faults: { $0 == step ? EIO : nil })
    }
    #expect(try text(at: folder.path + "/o.mp4") == "mine")
    #expect(folder.entries == ["o.mp4"])
  }

  @Test func `then it does not matter which write fails`() throws {
    for number in 0..<8 {
      let folder = try CutFolder()
      let count = Mutex(0)
      let failed = Mutex(false)
      _ = try? cut(to: folder.bytes("o.mp4")) { step in
        guard step == .write else { return nil }
        let place = count.withLock { value -> Int in
          value += 1
          return value
        }
        guard place == number + 1 else { return nil }
        failed.withLock { $0 = true }
        return ENOSPC
      }
      #expect(folder.entries == (failed.withLock { $0 } ? [] : ["o.mp4"]), "write \(number)")
    }
  }
}

@Suite(.timeLimit(.minutes(5))) struct `Given a source that changes while it is read` {
  @Test(arguments: ["shrinks", "is emptied", "is written to", "is replaced"])
  func `then nothing is published`(_ change: String) throws {
    let folder = try CutFolder()
    let source = folder.path + "/a.mp4"
    try Data(SampleClips.bytes("b-frames.mp4")).write(to: URL(filePath: source))
    let error = #expect(throws: MediaError.self) {
      try cut(source, in: folder) {
        let handle = FileHandle(forWritingAtPath: source)
        switch change {
        case "shrinks": try? handle?.truncate(atOffset: 40_000)
        case "is replaced":
          try? Data(SampleClips.bytes("b-frames.mp4")).write(
            to: URL(filePath: source), options: .atomic)
        case "is emptied": try? handle?.truncate(atOffset: 0)
        default: try? handle?.write(contentsOf: Data([0xFF]))
        }
      }
    }
    #expect(error?.code == .inputChanged)
    #expect(folder.entries == ["a.mp4"])
  }

  @Test func `then one that is only unlinked is cut to its end`() throws {
    let folder = try CutFolder()
    let source = folder.path + "/a.mp4"
    try Data(SampleClips.bytes("b-frames.mp4")).write(to: URL(filePath: source))
    try cut(source, in: folder) { unlink(source) }
    #expect(folder.entries == ["o.mp4"])
  }

  @Test func `then what was overwritten is not reported as damaged`() throws {
    let folder = try CutFolder()
    let source = folder.path + "/a.mp4"
    let bytes = try SampleClips.bytes("b-frames.mp4")
    try Data(bytes).write(to: URL(filePath: source))
    let isPlanned = Mutex(false)
    let clip = try FileCutter(isCancelled: {
      guard isPlanned.withLock({ $0 }) else { return false }
      let handle = FileHandle(forWritingAtPath: source)
      try? handle?.write(contentsOf: Data(repeating: 0xA5, count: bytes.count))
      return false
    }).open(.file(path: Array(source.utf8)))
    let range = try #require(MediaTimeRange(from: MediaTime(11, 10), to: MediaTime(3)))
    let plan = try clip.plan(CutRequest(range: range), for: .mp4)
    isPlanned.withLock { $0 = true }
    let error = #expect(throws: MediaError.self) {
      try clip.cut(plan, to: folder.bytes("o.mp4"))
    }
    #expect(error?.code == .inputChanged)
    #expect(folder.entries == ["a.mp4"])
  }

  private func cut(
    _ source: String, in folder: CutFolder, disturbed: @escaping @Sendable () -> Void
  ) throws {
    let range = try #require(MediaTimeRange(from: .zero, to: MediaTime(1)))
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(source.utf8)))
    let isDone = Mutex(false)
    _ = try clip.cut(
      clip.plan(CutRequest(range: range), for: .mp4), to: folder.bytes("o.mp4"), replaces: false,
      keepsFailed: false,
      faults: { step in
        let isFirst = isDone.withLock { done in
          defer { done = true }
          return !done
        }
        if step == .write, isFirst { disturbed() }
        return nil
      })
  }
}

@Suite(.timeLimit(.minutes(5))) struct `Given two cuts to one output` {
  @Test func `then exactly one of them wins`() async throws {
    let folder = try CutFolder()
    let output = folder.bytes("o.mp4")
    let wins = await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<4 { group.addTask { (try? cut(to: output)) != nil } }
      return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
    }
    #expect(wins == 1)
    #expect(folder.entries == ["o.mp4"])
  }
}
