import Bitstreams
import ExactTime
import ISOMedia
import MediaFacts
import MediaFiles
import Trimming

extension JoinArrangement {
  /// - Throws: ``MediaError`` naming the source that cannot follow.
  init(
    _ pieces: [any CutSource], names: [String], _ request: CutRequest, _ container: OutputContainer
  ) throws(MediaError) {
    if let like = request.like {
      guard pieces.indices.contains(like) else {
        throw MediaError(.notCuttable, "the source to be like does not exist")
      }
      guard Self.pictures(of: pieces[like]) != nil || !pieces.contains(where: Self.hasPictures)
      else {
        var error = MediaError(
          .notCuttable, "it has no pictures that others could be like",
          hint: "Name a file with pictures.")
        error.source = like
        throw error
      }
      leading = like
    } else {
      leading = Self.leading(of: pieces, request, container)
    }
    sources = []
    var described = pieces[leading].tracks
    let lent = Self.lent(to: leading, pieces)
    if let lent { described.append(pieces[lent.source].tracks[lent.track]) }
    var records: [[UInt8]] = []
    let first = Self.pictures(of: pieces[leading])
    if let first { records.append(pieces[leading].tracks[first].configuration) }
    let converted = try Self.converted(first, of: leading, pieces, names, request, container)
    if let (track, refit) = converted {
      made = track
      described[track].facts = MadePictures.facts(like: described[track].facts)
      if let difference = PictureDifference(pieces[leading].tracks[track], from: described[track]),
        let (why, hint) = difference.obstacle
      {
        throw Self.refusal(leading, why, refit.text, hint)
      }
    }
    for number in pieces.indices {
      guard number != leading else {
        sources.append(Self.arrangement(of: described.count, lent, converted))
        continue
      }
      let order = Self.order(of: pieces[number].tracks, like: described)
      var arrangement = RefittedSource.Arrangement(order: order)
      for track in order.indices {
        guard described.indices.contains(track) else { continue }
        let theirs = described[track]
        guard theirs.facts.kind == .video, theirs.facts.isPresented else { continue }
        var refit = try Self.refit(
          order[track].map { pieces[number].tracks[$0] }, to: theirs, number, leading, names)
        if refit == nil, track == first, let own = order[track] {
          let record = pieces[number].tracks[own].configuration
          if container.isISO, container != .mp4,
            made != nil || !JoinedSets.canShare(theirs.facts.codec, records + [record])
          {
            refit = PictureRefit(
              .otherFormat,
              text: "parameter sets differ, and \(container.rules.ending) holds those of one only")
          } else {
            records.append(record)
          }
        }
        guard let refit else { continue }
        guard request.mode != .copy, request.joinMode != .copy else {
          throw Self.refusal(number, leading, names, "its " + refit.text)
        }
        guard track == made || pieces[leading].isEncodable(track) else {
          let hasOther = pieces.indices.contains {
            $0 != leading && Self.hasPictures(pieces[$0])
          }
          throw Self.noEncoder(for: theirs, leading, hasOther: hasOther)
        }
        arrangement.refits[track] = refit
      }
      let isNatural = order.enumerated().allSatisfy { place, own in
        own == place || own == nil && !pieces[number].tracks.indices.contains(place)
      }
      sources.append(isNatural && arrangement.refits.isEmpty ? nil : arrangement)
    }
  }

