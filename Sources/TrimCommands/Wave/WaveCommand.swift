import CommandLineKit
import ExactTime
import MediaEngine
import MediaFacts
import Trimming

/// `trim wave FILE -o wave.png`: the levels of a file's audio.
struct WaveCommand: DrawingCommand {
  enum Format: String, CaseIterable, Sendable {
    case png, svg, json
  }

  var media: DrawnMediaOptions
  var tiles: ScreenTiles?
  private let output: OutputName<Format>
  private let channels: Waveform.Channels
  private let scale: WaveformScale
  private let height: Int
  private let bits: Waveform.Bits
  let printsJSON: Bool

  static let command = "wave"
  private static let widths = 1...16_384

  init(_ parsed: ParsedArguments) throws(UsageError) {
    media = try DrawnMediaOptions(parsed, command: Self.command)
    output = try OutputName(parsed, streamed: .png, command: Self.command)
    channels = parsed.last("channels")?.text.flatMap(Waveform.Channels.init(rawValue:)) ?? .mixed
    let isJSON = output.format == .json
    for option in isJSON ? ["width", "height"] : ["samples-per-pixel", "bits"]
    where parsed.last(option) != nil {
      throw UsageError(
        "'--\(option)' does not apply to .\(output.format.rawValue).", command: Self.command)
    }
    let width = try NumberArgument.parse(parsed, "width", in: Self.widths, command: Self.command)
    let samples = try NumberArgument.parse(
      parsed, "samples-per-pixel", in: 1...(1 << 30), command: Self.command)
    scale = isJSON ? .samplesPerPixel(samples ?? 256) : .pixels(width ?? 1200)
    printsJSON = parsed.has("json")
    height =
      try NumberArgument.parse(parsed, "height", in: 2...8192, command: Self.command) ?? 240
    bits =
      parsed.last("bits")?.text.flatMap { Int($0) }.flatMap(Waveform.Bits.init(rawValue:))
      ?? .sixteen
  }

  func run(in tool: Tool, console: Console) throws(UsageError) -> ExitStatus {
    let input = try PlayInput(
      media.file, part: media.part, command: Self.command, asciiOnly: !console.errTraits.isUTF8)
    do throws(PlayedMedia.Failure) {
      try write(
        to: output, of: loaded(input, with: tool.desk), in: tool, console: console)
      return .success
    } catch {
      return console.report(error, on: input, asJSON: printsJSON)
    }
  }

  func drawing(of media: DrawnMedia, with desk: EngineDesk) throws(PlayedMedia.Failure) -> Drawing {
    let wave = try wave(of: media, with: desk)
    return Drawing(
      bytes: try encoded(wave),
      columns: JSONValue.members([
        "format": .string(output.format.rawValue),
        "range": .object(["from": .time(media.part.start), "to": .time(media.part.end)]),
        "channels": .integer(wave.channels.count),
      ]), sentence: sentence(wave))
  }

  private func wave(
    of media: DrawnMedia, with desk: EngineDesk
  ) throws(PlayedMedia.Failure) -> Waveform {
    do throws(MediaError) {
      let track = try AudioTrack(
        media.path, facts: media.facts, origin: media.origin, deadline: media.deadline,
        isCancelled: desk.isCancelled)
      return try Waveform(of: track, in: media.part, scale: scale, channels: channels)
    } catch {
      throw PlayedMedia.Failure(error)
    }
  }

  private func encoded(_ wave: Waveform) throws(PlayedMedia.Failure) -> [UInt8] {
    do throws(MediaError) {
      return try bytes(of: wave)
    } catch {
      throw PlayedMedia.Failure(error)
    }
  }

  private func bytes(of wave: Waveform) throws(MediaError) -> [UInt8] {
    switch output.format {
    case .png: return try wave.picture(height: height).encoded(as: .png)
    case .svg: return Array(wave.svg(height: height).utf8)
    case .json:
      guard let json = wave.json(bits: bits) else {
        throw MediaError(.internalError, "a waveform with pixels of unequal length")
      }
      return json
    }
  }

  private func sentence(_ wave: Waveform) -> String {
    let count = wave.channels.count
    return "\(wave.pixelCount) pixels of "
      + (channels == .mixed ? "all channels mixed" : "\(count) channel\(count == 1 ? "" : "s")")
      + ", \(DecimalText.shortest(wave.range.length.seconds)) s at \(wave.sampleRate) Hz"
  }
}
