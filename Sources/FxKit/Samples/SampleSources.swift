import FxAudio
package import FxMedia

extension SampleInput {
  /// The source that reads it, with the name of the input.
  package func source(_ input: String) -> any AudioSource {
    switch self {
    case .samples(let format, let channels): HeldSource(input, format, channels)
    case .queue(let queue): QueueSource(input, queue)
    case .pull(let format, let pull): PulledSource(input, format, pull)
    }
  }

  var format: SampleFormat {
    switch self {
    case .samples(let format, _), .pull(let format, _): format
    case .queue(let queue): queue.format
    }
  }

  /// True if its samples can be read again from any frame.
  var isWhole: Bool {
    if case .samples = self { true } else { false }
  }

  /// A sentence if these samples are not a sound of their format.
  var mistake: String? {
    guard case .samples(let format, let channels) = self else { return nil }
    return format.mistake(in: channels)
  }
}

/// Reads a whole sound of the caller.
private final class HeldSource: AudioSource {
  let name: String
  let format: StreamFormat
  var frameCount: Int? { samples.first?.count ?? 0 }
  private let samples: [[Float]]
  private var frame = 0

  init(_ input: String, _ format: SampleFormat, _ samples: [[Float]]) {
    name = "the input '\(input)'"
    self.format = StreamFormat(format)
    self.samples = samples
  }

  func read(
    into channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) throws(Failure) -> Int {
    let count = min(frameCount, (self.frameCount ?? 0) - frame)
    guard count > 0 else { return 0 }
    for (channel, samples) in samples.enumerated() {
      samples.withUnsafeBufferPointer { samples in
        guard let start = samples.baseAddress else { return }
        channels[channel].update(from: start + frame, count: count)
      }
    }
    frame += count
    return count
  }

  func seek(toFrame frame: Int) throws(Failure) {
    self.frame = max(0, min(frame, frameCount ?? 0))
  }
}

/// Reads samples that the caller pushes.
private final class QueueSource: AudioSource {
  let name: String
  let format: StreamFormat
  var frameCount: Int? { nil }
  var isSeekable: Bool { false }
  private let queue: SampleQueue

  init(_ input: String, _ queue: SampleQueue) {
    name = "the input '\(input)'"
    self.queue = queue
    format = StreamFormat(queue.format)
  }

  deinit { queue.cancel() }

  func read(
    into channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) throws(Failure) -> Int {
    var done = 0
    return queue.takeRuns(frameCount) { buffer, range in
      for channel in 0..<format.channelCount {
        buffer[channel].withUnsafeBufferPointer { samples in
          guard let start = samples.baseAddress else { return }
          (channels[channel] + done).update(from: start + range.lowerBound, count: range.count)
        }
      }
      done += range.count
    }
  }

  func seek(toFrame frame: Int) throws(Failure) {
    throw Failure(.unreadable, name, "what is pushed cannot be read again")
  }

  func interrupt() { queue.cancel() }
}

/// Reads samples that a closure returns.
private final class PulledSource: AudioSource {
  let name: String
  let format: StreamFormat
  var frameCount: Int? { nil }
  var isSeekable: Bool { false }
  private let pull: @Sendable (Int) throws -> [[Float]]

  init(
    _ input: String, _ format: SampleFormat, _ pull: @escaping @Sendable (Int) throws -> [[Float]]
  ) {
    name = "the input '\(input)'"
    self.format = StreamFormat(format)
    self.pull = pull
  }

  func read(
    into channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) throws(Failure) -> Int {
    let samples: [[Float]]
    do {
      samples = try pull(frameCount)
    } catch {
      throw Failure(.unreadable, name, "\(error)")
    }
    let count = samples.first?.count ?? 0
    guard count > 0 else { return 0 }
    guard samples.count == format.channelCount, samples.allSatisfy({ $0.count == count }),
      count <= frameCount
    else {
      throw Failure(
        .unreadable, name,
        "was asked for \(format.channelCount) channels of up to \(frameCount) frames and gave "
          + "\(samples.count) of \(samples.map(\.count))")
    }
    for (channel, samples) in samples.enumerated() {
      samples.withUnsafeBufferPointer { samples in
        guard let start = samples.baseAddress else { return }
        channels[channel].update(from: start, count: count)
      }
    }
    return count
  }

  func seek(toFrame frame: Int) throws(Failure) {
    throw Failure(.unreadable, name, "what is pulled cannot be read again")
  }
}

extension StreamFormat {
  init(_ format: SampleFormat) {
    self.init(sampleRate: format.sampleRate, channelCount: format.channels)
  }
}
