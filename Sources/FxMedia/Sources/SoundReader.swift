package import FxAudio

/// Reads whole sound files for the units that use them.
package enum SoundReader {
  /// The channel count and length of a file's sound at a sample rate, without keeping its samples.
  ///
  /// - Throws: `Failure` if it is not a file, cannot be read or has no sound.
  package static func measure(
    _ path: String, sampleRate: Double, _ limits: OpeningLimits = OpeningLimits()
  ) throws(Failure) -> SoundAsset {
    try guarded(path, limits) { monitor throws(Failure) in
      switch try content(path, sampleRate, monitor) {
      case .responses(let sound):
        return SoundAsset(channelCount: sound.channelCount, frameCount: sound.frameCount)
      case .coefficients(let values):
        return SoundAsset(channelCount: 1, frameCount: values.count)
      case .sound(let file):
        let source = try converted(file, sampleRate)
        var frameCount = source.frameCount
        if frameCount == nil {
          frameCount = 0
          try readAll(source, monitor) {
            frameCount = (frameCount ?? 0) + $1
            return true
          }
        }
        guard let frameCount, frameCount > 0 else {
          throw Failure(.empty, path, "there is no sound in it")
        }
        return SoundAsset(channelCount: source.format.channelCount, frameCount: frameCount)
      }
    }
  }

  /// Decodes a file at a sample rate.
  ///
  /// - Parameter frameLimit: the most frames to read. The file may have grown since it was
  ///   measured.
  /// - Returns: the sound, as far as it could be decoded, and warnings about losses.
  package static func read(
    _ path: String, sampleRate: Double, frameLimit: Int, _ limits: OpeningLimits = OpeningLimits()
  ) throws(Failure) -> (sound: SoundAsset, warnings: [String]) {
    try guarded(path, limits) { monitor throws(Failure) in
      switch try content(path, sampleRate, monitor) {
      case .responses(let sound): (sound, [])
      case .coefficients(let values): (SoundAsset([values]), [])
      case .sound(let file): try read(file, path, sampleRate, frameLimit, monitor)
      }
    }
  }

  private static func read(
    _ file: any AudioSource, _ path: String, _ sampleRate: Double, _ frameLimit: Int,
    _ monitor: OpeningMonitor
  ) throws(Failure) -> (sound: SoundAsset, warnings: [String]) {
    let source = try converted(file, sampleRate)
    let width = source.format.channelCount
    var channels = [[Float]](repeating: [], count: width)
    // A header may announce any length.
    let expected = min(frameLimit, source.frameCount ?? 0, 1 << 24)
    for channel in 0..<width { channels[channel].reserveCapacity(expected) }
    var count = 0
    var isFinite = true
    try readAll(source, monitor) { block, frames in
      let wanted = min(frames, frameLimit - count)
      for channel in 0..<width {
        let samples = UnsafeBufferPointer(start: block[channel], count: wanted)
        isFinite = isFinite && samples.allSatisfy(\.isFinite)
        channels[channel] += samples
      }
      count += wanted
      return count < frameLimit && isFinite
    }
    guard isFinite else {
      throw Failure(
        .damaged, path, "it has samples that are not numbers (NaN or infinity); take another copy")
    }
    guard count > 0 else { throw Failure(.empty, path, "there is no sound in it") }
    var samples = channels[0]
    for channel in channels.dropFirst() { samples += channel }
    let sound = SoundAsset(
      channelCount: width, frameCount: count, samples: samples,
      rateRatio: sampleRate / file.format.sampleRate)
    return (sound, source.warnings)
  }

  private enum Content {
    case sound(any AudioSource)
    /// The responses of a SOFA file.
    case responses(SoundAsset)
    /// The coefficients of a filter.
    case coefficients([Float])
  }

  /// Only a regular file can be read again.
  private static func guarded<Value>(
    _ path: String, _ limits: OpeningLimits,
    _ body: @escaping (OpeningMonitor) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    var file = GuardedFile(path, limits)
    // The memory budget limits the sound.
    file.byteLimit = .max
    file.folderHint = "name an audio file in it"
    return try file.use(body)
  }

  private static func content(
    _ path: String, _ sampleRate: Double, _ monitor: OpeningMonitor
  ) throws(Failure) -> Content {
    let reader = ByteReader(try openStream(path: path, monitor))
    if let form = CoefficientFile.Form(path) {
      return .coefficients(try CoefficientFile.read(reader, path, form))
    }
    guard SOFAFile.isOne(try reader.peek(8)) else { return .sound(try FileSource.open(reader)) }
    let bytes = try reader.peek(SOFAFile.byteLimit + 1)
    guard bytes.count <= SOFAFile.byteLimit else {
      throw Failure(
        .outOfRange, path,
        "it has more than \(SOFAFile.byteLimit >> 20) MB, the limit for a SOFA file")
    }
    return .responses(try SOFAFile.read(bytes, path, sampleRate: sampleRate, monitor))
  }

  private static func converted(
    _ source: any AudioSource, _ sampleRate: Double
  ) throws(Failure) -> any AudioSource {
    source.format.sampleRate == sampleRate
      ? source : try ResampledSource(source, to: sampleRate)
  }

  /// Reads to the end, or until `take` returns false.
  private static func readAll(
    _ source: any AudioSource, _ monitor: OpeningMonitor, _ take: (PlanarBuffer, Int) -> Bool
  ) throws(Failure) {
    try source.readBlocks { block, count in
      monitor.noteRead()
      return !monitor.isGivenUp && take(block, count)
    }
  }
}
