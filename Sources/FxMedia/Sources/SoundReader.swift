package import FxAudio
package import FxFrames
import Glibc

/// Reads whole sound files for the units that use them.
package enum SoundReader {
  /// The channel count and length of a file's sound at a sample rate, without keeping its samples.
  ///
  /// - Throws: `IOError` if it is not a file, cannot be read or has no sound.
  package static func measure(_ path: String, sampleRate: Double) throws(IOError) -> SoundAsset {
    try check(path)
    if SOFAFile.isOne(path) {
      let sound = try SOFAFile.read(path, sampleRate: sampleRate)
      return SoundAsset(channelCount: sound.channelCount, frameCount: sound.frameCount)
    }
    let source = try converted(try FileSource.open(path), sampleRate)
    var frameCount = source.frameCount
    if frameCount == nil {
      var count = 0
      try readAll(source) {
        count += $1
        return true
      }
      frameCount = count
    }
    guard let frameCount, frameCount > 0 else {
      throw IOError(.empty, path, "there is no sound in it")
    }
    return SoundAsset(channelCount: source.format.channelCount, frameCount: frameCount)
  }

  /// Decodes a file at a sample rate.
  ///
  /// - Parameter frameLimit: the most frames to read. The file may have grown since it was
  ///   measured.
  /// - Returns: the sound, as far as it could be decoded, and warnings about losses.
  package static func read(
    _ path: String, sampleRate: Double, frameLimit: Int
  ) throws(IOError) -> (sound: SoundAsset, warnings: [String]) {
    try check(path)
    if SOFAFile.isOne(path) { return (try SOFAFile.read(path, sampleRate: sampleRate), []) }
    let file = try FileSource.open(path)
    let source = try converted(file, sampleRate)
    let width = source.format.channelCount
    var channels = [[Float]](repeating: [], count: width)
    for channel in 0..<width { channels[channel].reserveCapacity(frameLimit) }
    var count = 0
    try readAll(source) { block, frames in
      let wanted = min(frames, frameLimit - count)
      for channel in 0..<width {
        channels[channel] += UnsafeBufferPointer(start: block[channel], count: wanted)
      }
      count += wanted
      return count < frameLimit
    }
    guard count > 0 else { throw IOError(.empty, path, "there is no sound in it") }
    var samples = channels[0]
    for channel in channels.dropFirst() { samples += channel }
    let sound = SoundAsset(
      channelCount: width, frameCount: count, samples: samples,
      rateRatio: sampleRate / file.format.sampleRate)
    return (sound, source.warnings)
  }

  /// Only a regular file can be read again.
  private static func check(_ path: String) throws(IOError) {
    var status = stat()
    guard stat(path, &status) == 0 else { throw IOError.reading(path, errno: errno) }
    guard status.st_mode & S_IFMT != S_IFDIR else { throw IOError.reading(path, errno: EISDIR) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw IOError(.unreadable, path, "this is no regular file, which can be read again")
    }
  }

  private static func converted(
    _ source: any AudioSource, _ sampleRate: Double
  ) throws(IOError) -> any AudioSource {
    source.format.sampleRate == sampleRate
      ? source : try ResampledSource(source, to: sampleRate)
  }

  /// Reads to the end, or until `take` returns false.
  private static func readAll(
    _ source: any AudioSource, _ take: (PlanarBuffer, Int) -> Bool
  ) throws(IOError) {
    let block = PlanarBuffer(channelCount: source.format.channelCount, atMost: 4096)
    while true {
      let count = try source.read(into: block.channels, frameCount: block.frameCount)
      guard count > 0, take(block, count) else { return }
    }
  }
}
