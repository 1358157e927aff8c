/// Frames a second, and channels of a frame.
public struct SampleFormat: Sendable, Hashable {
  public var sampleRate: Double
  public var channels: Int

  public init(sampleRate: Double = 48000, channels: Int = 2) {
    self.sampleRate = sampleRate
    self.channels = channels
  }
}

/// Samples in place of the file of an input: pushed by the caller, or pulled from a callback.
///
/// They are read ahead on a thread of their own, never on the render thread, up to about a second
/// before they are heard. They cannot be read again: a chain that measures the whole sound first is
/// refused.
public enum SampleInput: Sendable {
  /// What the caller pushes, until it calls `finish`. While nothing is there a render waits; a
  /// performance plays silence and counts its frames as starved.
  case queue(SampleQueue)
  /// What the closure returns: `[[Float]]` by channel, with full scale at ±1, at most as many frames as
  /// it is asked for; none at the end. What it throws ends the render.
  case pull(SampleFormat, @Sendable (_ frames: Int) throws -> [[Float]])
}

/// Samples in place of the file of an output: pushed to a callback, or taken by the caller.
///
/// They are written on a thread of their own, never on the render thread. In a performance what does
/// not keep up loses frames, which are silent and counted.
public enum SampleOutput: Sendable {
  /// What the caller takes. The queue has the format of the output; a render waits while it is full.
  case queue(SampleQueue)
  /// The closure gets `[[Float]]` by channel, in order. What it throws ends the render.
  case push(@Sendable (_ channels: [[Float]], _ format: SampleFormat) throws -> Void)
}
