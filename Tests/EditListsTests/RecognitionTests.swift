import Testing

@testable import EditLists

@Suite struct `Given a sample of each format` {
  /// As the programs write them.
  static let samples: [(id: String, text: String)] = [
    ("mpv", "# mpv EDL v0\na.mp4,0,1\n"), ("edl", "0.00\t60.48\t0\n612.10\t1000.05\t3\n"),
    ("edl", "0:01:00.5 1:02 0\n"), ("edl", "## a\n#0 #30 0\n9 2\n"), ("edl", "10 20 3\n"),
    (
      "comskip",
      "FILE PROCESSING COMPLETE  11987 FRAMES AT  2997\n-------------------\n3007\t7502\n"
    ),
    ("audacity", "1.500000\t2.250000\t1\n"), ("tsv", "1.5\t2.5\tname\n"), ("csv", "1.5,2.5,name\n"),
    ("csv", ",,\n"),
    ("cmx3600", "TITLE: A\n\n001  AX  V  C  00:00:00:00 00:00:01:00 01:00:00:00 01:00:01:00\n"),
    ("cmx3600", "001  AX  V  C  00:00:00:00 00:00:01:00 01:00:00:00 01:00:01:00\n"),
    ("cmx3600", "* CREATED WITH PYSCENEDETECT 0.7.2\nTITLE: PySceneDetect\nFCM: NON-DROP FRAME\n"),
    ("scenedetect", "Timecode List:,00:00:01.000\n" + sceneHeader),
    ("scenedetect", "00:00:01.000\n" + sceneHeader), ("scenedetect", "\n" + sceneHeader),
    ("ffmetadata", ";FFMETADATA1\n[CHAPTER]\n"), ("youtube", "0:00 Intro\n1:02:03 2\n"),
    ("cue", "FILE \"a.wav\" WAVE\n  TRACK 01 AUDIO\n    INDEX 01 00:00:00\n"),
    ("ogm-chapters", "CHAPTER01=00:00:00.000\nCHAPTER01NAME=Intro\n"),
    ("cue", "REM DATE 2000\nTITLE \"x\"\nFILE a.wav WAVE\nTRACK 01 AUDIO\n"),
    ("srt", "1\n00:00:01,000 --> 00:00:02,500\nHello\n"),
    ("srt", "00:00:01,000 --> 00:00:02,500\nHello\n"),
    ("vtt", "WEBVTT\n\n00:01.000 --> 00:02.000\nHello\n"),
    ("ass", DocumentSamples.subStation), ("llc", DocumentSamples.losslessCut),
    ("llc", "{\"version\": 1, \"cutSegments\": []}"), ("otio", DocumentSamples.timeline),
    ("sponsorblock", DocumentSamples.sponsorBlock), ("sponsorblock", "[]"),
    ("yt-dlp", DocumentSamples.ytDlp), ("yt-dlp", DocumentSamples.ytDlpSponsors),
    ("whisper", DocumentSamples.whisper), ("fcpxml", DocumentSamples.finalCut),
    ("mkv-chapters", DocumentSamples.matroska), ("trim", DocumentSamples.trim),
  ]
  static let sceneHeader =
    "Scene Number,Start Frame,Start Timecode,Start Time (seconds),End Frame,End Timecode,"
    + "End Time (seconds),Length (frames),Length (timecode),Length (seconds)\n"

  @Test func `When all recognisers see it, Then only its own knows it`() throws {
    var missing = Set(EditListFormat.all.map(\.id))
    for (id, sample) in Self.samples {
      for text in [
        sample, "\u{FEFF}" + sample, sample.split(separator: "\n").joined(separator: "\r\n"),
      ] {
        let content = try ListContent(Array(text.utf8))
        #expect(EditListFormat.all.filter { $0.recognises(content) }.map(\.id) == [id], "\(sample)")
      }
      missing.remove(id)
    }
    #expect(missing.isEmpty)
  }

  @Test func `When another format's reader gets it, Then it is an error or a list, never a trap`() {
    for (_, sample) in Self.samples {
      for format in EditListFormat.all {
        for count in stride(
          from: 0, through: sample.utf8.count, by: max(1, sample.utf8.count / 20))
        {
          _ = try? format.read(Array(sample.utf8.prefix(count)))
        }
      }
    }
  }

  @Test func `When a format is only read, Then writing says so`() {
    for format in EditListFormat.all where !format.isWritten {
      #expect(
        writeFailure(format, EditList()) == "\(format.name) can be read, but not written")
    }
  }
}
