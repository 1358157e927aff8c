import CRealtime
import FxChain
import FxDevices
import FxEngine
import FxGraph
import FxPlaying

/// What became of a chain that was to take over from the one that plays.
public enum ChainChange: Sendable {
  /// It plays; one sentence says what is different.
  case loaded(path: String, summary: String)
  /// The old chain plays on.
  case refused(path: String, ChainFailure)
}

/// Changes the chain while it plays.
///
/// A changed file is read and compiled on a thread of its own. Where values alone have changed they
/// ramp; otherwise another program takes over through a transition, and only once that is over does
/// the next one.
final class ReloadManager {
  private let playing: PlayingChain
  private let driver: LiveDriver
  private let journal: ChangeJournal
  private let settings: CompiledChain.Settings
  /// What the chain that plays was made of.
  private var files: ChainFiles
  /// What the chain that is being loaded is made of.
  private var attempted = ChainFiles()
  private let loader: ChainLoader
  /// Where files are watched.
  private var watch: ChainWatch?
  /// Who asked for what is being loaded.
  private var asked: [(LiveControl.Outcome) -> Void] = []
  /// What is asked for next; of several the last counts.
  private var next: (path: String?, answers: [(LiveControl.Outcome) -> Void])?
  /// A chain that is ready and has to wait for the last one to have taken over.
  private var ready: LoadedChain?
  private var transition: Transition?
  /// The chain whose beginning the log does not have yet.
  private var unloggedPath: String?
  private let report: ((ChainChange) -> Void)?
  private let hasTakenOver: () -> Void

  /// - Parameters:
  ///   - report: receives every chain that was taken over or refused.
  ///   - hasTakenOver: called when `playing` has become another chain.
  init(
    _ playing: PlayingChain, _ driver: LiveDriver, _ journal: ChangeJournal,
    _ settings: CompiledChain.Settings, _ files: ChainFiles, wakeEvent: WakeEvent,
    watchesFiles: Bool, report: ((ChainChange) -> Void)?, hasTakenOver: @escaping () -> Void
  ) {
    self.playing = playing
    self.driver = driver
    self.journal = journal
    self.settings = settings
    self.files = files
    self.report = report
    self.hasTakenOver = hasTakenOver
    loader = ChainLoader(wakeEvent: wakeEvent)
    if watchesFiles { watch = ChainWatch() }
    let chain = playing.chain
    if chain.stamp != nil { files.texts.note(chain.path, as: chain.stamp) }
    playing.compiled.note(into: files.parts)
  }

  /// True while a chain is compiled, or ready to take over.
  var isLoading: Bool { loader.isBusy || ready != nil }

  func load(_ path: String?, answer: @escaping (LiveControl.Outcome) -> Void) {
    next = (path, (next?.answers ?? []) + [answer])
  }

  func poll() {
    let texts = files.texts
    if next == nil, !isLoading,
      watch?.sees(texts, now: fx_monotonic_seconds()) == true
    {
      load(nil) { _ in }
    }
    if let outcome = loader.take() { finishLoading(outcome) }
    if let transition { follow(transition) }
    if transition == nil, let ready, driver.isReplaced {
      self.ready = nil
      takeOver(ready)
    }
    if ready == nil, !loader.isBusy, let next {
      // What it is compared with has to be what plays by then.
      if let transition { return transition.hurry() }
      self.next = nil
      asked = next.answers
      let (chain, live, values) = (playing.chain, playing.compiled, playing.values)
      let summaries = Array(driver.program.plan.nodes.prefix(live.resolved.graph.nodes.count))
      let (settings, files, attempted) = (settings, files, ChainFiles())
      self.attempted = attempted
      let path = next.path ?? chain.path
      driver.device.isChangingChain = true
      loader.start { () throws(ChainFailure) in
        try LoadedChain.load(
          path, like: chain, from: live, current: values, summaries, settings, files,
          noting: attempted)
      }
    }
  }

  private func finishLoading(_ outcome: ChainLoader.Outcome) {
    switch outcome {
    case .success(let loaded): ready = loaded
    case .failure(let failure): refuse(failure)
    }
  }

  private func refuse(_ failure: ChainFailure) {
    // The same mistake is not reported again until the file is written again.
    files.texts.adopt(attempted.texts)
    answer(.failure(failure))
    report?(.refused(path: playing.chain.path, failure))
  }

  private func answer(_ outcome: LiveControl.Outcome) {
    let asked = asked
    self.asked = []
    for answer in asked { answer(outcome) }
  }

  private func takeOver(_ loaded: LoadedChain) {
    let change = loaded.change
    if loaded.isOfValuesAlone {
      for value in change.values {
        _ = driver.program.set(
          node: value.oldNode, parameter: value.parameter, to: value.value)
      }
    } else {
      do throws(TransitionError) {
        let transition = try Transition(
          from: driver.program,
          to: Transition.Target(
            plan: loaded.compiled.plan, graph: loaded.compiled.resolved,
            instances: loaded.compiled.instances, partition: loaded.compiled.partition),
          change: change)
        guard driver.replace(with: transition.crossfade) else {
          ready = loaded
          return
        }
        self.transition = transition
        unloggedPath = loaded.chain.path
      } catch {
        return refuse(
          ChainFailure(
            .internalError, code: "no-transition",
            "the chain that plays cannot become this one (\(error)); "
              + "this is a mistake in fxrun, please report it with both chains"))
      }
    }
    playing.replace(with: loaded.chain, loaded.compiled)
    files = loaded.files
    hasTakenOver()
    answer(.success(.loaded(loaded.summary)))
    report?(.loaded(path: loaded.chain.path, summary: loaded.summary))
  }

  private func follow(_ transition: Transition) {
    if let path = unloggedPath, let frame = transition.startFrame {
      journal.record(.load(path: path), at: frame)
      unloggedPath = nil
    }
    guard transition.isOver else { return }
    driver.device.isChangingChain = true
    guard driver.isReplaced else { return }
    guard let program = transition.finish(), driver.replace(with: program) else { return }
    self.transition = nil
  }
}
