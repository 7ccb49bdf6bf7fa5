/// Lists as other programs write them, in JSON and XML.
enum DocumentSamples {
  static let losslessCut = """
    {
      version: 2,
      mediaFileName: 'it\\'s.mp4',
      cutSegments: [
        {
          start: 1.5,
          end: 2.25,
          name: 'First',
          tags: { take: '2' },
          selected: true,
        },
        { start: 3, end: 4, name: '', selected: false },
        { start: 5.125, name: 'mark' },
      ],
    }

    """

  static let sponsorBlock = """
    [{"category":"sponsor","actionType":"skip","segment":[0,10.5],"UUID":"a","videoDuration":60},
     {"category":"music_offtopic","actionType":"skip","segment":[20.25,30.125],"UUID":"b"},
     {"category":"poi_highlight","actionType":"poi","segment":[40,40],"UUID":"c"},
     {"category":"exclusive_access","actionType":"full","segment":[0,0],"UUID":"d"},
     {"category":"chapter","actionType":"chapter","segment":[45,50],"description":"Two","UUID":"e"}]

    """

  static let ytDlp = """
    {"id": "x", "title": "\\u00e4", "extractor": "youtube", "duration": 60.5, "rating": NaN,
     "chapters": [{"start_time": 0.0, "title": "Intro", "end_time": 12.5},
                  {"start_time": 12.5, "title": "Rest"}]}

    """

  static let ytDlpSponsors = """
    {"id": "x", "extractor": "youtube", "duration": 60,
     "chapters": [{"start_time": 0, "title": "Intro", "end_time": 12.5}],
     "sponsorblock_chapters": [{"start_time": 1, "end_time": 2.5, "category": "sponsor",
       "title": "Sponsor", "type": "skip", "_categories": [["sponsor", 1, 2.5, "Sponsor"]]}]}

    """

  static let whisper = """
    {"text": " Hello there. Bye.", "segments": [
      {"id": 0, "seek": 0, "start": 0.0, "end": 2.5, "text": " Hello\\n there.", "tokens": [1, 2],
       "avg_logprob": NaN, "words": [
         {"word": " Hello", "start": 0.0, "end": 1.25, "probability": 0.5},
         {"word": " there.", "start": 1.25, "end": 2.5, "probability": 0.25},
         {"word": "2026"}]},
      {"id": 1, "start": 2.5, "end": 2.5, "text": "", "words": []},
      {"id": 2, "start": 3.0, "end": 4.0, "text": " Bye.", "words": []}], "language": "en"}

    """

  /// A track of clips; `changes` replaces parts of it.
  static let timeline = """
    {"OTIO_SCHEMA": "Timeline.1", "metadata": {}, "name": "x", "global_start_time": null,
     "tracks": {"OTIO_SCHEMA": "Stack.1", "metadata": {}, "name": "tracks", "source_range": null,
      "effects": [], "markers": [], "enabled": true, "children": [
       {"OTIO_SCHEMA": "Track.1", "kind": "Video", "name": "V", "source_range": null,
        "effects": [], "markers": [], "enabled": true, "children": [
         {"OTIO_SCHEMA": "Clip.2", "name": "one", "source_range": \(range(130, 60)), "effects": [],
          "markers": [{"OTIO_SCHEMA": "Marker.2", "name": "mk", "marked_range": \(range(140, 0))}],
          "enabled": true, "media_references": {"DEFAULT_MEDIA":
           {"OTIO_SCHEMA": "ExternalReference.1", "target_url": "file:///a.mp4",
            "available_range": \(range(100, 3000))}},
          "active_media_reference_key": "DEFAULT_MEDIA"},
         {"OTIO_SCHEMA": "Clip.1", "name": "", "source_range": \(range(0, 45)), "effects": [],
          "markers": [], "media_reference": {"OTIO_SCHEMA": "ExternalReference.1",
           "target_url": "b.mp4", "available_range": null}},
         {"OTIO_SCHEMA": "Gap.1", "name": "", "source_range": \(range(0, 30)), "effects": []}
        ]}
      ]}}

    """

