/// The result of probing a plugin in its own process.
package struct PluginVerdict: Sendable, Hashable {
  package enum Outcome: String, Sendable, Hashable, CaseIterable {
    /// Instantiated, run and cleaned up; its output has sound.
    case ok
    /// The same, but the output is silent although the input is noise.
    case silent
    /// The output has NaN or infinite samples.
    case nonFinite
    /// Its description requires a feature that fxrun does not have.
    case refused
    /// It could not be instantiated.
    case failed
    case crashed
    case hung
  }

  /// Where a plugin was when it crashed or hung.
  package enum Stage: UInt32, Sendable, Hashable, CaseIterable {
    case load = 0
    case instantiate
    case run
    case cleanup
    /// The end of the process, where its library is unloaded.
    case exit
  }

  package var outcome: Outcome
  /// The reason, where there is one.
  package var detail: String?
  package var stage: Stage?
  /// The latency in frames.
  package var latency: Int?
  /// Processor time of its `run`, in nanoseconds per frame.
  package var nanosecondsPerFrame: Double?
  /// The largest absolute output sample.
  package var peak: Double?
  /// It wrote to standard output.
  package var prints: Bool

  package init(
    _ outcome: Outcome, detail: String? = nil, stage: Stage? = nil, latency: Int? = nil,
    nanosecondsPerFrame: Double? = nil, peak: Double? = nil, prints: Bool = false
  ) {
    self.outcome = outcome
    self.detail = detail
    self.stage = stage
    self.latency = latency
    self.nanosecondsPerFrame = nanosecondsPerFrame
    self.peak = peak
    self.prints = prints
  }

  /// It can be used without concern.
  package var isGood: Bool { outcome == .ok || outcome == .silent }

  /// `crashed in run: segmentation fault (SIGSEGV)`.
  package var sentence: String {
    var text = outcome == .nonFinite ? "non-finite" : outcome.rawValue
    switch stage {
    case nil: break
    case .load: text += " while its library was loaded"
    case .exit: text += " when its process ended"
    case .instantiate, .run, .cleanup: text += stage.map { " in \($0)" } ?? ""
    }
    return detail.map { "\(text): \($0)" } ?? text
  }
}
