/// What became of a plugin that was tried out in a process of its own.
package struct PluginVerdict: Sendable, Hashable {
  package enum Outcome: String, Sendable, Hashable, CaseIterable {
    /// Made, run and cleaned up; something came out.
    case ok
    /// The same, but nothing came out of noise.
    case silent
    /// Put out what is not a number, or infinite.
    case nonFinite
    /// Its description asks for what fxrun does not have.
    case refused
    /// It did not start.
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
    /// Its library, at the end of the process.
    case exit
  }

  package var outcome: Outcome
  /// Why, where there is more to say.
  package var detail: String?
  package var stage: Stage?
  /// Frames by which it is late.
  package var latency: Int?
  /// Processor time of its `run`, nanoseconds a frame.
  package var nanosecondsPerFrame: Double?
  /// The largest sample that came out.
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

  /// It can be used without a thought.
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
