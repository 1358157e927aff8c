package import FxAudio

/// A source converted to a different sample rate by libsoxr.
///
/// The first frame stays first, because the filter's latency is removed. The length is the source's
/// length times the ratio, rounded.
package final class ResampledSource: ChangedSource {
  package let source: any AudioSource
  package let format: StreamFormat

  private let ratio: Double
  private let resampler: RateConverter
  private let input: PlanarBuffer
  private let cursors: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  private var inputFill = 0
  private var inputOffset = 0
  private var inputTotal = 0
  /// Why the source ended early; thrown when its sound has been returned.
  private var failure: Failure?
  private var isInputAtEnd = false
  private var position = 0
  /// The length of the output, known when the input has ended.
  private var end: Int?
  private static let blockFrameCount = 4096

  package init(
    _ source: any AudioSource, to sampleRate: Double,
    quality: RateConversion.Quality = .veryHigh
  ) throws(Failure) {
    self.source = source
    let name = source.name
    let width = source.format.channelCount
    format = StreamFormat(sampleRate: sampleRate, layout: source.format.layout)
    ratio = sampleRate / source.format.sampleRate
    resampler = try RateConverter(
      from: source.format.sampleRate, to: sampleRate, channelCount: width, quality: quality,
      name: name)
    input = PlanarBuffer(channelCount: width, frameCount: ResampledSource.blockFrameCount)
    cursors = .allocate(capacity: max(width, 1))
  }

  deinit { cursors.deallocate() }

  package var frameCount: Int? { end ?? source.frameCount.map(outputCount) }

  package func read(
    into channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) throws(Failure) -> Int {
    var done = 0
    while done < frameCount {
      if inputOffset == inputFill, !isInputAtEnd { try refill() }
      let left = end.map { $0 - position } ?? Int.max
      let wanted = min(frameCount - done, left)
      guard wanted > 0 else {
        if done == 0, let failure { throw failure }
        break
      }
      var got = try process(channels, at: done, wanted)
      if got == 0 {
        guard isInputAtEnd, inputOffset == inputFill else { continue }
        // The filter has no more output, but the promised length is filled with silence.
        got = wanted
        for channel in 0..<format.channelCount {
          (channels[channel] + done).update(repeating: 0, count: got)
        }
      }
      done += got
      position += got
    }
    return done
  }

  /// Restarts some way before the frame, at a position that is a whole frame at both rates. So the
  /// filter is filled as in continuous reading.
  package func seek(toFrame frame: Int) throws(Failure) {
    let target = max(frame, 0)
    let from = Int(source.format.sampleRate)
    let to = Int(format.sampleRate)
    let isWhole = Double(from) == source.format.sampleRate && Double(to) == format.sampleRate
    let divisor = isWhole ? ResampledSource.gcd(from, to) : 1
    let margin = 8192.0 * max(1, 1 / ratio)
    var inputStart = 0
    var outputStart = 0
    if isWhole, divisor > 0 {
      let steps = (Double(target) / ratio - margin) / Double(from / divisor)
      if steps >= 1, steps < 1e15 {
        inputStart = Int(steps) * (from / divisor)
        outputStart = Int(steps) * (to / divisor)
      }
    }
    try source.seek(toFrame: inputStart)
    resampler.clear()
    inputFill = 0
    inputOffset = 0
    inputTotal = inputStart
    isInputAtEnd = false
    failure = nil
    end = nil
    position = outputStart
    if target > outputStart { try skip(target - outputStart) }
  }

  package func interrupt() { source.interrupt() }

  private func outputCount(_ inputCount: Int) -> Int {
    let exact = (Double(inputCount) * ratio).rounded()
    return exact < 9e18 ? Int(exact) : Int.max
  }

  private func process(
    _ channels: UnsafePointer<UnsafeMutablePointer<Float>>, at offset: Int, _ wanted: Int
  ) throws(Failure) -> Int {
    let width = format.channelCount
    return try withUnsafeTemporaryAllocation(
      of: UnsafeMutablePointer<Float>.self, capacity: max(width, 1)
    ) { outputs throws(Failure) -> Int in
      guard let table = outputs.baseAddress else { return 0 }
      for channel in 0..<width {
        (table + channel).initialize(to: channels[channel] + offset)
        (cursors + channel).initialize(to: input[channel] + inputOffset)
      }
      let available = inputFill - inputOffset
      let isEnd = isInputAtEnd && available == 0
      let (consumed, produced) = try resampler.convert(
        isEnd ? nil : cursors, available, into: table, wanted)
      inputOffset += consumed
      return produced
    }
  }

  private func refill() throws(Failure) {
    do throws(Failure) {
      inputFill = try source.read(
        into: input.channels, frameCount: ResampledSource.blockFrameCount)
    } catch {
      guard inputTotal > 0, error.code != .interrupted else { throw error }
      // First returns the sound from before the failure, which the filter still holds.
      failure = error
      inputFill = 0
    }
    inputOffset = 0
    inputTotal += inputFill
    if inputFill == 0 {
      isInputAtEnd = true
      end = outputCount(inputTotal)
    }
  }

  private static func gcd(_ a: Int, _ b: Int) -> Int { b == 0 ? a : gcd(b, a % b) }
}
