/// A fact that may differ between this engine and FFmpeg 5.1, and the files where it does.
enum FactDifference: String, Hashable, Sendable {
  case streams, codec, profile, size, pixelFormat, rotation
  case packets, frames, keyframes, leadingFrames, sampleRate, channels

  struct Judgement: Sendable {
    var facts: Set<FactDifference>
    var reason: String
  }

  /// Differences where this engine is right, or both answers are, each with the reason.
  static let judged: [String: Judgement] = [
    "Vanilagy+mediabunny/annex-b.mp4": Judgement(
      facts: [.packets, .frames],
      reason: "the file ends after a few of 745 samples; the sample table knows them all"),
    "androidx+media/100kB-garbage-prefix.mp3": Judgement(
      facts: [.codec, .sampleRate, .packets],
      reason: "FFmpeg 5.1 takes the garbage in front for AMR; newer ones find the MP3"),
    "androidx+media/bear-cbr-no-seek-table-trailing-garbage.mp3": Judgement(
      facts: [.packets], reason: "trailing garbage is no frame"),
    "androidx+media/bear-id3.mp3": Judgement(
      facts: [.packets, .keyframes, .frames], reason: "cover art has no packets, keyframes or time"),
    "androidx+media/iibbibb_editlist_videoonly.mp4": Judgement(
      facts: [.frames],
      reason: "ISO 14496-12, 8.6.6: a frame that the edit enters in its middle is shown"),
    "androidx+media/sample_edit_list.mp4": Judgement(
      facts: [.frames],
      reason: "ISO 14496-12, 8.6.6: a frame that the edit enters in its middle is shown"),
    "androidx+media/large_stbl_truncated_after_moov.m4b": Judgement(
      facts: [.profile, .packets], reason: "nothing but the header is in the file"),
    "androidx+media/sample_ac4.mp4": Judgement(
      facts: [.codec], reason: "FFmpeg 5.1 has no name for AC-4"),
    "androidx+media/sample_vvc.mp4": Judgement(
      facts: [.codec, .frames, .leadingFrames], reason: "FFmpeg 5.1 has no decoder for VVC"),
    "androidx+media/sample_missing_stsd.mp4": Judgement(
      facts: [.codec], reason: "nothing describes the track"),
    "dmlc+decord/corrupted.mp4": Judgement(
      facts: [.frames], reason: "one frame does not decode; without a decode nothing tells"),
    "jcodec+jcodec/37.mp4": Judgement(
      facts: [.packets], reason: "FFmpeg drops the packets that the edit list hides"),
    "mozilla+firefox-esr-140/chain.ogg": Judgement(
      facts: [.packets], reason: "the headers of a chained link are packets, but no sound"),
    "mozilla+firefox-esr-140/variable-samplerate.ogg": Judgement(
      facts: [.packets], reason: "the headers of a chained link are packets, but no sound"),
    "mozilla+firefox-esr-140/crashtests--0-timescale.mp4": Judgement(
      facts: [.keyframes, .frames], reason: "a time scale of 0 gives nothing a time"),
    "mozilla+firefox-esr-140/crashtests--1257700.webm": Judgement(
      facts: [.frames], reason: "frames do not decode; without a decode nothing tells"),
    "mozilla+firefox-esr-140/crashtests--1840002.webm": Judgement(
      facts: [.packets, .frames], reason: "not one packet is in the file"),
    "mozilla+firefox-esr-140/crashtests--small-timebase.mp4": Judgement(
      facts: [.profile, .packets], reason: "FFmpeg drops packets of a hostile time base"),
    "mozilla+firefox-esr-140/decode_error_vp9.webm": Judgement(
      facts: [.frames], reason: "frames do not decode; without a decode nothing tells"),
    "mozilla+firefox-esr-140/opus-sample.mp4": Judgement(
      facts: [.packets], reason: "FFmpeg drops the packet that the edit list hides"),
    "mozilla+firefox-esr-140/resolution-change.webm": Judgement(
      facts: [.profile], reason: "VP8 has no profiles with names"),
    "mozilla+firefox-esr-140/split.webm": Judgement(
      facts: [.profile], reason: "VP8 has no profiles with names"),
    "mozilla+firefox-esr-140/sixteen-frames.mp3": Judgement(
      facts: [.packets], reason: "half a frame at the end is no frame"),
    "mozilla+firefox-esr-140/vbr-head.mp3": Judgement(
      facts: [.packets], reason: "half a frame at the end is no frame"),
    "mozilla+firefox-esr-140/test_case_1301065-max-ok.mp4": Judgement(
      facts: [.profile], reason: "no sample is in the file, so FFmpeg decodes none"),
    "mozilla+firefox-esr-140/test_case_1301065-u64max.mp4": Judgement(
      facts: [.profile], reason: "no sample is in the file, so FFmpeg decodes none"),
    "mozilla+firefox-esr-140/test_case_1388991.mp4": Judgement(
      facts: [.packets, .keyframes, .frames], reason: "FFmpeg drops packets of a damaged table"),
    "shaka-project+shaka-player/6339--v.mp4": Judgement(
      facts: [.keyframes],
      reason: "the first sample is flagged as sync (first_sample_flags of trun, 8.8.8)"),
    "sindresorhus+file-type/fixture-raw.mts": Judgement(
      facts: [.leadingFrames], reason: "each packet is one field; two make a frame"),
    "sindresorhus+file-type/fixture.mxf": Judgement(
      facts: [.leadingFrames],
      reason: "FFmpeg gives the keyframes no PTS; two B pictures lead each but the first"),
    "streamio+streamio-ffmpeg/ios9.mov": Judgement(
      facts: [.packets], reason: "FFmpeg drops the packets that the edit list hides"),
  ]
}
