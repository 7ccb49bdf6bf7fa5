import Support
import Testing

@Suite(
  .enabled(if: BuiltTool.path != nil, BuiltTool.absence),
  .enabled(if: SystemTrace.isPossible, Comment(rawValue: SystemTrace.absence)),
  .timeLimit(.minutes(5)))
struct `Given a file that refers to another file` {
  @Suite struct `When its samples are in that file` {
    /// A file whose only data reference points elsewhere (ISO/IEC 14496-12, 8.7.2).
    private func clip(reference: BoxBuilder) throws -> [UInt8] {
      var bytes = ClipBuilder().bytes
      let own = BoxBuilder("url ", fields: [.full(flags: 1)]).bytes
      let place = try #require(bytes.firstRange(of: own))
      // The same size, so that the enclosing boxes keep theirs.
      var other = reference.bytes
      try #require(other.count <= own.count)
      other += [UInt8](repeating: 0, count: own.count - other.count)
      bytes.replaceSubrange(place, with: other)
      return bytes
    }

    @Test(arguments: ["url ", "alis"], ["auto", "packets", "frames"])
    func `then it stays closed, and a note says so`(_ type: String, _ depth: String) async throws {
      let folder = try ScratchFolder()
      let bytes = try clip(reference: BoxBuilder(type, fields: [.full()]))
      let path = try folder.write(bytes, to: "clip.mov")
      let trace = try await SystemTrace(
        ["probe", "--json", "--depth", depth, path].map { Array($0.utf8) }, folder: folder)
      expectHarmless(trace.run, statuses: [0, 65])
      // A packet scan has nothing to read, and reports that instead.
      if depth == "auto" { #expect(trace.run.outText.contains("external-reference")) }
      #expect(trace.openings(of: folder.path).allSatisfy { $0.contains("clip.mov") })
      #expect(trace.sockets.isEmpty)
    }

    @Test func `then a path in the reference is not followed`() async throws {
      let folder = try ScratchFolder()
      var clip = ClipBuilder()
      let target = "/etc/passwd"
      clip.movieBoxes = [BoxBuilder("free", fields: [.text(target)])]
      var bytes = clip.bytes
      // The reference replaces the whole table, the rest of which is no longer needed.
      let table = try #require(bytes.firstRange(of: Array("dref".utf8)))
      bytes[table.lowerBound + 8 + 8 + 7] = 0
      let path = try folder.write(bytes, to: "clip.mp4")
      let trace = try await SystemTrace(["probe", path].map { Array($0.utf8) }, folder: folder)
      expectHarmless(trace.run, statuses: [0, 65])
      #expect(trace.openings(of: target).isEmpty)
    }
  }

  @Suite struct `When a subtitle stream of an AVI holds a playlist` {
    /// An AVI with one text stream in `GAB2` format, which FFmpeg's and VLC's demuxers recognize.
    private func clip(subtitle: [UInt8]) -> [UInt8] {
      let text =
        Array("GAB2\0".utf8) + [2, 0] + RIFFBuilder.little(4) + [0x61, 0, 0, 0] + [4, 0]
        + RIFFBuilder.little(subtitle.count) + subtitle
      return RIFFBuilder.clip(
        type: "txts", format: RIFFBuilder.little(0), packets: [text], named: "00tx")
    }

    @Test func `then only the file itself is opened`() async throws {
      let folder = try ScratchFolder()
      let listener = try LoopbackListener()
      let real = try folder.write(SampleClips.bytes("broadcast.ts"), to: "real.ts")
      for target in ["file://" + real, "http://127.0.0.1:\(listener.port)/x.ts"] {
        let path = try folder.write(
          clip(subtitle: Playlist.all[0].bytes(naming: target)), to: "clip.avi")
        let trace = try await SystemTrace(["probe", path].map { Array($0.utf8) }, folder: folder)
        expectHarmless(trace.run, statuses: [0, 65])
        #expect(trace.openings(of: "clip.avi").count == 1)
        #expect(trace.openings(of: "real.ts").isEmpty)
        #expect(trace.sockets.isEmpty)
      }
      #expect(!listener.wasCalled)
    }
  }
}
