/// FFmpeg's names for the code points of ITU-T H.273; `nil` for unspecified and reserved ones.
package enum CodePoints {
  package static func primaries(_ code: Int) -> String? {
    switch code {
    case 1: "bt709"
    case 4: "bt470m"
    case 5: "bt470bg"
    case 6: "smpte170m"
    case 7: "smpte240m"
    case 8: "film"
    case 9: "bt2020"
    case 10: "smpte428"
    case 11: "smpte431"
    case 12: "smpte432"
    case 22: "ebu3213"
    default: nil
    }
  }

  package static func transfer(_ code: Int) -> String? {
    switch code {
    case 1: "bt709"
    case 4: "bt470m"
    case 5: "bt470bg"
    case 6: "smpte170m"
    case 7: "smpte240m"
    case 8: "linear"
    case 9: "log100"
    case 10: "log316"
    case 11: "iec61966-2-4"
    case 12: "bt1361e"
    case 13: "iec61966-2-1"
    case 14: "bt2020-10"
    case 15: "bt2020-12"
    case 16: "smpte2084"
    case 17: "smpte428"
    case 18: "arib-std-b67"
    default: nil
    }
  }

  package static func matrix(_ code: Int) -> String? {
    switch code {
    case 0: "gbr"
    case 1: "bt709"
    case 4: "fcc"
    case 5: "bt470bg"
    case 6: "smpte170m"
    case 7: "smpte240m"
    case 8: "ycgco"
    case 9: "bt2020nc"
    case 10: "bt2020c"
    case 11: "smpte2085"
    case 12: "chroma-derived-nc"
    case 13: "chroma-derived-c"
    case 14: "ictcp"
    default: nil
    }
  }
}
