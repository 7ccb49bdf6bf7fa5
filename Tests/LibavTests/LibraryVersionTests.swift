import Glibc
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
    let places: [String] = [
      "/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/local/lib", "/usr/lib64",
      "/usr/lib",
    ]
    let place = try #require(places.first { access("\($0)/\(own)", R_OK) == 0 })
    let path = "\(place)/\(own)"
    let folder = try ScratchFolder()
    #expect(LibavLibrary.otherVersion(in: folder.path) == nil)
    symlink(path, "\(folder.path)/\(own)")
    #expect(LibavLibrary.otherVersion(in: folder.path) == nil)
    let other = "\(folder.path)/libavutil.so.\(major + 1)"
    symlink(path, other)
    #expect(LibavLibrary.otherVersion(in: folder.path) == versions[0].version)
  }

  @Test func `then the sentence about another version names both`() {
    let sentence = LibavLibrary.mismatch(with: "99.1")
    #expect(sentence.contains("FFmpeg 99.1"))
    let own = LibavLibrary.versions().map { $0[0].version.prefix { $0 != "." } }
    #expect(sentence.hasSuffix("is for FFmpeg \(own ?? "?")"))
  }
}
