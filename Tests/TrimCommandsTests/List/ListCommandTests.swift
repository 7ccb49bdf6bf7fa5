import CommandLineKit
import MediaFacts
import Support
import Testing

@testable import TrimCommands

@Suite struct `Given trim list` {
  /// A folder with the list `a.edl`, which removes two ranges of `walk.mp4`, of 60.394 s.
  private struct Room {
    let folder: ScratchFolder
    let list: String

    init(_ text: String = "1\t2.5\t3\n59 60.394 0\n70 2\n") throws {
      folder = try ScratchFolder()
      list = try folder.write(Array(text.utf8), to: "a.edl")
    }

    func run(_ words: String...) -> ToolRun {
      ToolRun(
        (["list"] + words).map { ArgumentText($0) },
        clips: ["walk.mp4": .success(Clips.good), "/x/walk.mp4": .success(Clips.good)])
    }

    func text(of name: String) throws -> String {
      String(decoding: try fileBytes(folder.path(of: name)), as: UTF8.self)
    }
  }

  @Test func `when it shows a list then each part and marker has a line`() throws {
    let room = try Room()
    let run = room.run("show", room.list)
    #expect(run.status == 0 && run.err.isEmpty)
    #expect(
      run.out == """
        \(room.list): EDL of comskip, Kodi and MPlayer, 2 parts, 1 marker
        1 remove 1..2.5
        2 remove 59..60.394
        marker 70

        """)
  }

  @Test(arguments: [("60.394", 0), ("60.3945", 0), ("60.394501", 1)])
  func `when the end of a file is rounded up by up to half a millisecond then it fits`(
    _ end: String, _ status: Int32
  ) throws {
    let room = try Room("59 \(end) 0\n")
    #expect(room.run("show", room.list, "walk.mp4").status == status)
  }

  @Test func `when a file is named then what lies outside of it is said, and the status is 1`()
    throws
  {
    let room = try Room("1 2 0\n60 61 0\n61 62.5 0\n")
    #expect(room.run("show", room.list, "walk.mp4").status == 1)
    let run = room.run("show", "--json", room.list, "walk.mp4")
    #expect(run.status == 1)
    let value = try JSONReader.read(Array(run.out.utf8))
    #expect(value["kind"]?.text == "list" && value["format"]?.text == "edl")
    #expect(
      value["does_not_fit"]
        == .array([
          .string("parts[1]: it ends at 61 s, and walk.mp4 ends at 60.394 s"),
          .string("parts[2]: it begins at 61 s, and walk.mp4 ends at 60.394 s"),
        ]))
    guard case .array(let parts) = value["parts"] else {
      Issue.record("no parts")
      return
    }
    #expect(parts[2]["to"]?["value"]?.text == "125/2" && parts[2]["kept"] == .bool(false))
  }

  @Test func `when it converts then removals become what is kept, at the file's frames`() throws {
    let room = try Room("1.001 2.002 0\n")
    let run = room.run(
      "convert", room.list, "walk.mp4", "--invert", "-o", room.folder.path(of: "b.otio"))
    #expect(run.status == 0, "\(run.err)")
    #expect(run.out.hasSuffix("b.otio: OpenTimelineIO, 2 parts\n") && run.err.isEmpty)
    let shown = room.run("show", room.folder.path(of: "b.otio"))
    #expect(shown.out.hasSuffix("source 1: walk.mp4\n1 keep 0..1.001\n2 keep 2.002..60.394\n"))
  }

  @Test func `when the format cannot hold a list then it is refused, and nothing is written`()
    throws
  {
    let room = try Room()
    let run = room.run("convert", room.list, "-o", room.folder.path(of: "b.llc"))
    #expect(run.status == 65)
    #expect(run.err.contains("parts[0]: a project of LosslessCut lists what is kept"))
    #expect(run.err.contains("'--invert'"))
    let json = room.run("convert", room.list, "--json", "-o", room.folder.path(of: "b.llc"))
    #expect(json.out.contains("\"code\": \"unreadableList\""))
    #expect(room.folder.names.map { String(decoding: $0, as: UTF8.self) } == ["a.edl"])
  }

  @Test func `when names or markers are dropped then that is said`() throws {
    let room = try Room("0.000000\t1.000000\tone\n2.000000\t2.000000\tmark\n")
    let target = room.folder.path(of: "b.csv")
    #expect(room.run("convert", room.list, "-o", target).status == 65)
    let run = room.run("convert", room.list, "--drop", "markers", "--drop", "names", "-o", target)
    #expect(run.status == 0)
    #expect(run.err.contains("left out: names\n") && run.err.contains("left out: 1 marker\n"))
    #expect(try room.text(of: "b.csv") == "0,1,\n")
    // Never without being told to.
    #expect(room.run("convert", room.list, "--drop", "markers", "-o", target).status == 73)
    #expect(room.run("convert", room.list, "--drop", "markers", "-f", "-o", target).status == 0)
    #expect(try room.text(of: "b.csv") == "0,1,one\n")
    #expect(room.run("convert", room.list, "-f", "--as", "audacity", "-o", room.list).status == 73)
  }

  @Test func `when it goes to standard output then only the list is there`() throws {
    let room = try Room("5,6,a\n")
    let run = room.run("convert", room.list, "--as", "tsv", "-o", "-")
    #expect(run.status == 0 && run.out == "5\t6\ta\n" && run.err.isEmpty)
  }

  @Test func `when a sound is muted then only --ignore-mute leaves it out`() throws {
    let room = try Room("1 2 0\n3 4 1\n")
    let run = room.run("show", room.list)
    #expect(run.status == 65)
    #expect(run.err.contains("line 2: it mutes sound, which a cut does not do"))
    let ignored = room.run("show", room.list, "--ignore-mute")
    #expect(ignored.status == 0)
    #expect(ignored.out.contains("left out: line 2: it mutes sound"))
  }

  @Test(arguments: [
    (["show"], "'<list>'"), (["convert", "a.edl"], "'--output <output>'"),
    (["list", "a.edl"], "neither 'show' nor 'convert'"),
    (["show", "a.edl", "-o", "b.csv"], "'--output' needs 'convert'"),
    (["show", "a.edl", "--invert"], "'--invert' needs 'convert'"),
    (["convert", "a.edl", "-o", "b.edl"], "mpv, edl, cmx3600"),
    (["convert", "a.edl", "-o", "b.srt"], "name a format with '--as'"),
    (["convert", "a.edl", "-o", "-"], "'-o -' needs '--as'"),
    (["convert", "a.edl", "--as", "csv", "--json", "-o", "-"], "standard output"),
    (["show", "a.edl", "-"], "cannot be '-'"),
  ])
  func `when it is called wrongly then a sentence says how`(words: [String], says: String) {
    let run = ToolRun((["list"] + words).map { ArgumentText($0) })
    #expect(run.status == 64)
    #expect(run.err.contains(says), "\(run.err)")
  }

  @Test func `when a list names other files then the file is refused`() throws {
    let room = try Room("# mpv EDL v0\nb.mp4,0,1\n/x/walk.mp4,2,3\n")
    #expect(room.run("show", room.list, "/x/walk.mp4").status == 0)
    let alone = try Room("# mpv EDL v0\nb.mp4,0,1\nc.mp4,2,3\n")
    let run = alone.run("show", alone.list, "walk.mp4")
    #expect(run.status == 64 && run.err.contains("it names no file 'walk.mp4'"))
    #expect(alone.run("show", alone.list, "gone.mp4").status == 66)
  }
}
