import ExactTime

extension TrimmingPresenter {
  func perform(_ effect: SessionEffect) {
    switch effect {
    case .deliver(let event): deliver(event)
    case .log(let event):
      ports.log.write(event)
      deliver(.logged(event))
    case .claimFirstVisit: claimFirstVisit()
    case .probe: probe()
    case .requestPicture(let request): requestPicture(request)
    case .showPicture: if let arrivedPicture { show(arrivedPicture) }
    case .startExport(let request): startExport(request)
    case .cancelExport: exporting.replace(with: nil)
    }
  }

  private func claimFirstVisit() {
    do {
      let isFirst = try ports.flags.claim()
      handle(.firstVisitDidResolve(isFirst ? .first : .visitedBefore))
    } catch {
      handle(.firstVisitDidResolve(.unavailable(reason: "\(error)")))
    }
  }

  func probe() {
    let (port, location) = (ports.probe, session.location)
    probing.replace(
      with: Task { [weak self] in
        do {
          let timings = try await port.timings(location)
          guard !Task.isCancelled else { return }
          self?.handle(.videoDidLoad(timings))
        } catch {
          guard !Task.isCancelled else { return }
          self?.handle(.videoDidFail(error as? VideoFailure ?? VideoFailure("\(error)")))
        }
      })
  }

  /// Waits for the handle to rest: the next request cancels this one, whether waiting or running.
  private func requestPicture(_ request: PictureRequest) {
    let (port, clock) = (ports.pictures, ports.clock)
    picturing.replace(
      with: Task { [weak self] in
        do {
          try await clock.sleep(for: port.delay)
          guard let picture = try await port.picture(request) else { return }
          self?.take(picture, for: request)
        } catch {
          // No picture is better than a wrong one: the one on screen stays.
        }
      })
  }

  private func take(_ picture: FramePicture, for request: PictureRequest) {
    arrivedPicture = picture
    handle(.pictureDidArrive(id: request.id, position: picture.position))
    arrivedPicture = nil
  }

  private func startExport(_ request: ExportRequest) {
    let port = ports.export
    exporting.replace(
      with: Task { [weak self] in
        do {
          let locations = try await port.run(request) { fraction in
            Task { @MainActor in
              self?.handle(.exportDidProgress(id: request.id, fraction: fraction))
            }
          }
          self?.handle(.exportDidFinish(id: request.id, locations: locations))
        } catch is CancellationError {
          self?.handle(.exportDidCancel(id: request.id))
        } catch {
          self?.handle(.exportDidFail(id: request.id, message: "\(error)"))
        }
      })
  }
}
