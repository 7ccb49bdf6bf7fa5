import CommandLineKit
import ExactTime
import Isolation
import MediaEngine

extension EnginePort {
  /// The quietest instants near others, in a sealed process where there is one.
  ///
  /// Blocking.
  ///
  /// - Parameters:
  ///   - tolerance: how far each may be away.
  ///   - isCancelled: called during the work, on any thread.
  /// - Throws: ``PlayedMedia/Failure``; `noSound` where there is no audio.
  func quietestInstants(
    near times: [MediaTime], in media: DrawnMedia, within tolerance: MediaDuration,
    isCancelled: @escaping @Sendable () -> Bool = { false }
  ) throws(PlayedMedia.Failure) -> [MediaTime] {
    let request = RemoteEdges(media, times, tolerance)
    do throws(EngineFailure) {
      if let answer = try remote?(
        RemoteWork(.quiet, request, on: media, isCancelled: isCancelled))
      {
        return try RemoteWork.admitted(answer) { (found: [MediaTime]) in
          found.count == times.count
            && zip(found, times).allSatisfy { Self.isNear($0, $1, tolerance) }
        }
      }
    } catch {
      throw PlayedMedia.Failure(error)
    }
    do throws(MediaError) {
      return try request.instants(isCancelled: isCancelled)
    } catch {
      throw PlayedMedia.Failure(error)
    }
  }

  private static func isNear(
    _ time: MediaTime, _ other: MediaTime, _ tolerance: MediaDuration
  ) -> Bool {
    guard let distance = try? time.distance(from: other).checkedMagnitude() else { return false }
    return distance <= tolerance
  }
}

/// The request to a sealed process for quiet instants.
struct RemoteEdges: Sendable, Codable {
  private var media: RemoteDrawing
  private var times: [MediaTime]
  private var tolerance: MediaDuration

  init(_ media: DrawnMedia, _ times: [MediaTime], _ tolerance: MediaDuration) {
    self.media = RemoteDrawing(media, [], tiles: nil)
    (self.times, self.tolerance) = (times, tolerance)
  }

  func instants(
    isCancelled: @escaping @Sendable () -> Bool
  ) throws(MediaError) -> [MediaTime] {
    let media = media.media
    let track = try AudioTrack(
      media.path, facts: media.facts, origin: media.origin, deadline: media.deadline,
      isCancelled: isCancelled)
    var found: [MediaTime] = []
    for time in times {
      found.append(try track.quietestInstant(near: time, within: tolerance))
    }
    return found
  }
}
