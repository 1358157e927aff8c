import CRealtime
import FxAudio
import FxChain
import FxEngine
import FxPlaying

/// The result of replacing the playing chain.
public enum ChainChange: Sendable {
  /// The new chain plays; `summary` says what changed.
  case loaded(path: String, summary: String)
  /// The old chain continues to play.
  case refused(path: String, ChainFailure)
}

/// Changes the chain while it plays.
///
/// A changed file is read and compiled on its own thread. If only values changed, they ramp.
/// Otherwise another program takes over through a transition; the next program waits for its end.
final class ReloadManager {
  private let playing: PlayingChain
  private let driver: LiveDriver
  private let journal: ChangeJournal
  /// The settings of the chain at the start.
  private let settings: CompiledChain.Settings
  /// The files of the chain that plays.
  private var files: ChainFiles
  /// The files of the chain that is being loaded.
  private var attempted = ChainFiles()
  private let loader: ChainLoader
  /// nil if files are not watched.
  private var watch: ChainWatch?
  /// The receivers of the answer for the chain that is being loaded.
  private var asked: [(LiveControl.Outcome) -> Void] = []
  /// The next request. A later request replaces the chain, and all receivers get its answer.
  private var next: (chain: Wanted, answers: [(LiveControl.Outcome) -> Void])?

  /// The chain that is to play.
  private enum Wanted {
    case file(String)
    case chain(Chain, keepsChanges: Bool)
  }

  /// A compiled chain that waits until the previous one has taken over.
  private var ready: LoadedChain?
  private var transition: Transition?
  /// A loaded chain whose start frame is not in the log yet.
  private var unloggedPath: String?
  private let report: ((ChainChange) -> Void)?
  private let hasTakenOver: () -> Void

  /// - Parameters:
  ///   - report: receives every chain that took over or was refused.
  ///   - hasTakenOver: called when `playing` has changed to another chain.
  init(
    _ playing: PlayingChain, _ driver: LiveDriver, _ journal: ChangeJournal,
    _ files: ChainFiles, wakeEvent: WakeEvent,
    watchesFiles: Bool, report: ((ChainChange) -> Void)?, hasTakenOver: @escaping () -> Void
  ) {
    self.playing = playing
    self.driver = driver
    self.journal = journal
    settings = playing.compiled.settings
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

  /// Carries out a request to load a file or to replace the chain.
  func load(
    _ request: LiveRequest, answer: @escaping (LiveControl.Outcome) -> Void
  ) throws(ChainFailure) {
    let wanted: Wanted
    if case .replace(let chain, let keepsChanges) = request {
      guard !journal.isLogged else {
        throw ChainFailure(
          .request, code: .cannotReplay,
          "a chain of the program cannot replace one whose changes are logged: load a file")
      }
      wanted = .chain(chain, keepsChanges: keepsChanges)
    } else if case .load(let path?) = request {
      wanted = .file(path)
    } else {
      guard playing.chain.stamp != nil else {
        throw ChainFailure(
          .request, code: .unreadable,
          "the chain was made from a text, so there is no file to read again: name one")
      }
      wanted = .file(playing.chain.path)
    }
    next = (wanted, (next?.answers ?? []) + [answer])
  }

  func poll() {
    let texts = files.texts
    if next == nil, !isLoading,
      watch?.sees(texts, now: fx_monotonic_seconds()) == true
    {
      next = (.file(playing.chain.path), [])
    }
    if let outcome = loader.take() { finishLoading(outcome) }
    if let transition { follow(transition) }
    if transition == nil, let ready, driver.isReplaced {
      self.ready = nil
      takeOver(ready)
    }
    if ready == nil, !loader.isBusy, let next {
      // The new chain must be compared with the chain that plays after the transition, and may use nodes of
      // the program that the chain before it has given up.
      if let transition { return transition.hurry() }
      guard driver.isReplaced else { return }
      journal.poll()
      self.next = nil
      asked = next.answers
      let (chain, live, values) = (playing.chain, playing.compiled, playing.values)
      let summaries = Array(driver.program.plan.nodes.prefix(live.resolved.graph.nodes.count))
      let (settings, files, attempted) = (settings, files, ChainFiles())
      self.attempted = attempted
      let wanted = next.chain
      driver.device.isChangingChain = true
      loader.start { () throws(ChainFailure) in
        let following: Chain
        var keeps = false
        switch wanted {
        case .file(let path):
          attempted.texts.note(path)
          following = try Chain(takingOver: path, from: chain)
        case .chain(let chain, let keepsChanges): (following, keeps) = (chain, keepsChanges)
        }
        return try LoadedChain.load(
          following, from: live, current: values, keepsChanges: keeps, summaries, settings, files,
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
    // Do not report the same mistake again until the file is written again.
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
            .internalError, code: .noTransition,
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
