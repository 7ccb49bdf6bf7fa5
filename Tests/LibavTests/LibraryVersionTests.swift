import FoundationEssentials
import Libav
import Support
import Testing

@Suite(.timeLimit(.minutes(1))) struct `Given a build for one version of FFmpeg` {
  @Test func `then the libraries of that version are the ones that are tried`() throws {
    let versions = try #require(LibavLibrary.versions())
    for library in ["libavutil", "libavcodec", "libavformat"] {
      let found = try #require(versions.first { $0.name == library })
      let major = found.version.prefix { $0 != "." }
      #expect(LibavLibrary.tried.contains("\(library).so.\(major)"))
    }
  }

  @Test func `when a folder has only the libraries of another version, then that is named`() throws
  {
    let versions = try #require(LibavLibrary.versions())
    let own = try #require(LibavLibrary.tried.first { $0.hasPrefix("libavutil") })
    let major = try #require(Int(own.split(separator: ".").last ?? ""))
    // The mapping of this process, wherever its libraries are.
    let maps = try String(contentsOf: URL(filePath: "/proc/self/maps"), encoding: .utf8)
    let line = try #require(maps.split(separator: "\n").first { $0.contains("/libavutil.so.") })
    let path = try #require(line.split(separator: " ").last.map(String.init))
    let folder = try ScratchFolder()
    #expect(LibavLibrary.otherVersion(in: folder.path) == nil)
    try FileManager.default.copyItem(atPath: path, toPath: "\(folder.path)/\(own)")
    #expect(LibavLibrary.otherVersion(in: folder.path) == nil)
    let other = "\(folder.path)/libavutil.so.\(major + 1)"
    try FileManager.default.copyItem(atPath: path, toPath: other)
    #expect(LibavLibrary.otherVersion(in: folder.path) == versions[0].version)
  }

  @Test func `then the sentence about another version names both`() {
    let sentence = LibavLibrary.mismatch(with: "99.1")
    #expect(sentence.contains("FFmpeg 99.1"))
    let own = LibavLibrary.versions().map { $0[0].version.prefix { $0 != "." } }
    #expect(sentence.hasSuffix("is for FFmpeg \(own ?? "?")"))
  }
}
