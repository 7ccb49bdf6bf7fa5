import Bitstreams
import MediaFacts
import MediaFiles

extension CutProof {
  /// The pictures from the one where the decoder restarts up to this one, if the decoder gets the
  /// same units and parameter sets as from the source.
  ///
  /// When a coded picture ends too early, decoders read on into whatever follows it in memory,
  /// which differs between start codes and length prefixes.
  func copiedGroup(
    upTo place: Int, _ index: Int, _ written: any CutSource
  ) throws(MediaError) -> ClosedRange<Int>? {
    let track = tracks[index]
    guard let key = track.packets[...place].lastIndex(where: \.isKey), key < place,
      source.access(ofTrack: track.source, track.packets[key].place) == .idr
    else { return nil }
    let first = track.packets[key].place
    let places = first...first + (place - key)
    guard
      zip(key...place, places).allSatisfy({ track.packets[$0].payload == .source(place: $1) })
    else { return nil }
    try source.prepare([track.source: [Range(places)]])
    try written.prepare([index: [key..<place + 1]])
    // The parameter sets of encoded frames may be present as well.
    guard let sets = try sets(of: source, track.source, at: first),
      let others = try self.sets(of: written, index, at: key), sets.areHeld(by: others)
    else { return nil }
    for (mine, theirs) in zip(key...place, places)
    where try pictures(of: written, index, mine, sets)
      != pictures(of: source, track.source, theirs, sets)
    {
      return nil
    }
    return key...place
  }

  private func sets(
    of file: any CutSource, _ track: Int, at place: Int
  ) throws(MediaError) -> ParameterSets? {
    let stated = file.tracks[track]
    var sets = ParameterSets(codec: stated.facts.codec, configuration: stated.configuration)
    sets?.renew(try units(of: file, track, place))
    return sets
  }

  /// The units of a sample that are decoded, split by start codes only: damage can look like a
  /// start code.
  private func pictures(
    of file: any CutSource, _ track: Int, _ place: Int, _ sets: ParameterSets
  ) throws(MediaError) -> [[UInt8]] {
    let bytes = Framing.annexB.pack(try units(of: file, track, place).map(Array.init))
    return NALUnits(bytes: bytes[...], framing: .annexB)
      .filter { !sets.isSet($0) && !sets.isEmpty($0) }.map(Array.init)
  }

  private func units(
    of file: any CutSource, _ track: Int, _ place: Int
  ) throws(MediaError) -> NALUnits {
    let bytes = try file.bytes(ofTrack: track, place)
    return NALUnits(bytes: bytes[...], framing: file.tracks[track].framing)
  }
}
