import CommandLineKit
import MediaFacts

extension TrackFacts {
  /// A description for choosing among tracks: `video, h264, 1920x1080, 25 fps`.
  ///
  /// Safe to display.
  var words: String {
    var parts = [isCoverArt ? "cover" : kind.rawValue, ForeignText.shown(codec.rawValue)]
    if let video, video.width > 0 {
      parts.append("\(video.width)x\(video.height)")
      if let rate = video.nominalFrameRate {
        parts.append("\(DecimalText.fixed(rate, places: 2)) fps")
      }
    }
    if let audio {
      if let rate = audio.sampleRate { parts.append("\(rate) Hz") }
      if let layout = audio.channelLayout {
        parts.append(ForeignText.shown(layout))
      } else if let channels = audio.channels {
        parts.append("\(channels) \(channels == 1 ? "channel" : "channels")")
      }
    }
    if let language { parts.append(ForeignText.shown(language)) }
    if let title { parts.append("“\(ForeignText.shown(String(title.prefix(60))))”") }
    return parts.joined(separator: ", ")
  }
}
