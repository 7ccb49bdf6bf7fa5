import MediaFacts
import Testing

@Suite struct `Given an input format` {
  @Test(arguments: ["matroska", "webm", "matroska,webm"])
  func `when the facts or FFmpeg name Matroska then answers are the same`(_ name: String) {
    #expect(SourceRules(name).isMatroska)
    #expect(!SourceRules(name).mayResetClock)
  }

  @Test(arguments: [
    ("matroska,webm", true, "webm"), ("matroska,webm", false, "matroska"),
    ("mov,mp4,m4a,3gp,3g2,mj2", false, "mp4"), ("mpegts", false, "mpegts"), ("new", false, "new"),
  ])
  func `when FFmpeg names its demuxer then the facts have a short stable name`(
    _ names: String, _ isWebM: Bool, _ format: String
  ) {
    #expect(SourceRules.format(names, isWebM: isWebM) == format)
  }

  @Test func `when it has no container then its codec is its name`() {
    #expect(SourceRules("truehd").bareCodec == .trueHD)
    #expect(SourceRules("truehd").isBareSound)
    #expect(SourceRules("hevc").isBarePictures && SourceRules("hevc").statesNoDuration)
  }

  @Test func `when it is not known then no rule applies to it`() {
    let rules = SourceRules("new")
    #expect(!rules.isISO && !rules.isBareSound && !rules.isBarePictures)
    #expect(!rules.storesOnlyDTS && !rules.mayResetClock && !rules.marksShortSound)
    #expect(rules.mediaType("video") == "application/octet-stream")
  }
}
