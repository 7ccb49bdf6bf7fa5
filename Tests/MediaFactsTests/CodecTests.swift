import Foundation
import MediaFacts
import Support
import Testing

@Suite struct `Given a codec` {
  @Test func `when it is encoded then it is FFmpeg's name alone`() throws {
    let encoded = try JSONEncoder().encode([Codec.h264, Codec("new1")])
    #expect(String(decoding: encoded, as: UTF8.self) == #"["h264","new1"]"#)
    #expect(try JSONDecoder().decode([Codec].self, from: encoded) == [.h264, Codec("new1")])
  }

  @Test func `when it is a key then the table is a JSON object`() throws {
    let encoded = try JSONEncoder().encode([Codec.aac: true])
    #expect(String(decoding: encoded, as: UTF8.self) == #"{"aac":true}"#)
    #expect(try JSONDecoder().decode([Codec: Bool].self, from: encoded) == [.aac: true])
  }

  @Test func `when a sentence names it then it has FFmpeg's name`() {
    #expect("\(Codec.mpeg2Video)" == "mpeg2video")
  }

  @Test(arguments: ["pcm_s16le", "pcm_f32be_planar", "pcm_dvd"])
  func `when it is PCM of any format then it is known as PCM`(_ name: String) {
    #expect(Codec(name).isPCM)
    #expect(!Codec("ad" + name).isPCM)
  }
}