  static func range(_ start: Int, _ length: Int) -> String {
    func time(_ value: Int) -> String {
      "{\"OTIO_SCHEMA\": \"RationalTime.1\", \"rate\": 29.97002997002997, \"value\": \(value).0}"
    }
    return "{\"OTIO_SCHEMA\": \"TimeRange.1\", \"duration\": \(time(length)), "
      + "\"start_time\": \(time(start))}"
  }

  static let finalCut = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE fcpxml>
    <fcpxml version="1.10">
      <resources>
        <format id="r1" frameDuration="1001/30000s" name="FFVideoFormat1080p2997"/>
        <asset id="r2" name="a" start="3600s" duration="600s" hasVideo="1" format="r1">
          <media-rep kind="original-media" src="file:///a%20b.mov"/>
        </asset>
        <asset id="r3" name="b" src="file:///b.mov" start="0s" duration="20s" hasVideo="1"/>
        <effect id="r4" name="Cross Dissolve" uid="x"/>
      </resources>
      <library><event name="e"><project name="p"><sequence format="r1" duration="9s" tcStart="0s">
        <spine>
          <asset-clip ref="r2" offset="0s" name="A &amp; B" start="108108000/30000s" duration="2s">
            <note>x</note>
            <marker start="108138030/30000s" duration="1001/30000s" value="here"/>
          </asset-clip>
          <gap name="Gap" offset="2s" start="3600s" duration="1s"/>
          <clip name="c" offset="3s" start="5s" duration="1001/1000s">
            <video ref="r3" offset="0s" start="1s" duration="19s">
              <audio ref="r3" lane="-1" offset="0s" start="1s" duration="19s"/>
            </video>
          </clip>
        </spine>
      </sequence></project></event></library>
    </fcpxml>

    """

  static let matroska = """
    <?xml version="1.0"?>
    <!-- <!DOCTYPE Chapters SYSTEM "matroskachapters.dtd"> -->
    <Chapters>
      <EditionEntry>
        <EditionUID>1</EditionUID>
        <ChapterAtom>
          <ChapterUID>2</ChapterUID>
          <ChapterTimeStart>00:00:00.000000000</ChapterTimeStart>
          <ChapterDisplay>
            <ChapterString>A &lt; B</ChapterString>
            <ChapterLanguage>eng</ChapterLanguage>
          </ChapterDisplay>
        </ChapterAtom>
        <ChapterAtom>
          <ChapterTimeStart>00:00:01.001000000</ChapterTimeStart>
          <ChapterTimeEnd>01:00:02.500000001</ChapterTimeEnd>
        </ChapterAtom>
      </EditionEntry>
    </Chapters>

    """

  static let trim = """
    {"version": 1, "sources": [{"hint": "a.mp4"}, {"identity":
     {"size": 12, "head": "ab", "packets": "cd"}}],
     "parts": [{"source": 0, "range": {"start": "1/3", "end": "2"}, "isKept": true, "tracks": [1]},
      {"source": 1, "range": {"start": "0", "end": "1001/30000"}, "isKept": false, "name": "x"}],
     "markers": [{"source": 1, "time": "5/7"}], "rate": "30000/1001"}

    """

  static let subStation = """
    [Script Info]
    ScriptType: v4.00+
    Timer: 100.0000

    [V4+ Styles]
    Format: Name, Fontname
    Style: Default,Arial

    [Events]
    Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
    Dialogue: 0,0:00:01.50,0:00:02.25,Default,,0,0,0,,Hello, {\\i1}you{\\i0}\\Nthere
    Comment: 0,0:00:03.00,0:00:04.00,Default,,0,0,0,,no
    Dialogue: 0,1:00:00.00,1:00:00.07,Default,,0,0,0,,

    """
}
