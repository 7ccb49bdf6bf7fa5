import MediaFacts
import Support
import Testing

@testable import Bitstreams

@Suite(.timeLimit(.minutes(5)))
struct `Given the configuration of an audio track` {
  @Suite
  struct `When FFmpeg's encoders or real files wrote it` {
    @Test(arguments: Sound.all)
    func `then rate, channels and layout match ffprobe`(sound: Sound) throws {
      let header = try #require(AudioHeader(codec: sound.codec, configuration: sound.bytes))
      #expect(header.profile == sound.profile)
      #expect(header.sampleRate == sound.sampleRate)
      #expect(header.channels == sound.channels)
      #expect(header.channelLayout == sound.layout)
    }

    @Test(arguments: Sound.all)
    func `then no damage to it traps the reader`(sound: Sound) {
      var generator = SeededGenerator(seed: 23)
      for _ in 0..<300 {
        var bytes = sound.bytes
        let index = Int.random(in: bytes.indices, using: &generator)
        bytes[index] = UInt8.random(in: .min ... .max, using: &generator)
        bytes.removeLast(Int.random(in: 0...bytes.count, using: &generator) / 2)
        let header = AudioHeader(codec: sound.codec, configuration: bytes)
        #expect(header?.channels.map { $0 > 0 } != false, "\(generator): \(bytes)")
      }
    }
  }

  @Suite
  struct `When it is AAC` {
    @Test
    func `then band replication doubles the rate and the length of a packet`() throws {
      // Object type 5 around LC: 24 kHz coded, 48 kHz decoded.
      let bytes = BitBuilder.bytes { bits in
        for (value, count) in [(5, 5), (6, 4), (2, 4), (3, 4), (2, 5), (0, 3)] {
          bits.write(value, count)
        }
      }
      let header = try #require(AudioHeader(codec: "aac", configuration: bytes))
      #expect(header.profile == "HE-AAC")
      #expect(header.sampleRate == 48000)
      #expect(header.samplesPerPacket == 2048)
    }

    @Test
    func `then parametric stereo turns one coded channel into two`() throws {
      let bytes = BitBuilder.bytes { bits in
        for (value, count) in [(29, 5), (7, 4), (1, 4), (4, 4), (2, 5), (0, 3)] {
          bits.write(value, count)
        }
      }
      let header = try #require(AudioHeader(codec: "aac", configuration: bytes))
      #expect(header.profile == "HE-AACv2")
      #expect(header.sampleRate == 44100)
      #expect(header.channels == 2)
      #expect(header.channelLayout == "stereo")
    }

    @Test
    func `then an extension after the configuration counts too`() throws {
      let bytes = BitBuilder.bytes { bits in
        for (value, count) in [
          (2, 5), (6, 4), (2, 4), (0, 3), (0x2B7, 11), (5, 5), (1, 1), (3, 4), (0x548, 11), (0, 1),
        ] {
          bits.write(value, count)
        }
      }
      let header = try #require(AudioHeader(codec: "aac", configuration: bytes))
      #expect(header.profile == "HE-AAC")
      #expect(header.sampleRate == 48000)
      #expect(header.samplesPerPacket == 2048)
    }

    @Test
    func `then the short frame of 960 samples is recognized`() throws {
      let bytes = BitBuilder.bytes { bits in
        for (value, count) in [(2, 5), (3, 4), (2, 4), (1, 1), (0, 2)] { bits.write(value, count) }
      }
      #expect(AudioHeader(codec: "aac", configuration: bytes)?.samplesPerPacket == 960)
    }

    @Test
    func `then a program config element counts its channels`() throws {
      // Front: one single and one pair; back: one pair; one low-frequency channel.
      let bytes = BitBuilder.bytes { bits in
        for (value, count) in [
          (2, 5), (3, 4), (0, 4), (0, 3), (0, 4), (1, 2), (3, 4), (2, 4), (0, 4), (1, 4), (1, 2),
          (0, 3), (0, 4), (0, 3), (0, 1), (0, 4), (1, 1), (0, 4), (1, 1), (1, 4), (0, 4),
        ] {
          bits.write(value, count)
        }
      }
      let header = try #require(AudioHeader(codec: "aac", configuration: bytes))
      #expect(header.channels == 6)
      #expect(header.channelLayout == nil)
    }
  }

  @Suite
  struct `When it describes samples` {
    @Test(arguments: ["4f707573486561640102380180bb0000000000", "000201380000bb80000000"])
    func `then Opus' pre-skip is the same in Ogg and in MP4`(hex: String) {
      let header = AudioHeader(codec: "opus", configuration: [UInt8](hexadecimal: hex))
      #expect(header?.preSkip == 312)
    }

    @Test
    func `then FLAC states the length of the stream and ALAC that of a packet`() throws {
      let flac = try #require(Sound.all.first { $0.codec == "flac" })
      #expect(AudioHeader(codec: "flac", configuration: flac.bytes)?.sampleCount == 14400)
      #expect(AudioHeader(codec: "flac", configuration: flac.bytes)?.samplesPerPacket == 4608)
      let alac = try #require(Sound.all.first { $0.codec == "alac" })
      #expect(AudioHeader(codec: "alac", configuration: alac.bytes)?.samplesPerPacket == 4096)
    }

    @Test
    func `then 7.1 channels of E-AC-3 come in two substreams`() throws {
      let bytes = BitBuilder.bytes { bits in
        for (value, count) in [
          (768, 13), (0, 3), (0, 2), (16, 5), (0, 5), (7, 3), (1, 1), (0, 3), (1, 4), (0b10, 9),
        ] {
          bits.write(value, count)
        }
      }
      let header = try #require(AudioHeader(codec: "eac3", configuration: bytes))
      #expect(header.channels == 8)
      #expect(header.channelLayout == "7.1")
    }
  }
}

/// The configuration of a sound track, and what ffprobe 5.1 reports for it.
struct Sound: Sendable, CustomTestStringConvertible {
  var codec: Codec
  var bytes: [UInt8]
  var profile: String?
  var sampleRate: Int
  var channels: Int
  var layout: String

  init(
    _ codec: Codec, _ hex: String, _ profile: String?, _ rate: Int, _ channels: Int,
    _ layout: String
  ) {
    self.codec = codec
    bytes = [UInt8](hexadecimal: hex)
    self.profile = profile
    sampleRate = rate
    self.channels = channels
    self.layout = layout
  }

  var testDescription: String { "\(codec) \(layout) in \(bytes.count) bytes" }
}
