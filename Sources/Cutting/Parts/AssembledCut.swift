import ISOMedia
import Libav
import MediaFiles
import Trimming

/// An assembled plan: encoded edges, and the positions of everything else in the source.
///
/// It is kept if a cut is previewed before it is written, so that nothing is encoded twice.
final class AssembledCut {
  let plan: CutPlan
  /// The source as the output gets it.
  let source: any CutSource
  let tracks: [OutputTrack]
  let labels: FileLabels
  let spool: PayloadSpool

  init(
    _ plan: CutPlan, of source: any CutSource, limits: Limits, _ meter: WorkMeter
  ) throws(MediaError) {
    let view = try OutputView(source, plan)
    (self.plan, self.source) = (plan, view.source)
    spool = PayloadSpool(most: plan.request.mostBytes)
    let assembly = PartsAssembly(
      view: view, plan: plan, spool: spool, limits: limits, meter: meter)
    tracks = try assembly.tracks().numbered(by: plan.container.rules, of: view.source)
    labels = try assembly.labels()
  }

  /// Its chapters, as MP4 lists them.
  var isoChapters: [ISOOutputChapter] {
    labels.chapters.map { ISOOutputChapter(start: $0.start, title: $0.title ?? "") }
  }
}
