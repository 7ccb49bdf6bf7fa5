import MediaFacts
import Testing
import Trimming

@Suite struct `Given audio that is stored sample by sample` {
  @Test(
    arguments: [
      ("pcm_u8", 1), ("pcm_mulaw", 1), ("pcm_s16be", 2), ("pcm_s24le", 3), ("pcm_s32le", 4),
      ("pcm_f64be", 8), ("pcm_f16le", 4), ("pcm_f24le", 4),
    ])
  func
    `then a sample has the bytes its name states, or 4 if that counts bits before the point`(
      _ codec: Codec, _ size: Int
    )
  {
    #expect(AudioCodec.sampleSize(of: codec) == size)
  }

  @Test(arguments: ["pcm_bluray", "aac", "mp3", "adpcm_ms"])
  func `then other codecs have no sample size`(_ codec: Codec) {
    #expect(AudioCodec.sampleSize(of: codec) == nil)
  }
}
