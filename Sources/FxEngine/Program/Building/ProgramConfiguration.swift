package import FxAudio

/// How a plan is made runnable.
package struct ProgramConfiguration: Sendable {
  /// In Hz.
  package var sampleRate: Double
  /// The most frames that are rendered at once.
  package var maximumFrameCount: Int
  /// The absolute frame of the first render: the chain's start in its source.
  package var startFrame: Int
  /// A fully bypassed node does not run. False if somebody may switch it back on.
  package var restsBypassedNodes: Bool
  /// A unit at rest is not rendered. Offline only: before it rests, a unit may check all its
  /// memory, which takes too long for a period.
  package var restsSilentNodes = true
  /// Measures the time of each node.
  package var measuresNodes: Bool
  /// Also measures the time of each sum and delay, in a plan that one thread renders.
  package var measuresSteps = false
  /// Takes fingerprints of each node's inputs and outputs.
  package var takesFingerprints = false
  /// The most frames recorded for each side of a node, in addition to its fingerprint.
  package var recordedFrameCount = 0
  /// nil where the chain names no tempo.
  package var tempo: TempoMap?
  /// The partition that the plan was divided by.
  package var partition: Partition?
  /// Blocks are rendered as fast as possible, so several may be in flight.
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

  /// Threads that render a plan with tasks.
  package var threadCount: Int { partition?.threads ?? 1 }
}
