import Libav
import MediaFacts
import MediaFiles

extension VideoAssembly {
  /// Re-encodes the alpha channel of a run, by source packet: it is coded like pictures,
  /// alongside them.
  ///
  /// - Parameter keys: packets at which decoding must be able to start.
  /// - Returns: empty if the track has no alpha channel, or the output does not support it.
  func alphas(
    _ run: EdgeEncoder.Run, keys: Set<Int>, _ choice: EncoderChoice
  ) throws(MediaError) -> [Int: PayloadSpool.Slot] {
    let track = source.tracks[index]
    guard keepsAlpha, track.hasAlpha else { return [:] }
    // Files recorded by browsers announce alpha, but have it only for pictures that are not
    // opaque.
    var layer = run
    (layer.places, layer.intra) = ([], [])
    var isKeyDue = false
    for place in run.places {
      isKeyDue = isKeyDue || keys.contains(place)
      guard try source.alpha(ofTrack: index, place) != nil else { continue }
      layer.places.append(place)
      if isKeyDue { layer.intra.insert(place) }
      isKeyDue = false
    }
    var encoder = EdgeEncoder(
      source: source, track: index, settings: choice.settings(track.facts.video),
      takesShown: false, limits: limits, isCancelled: isCancelled)
    encoder.layer = .alpha
    var slots: [Int: PayloadSpool.Slot] = [:]
    try encoder.encode(layer) { (picture, _) throws(MediaError) in
      slots[picture.place] = try spool.add(picture.packet.bytes)
    }
    return slots
  }
}
