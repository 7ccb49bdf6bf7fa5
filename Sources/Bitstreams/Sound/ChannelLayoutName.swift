/// FFmpeg's names of the usual layouts by the number of channels alone.
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