  /// Why the pictures of the leading source become H.264; `nil` where they stay: the container holds
  /// them, or neither.
  private static func converted(
    _ first: Int?, of leading: Int, _ pieces: [any CutSource], _ names: [String],
    _ request: CutRequest, _ container: OutputContainer
  ) throws(MediaError) -> (track: Int, refit: PictureRefit)? {
    guard let first, SourceFit.joins(container),
      !holdsCodec(of: pieces[leading], first, container),
      container.rules.codecs?.contains(MadePictures.codec) ?? true
    else { return nil }
    let track = pieces[leading].tracks[first]
    let text = "video is \(track.facts.codec), which \(container.rules.ending) cannot hold"
    guard request.mode != .copy, request.joinMode != .copy else {
      var error = MediaError(
        .codecDoesNotFit, "its " + text,
        hint: "Without copying only, its pictures would be re-encoded to H.264.")
      error.source = leading
      throw error
    }
    guard MadePictures.isPossible else {
      var error = MediaError(
        .codecMissing, "its " + text + ", and this FFmpeg has no encoder for H.264",
        hint: "Write .mkv instead.")
      error.source = leading
      throw error
    }
    return (first, PictureRefit(.codecNotHeld, text: text))
  }

  /// How the leading source follows itself.
  private static func arrangement(
    of count: Int, _ lent: RefittedSource.Lender?, _ converted: (track: Int, refit: PictureRefit)?
  ) -> RefittedSource.Arrangement? {
    guard lent != nil || converted != nil else { return nil }
    let own = lent == nil ? count : count - 1
    var result = RefittedSource.Arrangement(order: Array(0..<own))
    if let lent {
      result.order.append(nil)
      result.lent = [own: lent]
    }
    if let (track, refit) = converted { result.refits[track] = refit }
    return result
  }

  private static func refusal(
    _ number: Int, _ why: String, _ cause: String, _ hint: String
  ) -> MediaError {
    var error = MediaError(.notCuttable, "its \(cause), and \(why)", hint: hint)
    error.source = number
    return error
  }

  private static func refusal(
    _ number: Int, _ leading: Int, _ names: [String], _ why: String,
    hint: String = "Without copying only, its pictures would be re-encoded."
  ) -> MediaError {
    var error = MediaError(
      .notCuttable, "it cannot be joined with \(names[leading]): \(why)", hint: hint)
    error.source = number
    return error
  }

  private static func noEncoder(
    for track: SourceTrack, _ leading: Int, hasOther: Bool
  ) -> MediaError {
    var error = MediaError(
      .codecMissing,
      "others cannot be joined like it: there is no encoder for \(track.facts.codec) (track \(track.facts.id))",
      hint: hasOther ? "Join it like another source." : "Convert it to another codec first.")
    error.source = leading
    return error
  }

  private static func refit(
    _ own: SourceTrack?, to theirs: SourceTrack, _ number: Int, _ leading: Int, _ names: [String]
  ) throws(MediaError) -> PictureRefit? {
    guard let own else {
      return PictureRefit(.noPictures, text: "pictures are missing: it shows black")
    }
    guard let difference = PictureDifference(own, from: theirs), let text = difference.text
    else { return nil }
    if let (why, hint) = difference.obstacle {
      throw refusal(number, leading, names, why, hint: hint)
    }
    return PictureRefit(.otherFormat, text: text)
  }

  /// The sound of the first source that has any, where the leading one has pictures alone.
  private static func lent(
    to leading: Int, _ pieces: [any CutSource]
  ) -> RefittedSource.Lender? {
    func sound(_ piece: any CutSource) -> Int? {
      piece.tracks.firstIndex { $0.facts.kind == .audio && $0.facts.isPresented }
    }
    guard hasPictures(pieces[leading]), sound(pieces[leading]) == nil else { return nil }
    for (number, piece) in pieces.enumerated() {
      if let track = sound(piece) { return RefittedSource.Lender(source: number, track: track) }
    }
    return nil
  }

  private static func hasPictures(_ piece: any CutSource) -> Bool { pictures(of: piece) != nil }

  private static func pictures(of piece: any CutSource) -> Int? {
    piece.tracks.firstIndex { $0.facts.kind == .video && $0.facts.isPresented }
  }

