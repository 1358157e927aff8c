package import FxAudio

/// A sink that adds silence before and after the sound, and fades the sound in and out.
///
/// In a fade of n frames, frame k (from 0) is at (k + 1) / (n + 1) of the fade, as for a region of
/// a player. The end need not be known: the sink holds back as many frames as the fade-out has.
package final class ShapedSink: AudioSink {
  package var name: String { sink.name }
  package var format: StreamFormat { sink.format }
  package var statistics: SinkStatistics { sink.statistics }
  package var nextFrame: Int { padStart + position }

  private let sink: any AudioSink
  private let fadeIn: Int
  private let fadeOut: Int
  private let padStart: Int
  private let padEnd: Int
  private let held: HeldFrames
  private let block: PlanarBuffer
  private let cursors: UnsafeMutablePointer<UnsafePointer<Float>>
  /// Frames of the sound received.
  private var position = 0
  /// Frames of the sound written.
  private var written = 0
  private var hasBegun = false
  private var isComplete = false
  private static let blockFrameCount = 4096

  package init(_ sink: any AudioSink, _ shape: OutputShape) throws(Failure) {
    func frames(_ seconds: Double) -> Int { Int((seconds * sink.format.sampleRate).rounded()) }
    self.sink = sink
    fadeIn = frames(shape.fadeIn)
    fadeOut = frames(shape.fadeOut)
    padStart = frames(shape.padStart)
    padEnd = frames(shape.padEnd)
    let width = sink.format.channelCount
    guard fadeOut.multipliedReportingOverflow(by: width).partialValue <= 1 << 27 else {
      throw Failure(
        .outOfMemory, sink.name,
        "fading \(width) channels out over \(shape.fadeOut) s takes more than 512 MB; make the fade shorter"
      )
    }
    held = HeldFrames(channelCount: width, capacity: fadeOut + ShapedSink.blockFrameCount)
    block = PlanarBuffer(channelCount: width, frameCount: ShapedSink.blockFrameCount)
    cursors = .allocate(capacity: max(width, 1))
  }

  deinit { cursors.deallocate() }

  package func check(_ frameCount: Int) throws(Failure) {
    try sink.check(frameCount + padStart + padEnd)
  }

  package func write(
    _ channels: UnsafePointer<UnsafePointer<Float>>, frameCount: Int
  ) throws(Failure) {
    guard frameCount > 0 else { return }
    try begin()
    var done = 0
    while done < frameCount {
      let count = min(frameCount - done, ShapedSink.blockFrameCount)
      held.push(channels, from: done, frameCount: count)
      position += count
      try release(held.count - fadeOut)
      done += count
    }
  }

  package func rest() throws(Failure) { try sink.rest() }

  package func complete() throws(Failure) {
    try end()
    try sink.complete()
  }

  package func finish() throws(Failure) {
    try end()
    try sink.finish()
  }

  /// A recording that was ended early gets no fade-out.
  package func abandon(keepingPartial: Bool) throws(Failure) -> String? {
    if keepingPartial, !isComplete { try? release(held.count) }
    return try sink.abandon(keepingPartial: keepingPartial)
  }

  package func interrupt() { sink.interrupt() }

  private func begin() throws(Failure) {
    guard !hasBegun else { return }
    hasBegun = true
    try writeSilence(padStart)
  }

  private func end() throws(Failure) {
    guard !isComplete else { return }
    isComplete = true
    try begin()
    try release(held.count, isEnd: true)
    try writeSilence(padEnd)
  }

  /// Writes the oldest held frames.
  private func release(_ frameCount: Int, isEnd: Bool = false) throws(Failure) {
    guard frameCount > 0 else { return }
    try held.pop(frameCount) { (channels, count) throws(Failure) in
      guard isEnd && fadeOut > 0 || written < fadeIn else {
        try sink.write(channels, frameCount: count)
        written += count
        return
      }
      var done = 0
      while done < count {
        let piece = min(count - done, ShapedSink.blockFrameCount)
        for frame in 0..<piece {
          let level = Float(amplitude(at: written + frame, isEnd: isEnd))
          for channel in 0..<format.channelCount {
            block[channel][frame] = channels[channel][done + frame] * level
          }
        }
        try sink.write(block.readable, frameCount: piece)
        written += piece
        done += piece
      }
    }
  }

  private func amplitude(at frame: Int, isEnd: Bool) -> Double {
    var amplitude = 1.0
    if frame < fadeIn { amplitude *= Double(frame + 1) / Double(fadeIn + 1) }
    // A sound that is shorter than its fade-out fades over its whole length.
    let length = min(fadeOut, position)
    if isEnd, position - frame <= length {
      amplitude *= Double(position - frame) / Double(length + 1)
    }
    return amplitude
  }

  private func writeSilence(_ frameCount: Int) throws(Failure) {
    guard frameCount > 0 else { return }
    let silence = PlanarBuffer(
      channelCount: format.channelCount, frameCount: min(frameCount, ShapedSink.blockFrameCount))
    var left = frameCount
    while left > 0 {
      try sink.write(silence.readable, frameCount: min(left, silence.frameCount))
      left -= min(left, silence.frameCount)
    }
  }
}
