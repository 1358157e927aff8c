import CRealtime
import FxChain
import FxDevices
import FxEngine
import FxGraph
import FxPlaying

/// Where a session is with taking over another chain.
struct ReloadState {
  /// What plays, as a file.
  var chain: Chain
  let settings: CompiledChain.Settings
  /// What it was made of.
  var files: ChainFiles
  /// What the chain that is being loaded is made of.
  var attempted = ChainFiles()
  let loader: ChainLoader
  var watch: ChainWatch?
  /// Who asked for what is being loaded.
  var asked: [(LiveControl.Outcome) -> Void] = []
  /// What is asked for next; of several the last counts.
  var next: (path: String?, answers: [(LiveControl.Outcome) -> Void])?
  /// A chain that is ready and has to wait for the last one to have taken over.
  var ready: LoadedChain?
  var transition: Transition?
  /// The chain whose beginning the log does not have yet.
  var logs: String?
  /// True while a chain is compiled, or ready to take over.
  var isLoading: Bool { loader.isBusy || ready != nil }
  /// Told of every chain that was taken over or refused.
  var tell: ((ChainChange) -> Void)?

  init(
    _ chain: Chain, _ settings: CompiledChain.Settings, _ files: ChainFiles, wakeEvent: WakeEvent
  ) {
    self.chain = chain
    self.settings = settings
    self.files = files
    loader = ChainLoader(wakeEvent: wakeEvent)
    if chain.stamp != nil { files.texts.note(chain.path, as: chain.stamp) }
  }
}

/// What became of a chain that was to take over from the one that plays.
public enum ChainChange: Sendable {
  /// It plays; one sentence says what is different.
  case loaded(path: String, summary: String)
  /// The old chain plays on.
  case refused(path: String, ChainFailure)
}

/// Changing the chain while it plays.
///
/// A changed file is read and compiled on a thread of its own. Where values alone have changed they
/// ramp; otherwise another program takes over through a transition, and only once that is over does
/// the next one.
extension LiveSession {
  func load(_ path: String?, answer: @escaping (LiveControl.Outcome) -> Void) {
    reload.next = (path, (reload.next?.answers ?? []) + [answer])
  }

  func lookAfterReload() {
    let texts = reload.files.texts
    if reload.next == nil, !reload.isLoading,
      reload.watch?.sees(texts, now: fx_monotonic_seconds()) == true
    {
      load(nil) { _ in }
    }
    if let outcome = reload.loader.take() { finishLoading(outcome) }
    if let transition = reload.transition { follow(transition) }
    if reload.transition == nil, let ready = reload.ready, driver.isReplaced {
      reload.ready = nil
      takeOver(ready)
    }
    if reload.ready == nil, !reload.loader.isBusy, let next = reload.next {
      // What it is compared with has to be what plays by then.
      if let transition = reload.transition { return transition.hurry() }
      reload.next = nil
      reload.asked = next.answers
      let (chain, live, values) = (reload.chain, live, values)
      let summaries = Array(driver.program.plan.nodes.prefix(live.resolved.graph.nodes.count))
      let (settings, files, attempted) = (reload.settings, reload.files, ChainFiles())
      reload.attempted = attempted
      let path = next.path ?? chain.path
      driver.device.isChangingChain = true
      reload.loader.start { () throws(ChainFailure) in
        try LoadedChain.load(
          path, like: chain, from: live, current: values, summaries, settings, files,
          noting: attempted)
      }
    }
  }

  private func finishLoading(_ outcome: ChainLoader.Outcome) {
    switch outcome {
    case .success(let loaded): reload.ready = loaded
    case .failure(let failure): refuse(failure)
    }
  }

  private func refuse(_ failure: ChainFailure) {
    // The same mistake is not told again until the file is written again.
    reload.files.texts.adopt(reload.attempted.texts)
    answer(.failure(failure))
    reload.tell?(.refused(path: reload.chain.path, failure))
  }

  private func answer(_ outcome: LiveControl.Outcome) {
    let asked = reload.asked
    reload.asked = []
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
            instances: loaded.compiled.instances),
          change: change)
        guard driver.replace(with: transition.passage) else {
          reload.ready = loaded
          return
        }
        reload.transition = transition
        reload.logs = loaded.chain.path
      } catch {
        return refuse(
          ChainFailure(
            .internalError, code: "no-transition",
            "the chain that plays cannot become this one (\(error)); "
              + "this is a mistake in fxrun, please report it with both chains"))
      }
    }
    live = loaded.compiled
    values = loaded.compiled.resolved.graph.nodes.map { $0.unit?.values ?? [] }
    reload.chain = loaded.chain
    reload.files = loaded.files
    updateMIDIInputs()
    answer(.success(.loaded(loaded.summary)))
    reload.tell?(.loaded(path: loaded.chain.path, summary: loaded.summary))
  }

  private func follow(_ transition: Transition) {
    if let path = reload.logs, let frame = transition.startFrame {
      noteLoad(path, at: frame)
      reload.logs = nil
    }
    guard transition.isOver else { return }
    driver.device.isChangingChain = true
    guard driver.isReplaced else { return }
    guard let program = transition.finish(), driver.replace(with: program) else { return }
    reload.transition = nil
  }
}
