package import FxAudio
package import FxGraph

/// How a plan is made runnable.
package struct ProgramConfiguration: Sendable {
  /// Frames a second.
  package var sampleRate: Double
  /// No render is longer.
  package var maximumFrameCount: Int
  /// The absolute frame of the first render: where in its source the chain begins.
  package var startFrame: Int
  /// A fully bypassed node stands still. Off where somebody may switch it back on.
  package var restsBypassedNodes: Bool
  /// A unit at rest is not rendered. Offline only: before it rests, a unit may look through all its
  /// memory, which takes too long for a period.
  package var restsSilentNodes = true
  /// Each node's share of the time is measured.
  package var measuresNodes: Bool
  /// So is that of each sum and delay, of a plan that one thread renders.
  package var measuresSteps = false
  /// What passes each node is pictured.
  package var takesFingerprints = false
  /// Frames of each side of every node that are kept beside its fingerprint, at most.
  package var recordedFrameCount = 0
  /// nil where the chain names no tempo.
  package var tempo: TempoMap?
  /// What the plan was divided by.
  package var partition: Partition?
  /// Blocks are rendered as fast as it goes, so that several may be in flight.
  package var isOffline = false

  package init(
    sampleRate: Double, maximumFrameCount: Int, startFrame: Int = 0,
    restsBypassedNodes: Bool = true, measuresNodes: Bool = false
  ) {
    self.sampleRate = sampleRate
    self.maximumFrameCount = maximumFrameCount
    self.startFrame = startFrame
    self.restsBypassedNodes = restsBypassedNodes
    self.measuresNodes = measuresNodes
  }

  /// Threads that render, of a plan with tasks.
  package var threadCount: Int { partition?.threads ?? 1 }
}
