/// FFmpeg's names of the default layouts by number of channels.
package enum ChannelLayoutName {
  package static func name(channels: Int) -> String? {
    switch channels {
    case 1: "mono"
    case 2: "stereo"
    case 3: "2.1"
    case 4: "4.0"
    case 5: "5.0"
    case 6: "5.1"
    case 7: "6.1"
    case 8: "7.1"
    default: nil
    }
  }
}
