import Testing
import Trimming

/// Six packets of stereo, then six of 5.1, then six of stereo at another rate.
@Suite struct `Given AAC whose ADTS headers change` {
  typealias Piece = AudioDescriptions.Piece

  private static let descriptions = AudioDescriptions([
    .init(place: 0, configuration: [0x11, 0x90], sampleRate: 48000, channels: 2),
    .init(place: 6, configuration: [0x11, 0xB0], sampleRate: 48000, channels: 6),
    .init(place: 12, configuration: [0x12, 0x10], sampleRate: 44100, channels: 2),
  ])

  private static func obstacle(
    _ pieces: Range<Int>..., keepsHeaders: Bool = false, isEncoded: Bool = false
  ) -> AudioDescriptions.Obstacle? {
    descriptions.obstacle(
      to: pieces.map { Piece($0, isEncoded: isEncoded) }, keepsHeaders: keepsHeaders)
  }

  @Test func `pieces under one description are written`() {
    #expect(Self.obstacle(0..<6) == nil)
    #expect(Self.obstacle(6..<12) == nil)
    #expect(Self.obstacle(0..<3, 4..<6) == nil)
  }

  @Test func `a change within a piece is reported with its position`() {
    #expect(Self.obstacle(3..<8) == .changesWithin(place: 6))
    #expect(Self.obstacle(0..<2, 3..<8) == .changesWithin(place: 6))
    #expect(Self.obstacle(3..<8, isEncoded: true) == .changesWithin(place: 6))
  }

  @Test func `pieces that differ are reported`() {
    #expect(Self.obstacle(0..<6, 6..<12) == .differs)
  }

  @Test func `a rate that differs from the beginning is reported`() {
    #expect(Self.obstacle(12..<18) == .unlikeBeginning)
  }

  @Test func `where packets keep their headers, all of that is written`() {
    #expect(Self.obstacle(3..<8, keepsHeaders: true) == nil)
    #expect(Self.obstacle(0..<6, 6..<18, keepsHeaders: true) == nil)
    #expect(Self.obstacle(12..<18, keepsHeaders: true) == nil)
  }

  @Test func `even there, one encoder has only one description`() {
    #expect(
      Self.obstacle(3..<8, keepsHeaders: true, isEncoded: true) == .changesWithin(place: 6))
    #expect(Self.obstacle(12..<18, keepsHeaders: true, isEncoded: true) == .unlikeBeginning)
  }

  @Test func `channels stated only in frames are valid only at the beginning`() {
    let late = AudioDescriptions([
      .init(place: 0, configuration: [0x11, 0x90], sampleRate: 48000, channels: 2),
      .init(place: 6, configuration: [0x11, 0x80], sampleRate: 48000, channels: 0),
    ])
    let piece = Piece(6..<9, isEncoded: false)
    #expect(late.obstacle(to: [piece], keepsHeaders: false) == .unlikeBeginning)
    #expect(late.obstacle(to: [piece], keepsHeaders: true) == .unlikeBeginning)
  }

  @Test func `where nothing changes, there is no obstacle`() {
    #expect(
      AudioDescriptions().obstacle(to: [Piece(0..<9, isEncoded: true)], keepsHeaders: false) == nil)
  }
}
