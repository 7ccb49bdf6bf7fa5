extension ISOTrackBoxes.Media {
  var handler: FourCC {
    switch self {
    case .video: "vide"
    case .audio: "soun"
    case .timedText: "sbtl"
    case .subtitle: "subt"
    case .chapters: "text"
    case .timecode: "tmcd"
    case .metadata: "meta"
    }
  }

  /// The media header for the handler (ISO 14496-12, 12; QuickTime File Format).
  var header: ISORawBox {
    switch self {
    case .video: ISORawBox("vmhd", payload: [0, 0, 0, 1] + [UInt8](repeating: 0, count: 8))
    case .audio: ISORawBox("smhd", payload: [UInt8](repeating: 0, count: 8))
    case .timedText, .metadata: ISORawBox("nmhd", payload: [0, 0, 0, 0])
    case .subtitle: ISORawBox("sthd", payload: [0, 0, 0, 0])
    case .chapters: Self.generic { $0.box("text") { $0.matrix(.identity) } }
    case .timecode: Self.generic { $0.timecodeStyle() }
    }
  }

  /// QuickTime's header for media of any other kind.
  private static func generic(_ details: (inout BoxWriter) -> Void) -> ISORawBox {
    ISORawBox("gmhd") {
      $0.fullBox("gmin") {
        // Graphics mode “dither copy”, gray as its color, audio balance centered.
        $0.u16(0x40)
        for _ in 0..<3 { $0.u16(0x8000) }
        $0.u32(0)
      }
      details(&$0)
    }
  }
}

extension BoxWriter {
  /// How a player that shows timecode draws it: black on white, 12 points.
  fileprivate mutating func timecodeStyle() {
    box("tmcd") {
      $0.fullBox("tcmi") {
        $0.u16(0)
        $0.u16(0)
        $0.u16(12)
        $0.u16(0)
        for _ in 0..<3 { $0.u16(0) }
        for _ in 0..<3 { $0.u16(0xFFFF) }
        $0.pascal("Lucida Grande")
      }
    }
  }
}

extension ISORawBox {
  /// `dinf`: the samples are in this file.
  static let dataInformation = ISORawBox("dinf") {
    $0.fullBox("dref") {
      $0.u32(1)
      $0.fullBox("url ", flags: 1) { _ in }
    }
  }
}