  private static func leading(
    of pieces: [any CutSource], _ request: CutRequest, _ container: OutputContainer
  ) -> Int {
    let kinds = pieces.map { piece in
      Set(piece.tracks.lazy.map(\.facts).filter(\.isPresented).map(\.kind)).count
    }
    let most = kinds.max() ?? 0
    var candidates = pieces.indices.filter { kinds[$0] == most }
    // Where none has both, pictures lead.
    let pictured = candidates.filter { hasPictures(pieces[$0]) }
    if !pictured.isEmpty { candidates = pictured }
    // What the output cannot hold is re-encoded to what it can, even if that has no sound.
    let held = pieces.indices.filter { hasPictures(pieces[$0]) && holds(pieces[$0], container) }
    if !held.isEmpty, hasPictures(pieces[candidates[0]]) {
      let both = candidates.filter(held.contains)
      candidates = both.isEmpty ? held : both
    }
    var lengths = pieces.map { _ in MediaDuration.zero }
    for part in request.parts where lengths.indices.contains(part.source) {
      guard let length = try? part.range.checkedLength(),
        let sum = try? lengths[part.source].adding(length)
      else { continue }
      lengths[part.source] = sum
    }
    var best: (source: Int, length: MediaDuration)?
    for candidate in candidates {
      var total = MediaDuration.zero
      for number in pieces.indices where isAlike(pieces[number], pieces[candidate]) {
        total = (try? total.adding(lengths[number])) ?? total
      }
      if best.map({ $0.length < total }) ?? true { best = (candidate, total) }
    }
    return best?.source ?? 0
  }

  private static func isAlike(_ one: any CutSource, _ other: any CutSource) -> Bool {
    guard let mine = pictures(of: one), let theirs = pictures(of: other) else {
      return pictures(of: one) == pictures(of: other)
    }
    return PictureDifference(one.tracks[mine], from: other.tracks[theirs])?.text == nil
  }

  private static func holds(_ piece: any CutSource, _ container: OutputContainer) -> Bool {
    guard let track = pictures(of: piece) else { return true }
    if SourceFacts.Track(track, piece.tracks[track], piece).losesRotation.contains(container) {
      return false
    }
    return holdsCodec(of: piece, track, container)
  }

  private static func holdsCodec(
    of piece: any CutSource, _ track: Int, _ container: OutputContainer
  ) -> Bool {
    if let codecs = container.rules.codecs, !codecs.contains(piece.tracks[track].facts.codec) {
      return false
    }
    // The sample entry can be carried over.
    if let native = piece.native, container.rules.isISO,
      native.movie.isQuickTime == container.rules.isQuickTime
    {
      return true
    }
    return piece.holders(ofTrack: track, false).contains(container)
  }

  /// The tracks that correspond to those of the leading source, and then the others.
  ///
  /// They are matched by number where the kinds agree, else the first of a kind with the first and so on.
  private static func order(of own: [SourceTrack], like theirs: [SourceTrack]) -> [Int?] {
    let isSame = theirs.indices.allSatisfy { index in
      !theirs[index].facts.isPresented
        || own.indices.contains(index) && own[index].facts.isPresented
          && own[index].facts.kind == theirs[index].facts.kind
    }
    var free = Array(own.indices)
    var order: [Int?] = theirs.indices.map { index in
      let wanted = theirs[index].facts
      let place = free.firstIndex { place in
        let found = own[place].facts
        if wanted.isPresented, !isSame {
          return found.isPresented && found.kind == wanted.kind
        }
        return place == index && (isSame || !found.isPresented && found.kind == wanted.kind)
      }
      return place.map { free.remove(at: $0) }
    }
    order += free.map { $0 }
    return order
  }
}

extension JoinedSource {
  /// The same sources, with those matched with the leading one that a request needs to be; itself where
  /// they are already.
  ///
  /// - Throws: ``MediaError`` naming the source that cannot follow.
  func arranged(
    for request: CutRequest, _ container: OutputContainer
  ) throws(MediaError) -> JoinedSource {
    let wanted = try JoinArrangement(originals, names: names, request, container)
    return wanted == arrangement
      ? self : try JoinedSource(originals, names: names, as: wanted)
  }
}
