/// A sample rate in Hz and a number of channels.
public struct SampleFormat: Sendable, Hashable {
  public var sampleRate: Double
  public var channels: Int

  public init(sampleRate: Double = 48000, channels: Int = 2) {
    self.sampleRate = sampleRate
    self.channels = channels
  }
}

extension SampleFormat {
  /// Refuses a format that no sound has.
  func check() throws(ChainFailure) {
    guard (100...3_072_000).contains(sampleRate), (1...maximumBusWidth).contains(channels) else {
      throw .outOfRange(
        "no sound has \(channels) channels at \(sampleRate) Hz: 1 to \(maximumBusWidth) channels, 100 to "
          + "3072000 Hz")
    }
  }

  /// Refuses samples of another number of channels, or with channels of different lengths.
  func check(_ samples: [[Float]]) throws(ChainFailure) {
    if let mistake = mistake(in: samples) {
      throw ChainFailure(.request, code: .usage, "a buffer \(mistake)")
    }
  }

  /// The end of a sentence about samples that are no sound of this format.
  func mistake(in samples: [[Float]]) -> String? {
    guard samples.count == channels else {
      return "has \(samples.count) channels of samples, and its format has \(channels)"
    }
    guard samples.allSatisfy({ $0.count == samples[0].count }) else {
      return "has channels of different lengths: \(samples.map(\.count))"
    }
    return nil
  }
}

/// Samples that replace the file of an input: a whole sound, pushed by the caller, or pulled from a
/// callback.
///
/// They are read ahead on a separate thread, never on the render thread, up to about one second
/// before they are played. Samples that are pushed or pulled cannot be read twice: a chain that
/// measures the whole sound first is refused.
public enum SampleInput: Sendable {
  /// A whole sound, `[[Float]]` by channel, with full scale at ±1.
  case samples(SampleFormat, [[Float]])
  /// The caller pushes samples until it calls `finish`. While the queue is empty, a render waits; a
  /// performance plays silence and counts these frames as starved.
  case queue(SampleQueue)
  /// The closure returns `[[Float]]` by channel, with full scale at ±1: at most the requested
  /// number of frames, and none at the end. An error ends the render.
  case pull(SampleFormat, @Sendable (_ frames: Int) throws -> [[Float]])
}

/// Samples that replace the file of an output: pushed to a callback, or taken by the caller.
///
/// They are written on a separate thread, never on the render thread. In a performance, a receiver
/// that is too slow loses frames; these are silent and counted.
public enum SampleOutput: Sendable {
  /// The caller takes samples. The queue must have the format of the output; a render waits while
  /// it is full.
  case queue(SampleQueue)
  /// The closure receives `[[Float]]` by channel, in order. An error ends the render.
  case push(@Sendable (_ channels: [[Float]], _ format: SampleFormat) throws -> Void)
}
