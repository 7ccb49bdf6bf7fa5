import CommandLineKit
import MediaEngine

/// The resource limits for reading a file, one per line.
enum LimitsText {
  static func entries(_ limits: Limits) -> [(name: String, value: String)] {
    [
      ("allocation", ByteCount.text(Int64(limits.allocation))),
      ("pixels", "\(limits.pixels)"),
      ("streams", "\(limits.streams)"),
      ("probe_bytes", ByteCount.text(limits.probeBytes)),
      ("samples", "\(limits.samples)"),
      ("tags", "\(limits.tags)"), ("entries_for_ffmpeg", "\(limits.entries)"),
      ("tag_bytes", ByteCount.text(Int64(limits.tagBytes))),
      ("log_lines", "\(limits.logLines)"),
      ("spooled_bytes", ByteCount.text(limits.spooledBytes)),
      (
        "time",
        "\(limits.baseTime.components.seconds) s + 1 s for every "
          + ByteCount.text(limits.bytesPerSecond)
      ),
      ("step", "\(limits.step.components.seconds) s"),
      ("processor_step", "\(limits.computing.components.seconds) s"),
      ("standstill", "\(limits.standstill.components.seconds) s"),
      ("stall", "\(limits.stall.components.seconds) s"),
    ]
  }
}
